import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

function runTool(name: string, before: readonly string[], after: readonly string[]) {
  const program = fileURLToPath(new URL(`../${name}`, import.meta.url));
  return spawnSync(process.execPath, [...before, program, ...after], { encoding: "utf8" });
}

test("an old Node is refused before anything is done, with the version that is needed", () => {
  const pretend =
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.18.3' } })";
  const before = ["--import", `data:text/javascript,${encodeURIComponent(pretend)}`];
  const { status, stdout, stderr } = runTool("run.mjs", before, ["--version"]);
  expect(status).toBe(1);
  expect(stderr).toContain("Arcwise needs Node >=20.19; this is Node 20.18.3");
  expect(stdout).toBe("");
});

const root = mkdtempSync(join(tmpdir(), "arcwise-counts-"));
afterAll(() => rmSync(root, { recursive: true }));

/** A report of the runner: tests as "STATUS" or "STATUS TAG", by file. */
function writeReport(name: string, files: readonly (readonly string[])[]): void {
  const testResults = files.map((tests) => {
    const assertionResults = tests.map((test) => {
      const [status, ...tags] = test.split(" ");
      return { status, tags };
    });
    const isSound = tests.length > 0 && !tests.includes("failed");
    return { status: isSound ? "passed" : "failed", assertionResults };
  });
  const all = files.flat().map((test) => test.split(" ")[0]);
  const count = (status: string) => all.filter((own) => own === status).length;
  const counts = { numPassedTests: count("passed"), numFailedTests: count("failed") };
  mkdirSync(join(root, "reports"), { recursive: true });
  writeFileSync(join(root, "reports", name), JSON.stringify({ ...counts, testResults }));
}

const counts = () => {
  const { status, stdout } = runTool("test-counts.mjs", [], ["--root", root]);
  return { status, lines: stdout.trimEnd().split("\n") };
};

test("the counts of all reports are summed up; a test that another run takes is not skipped", () => {
  writeReport("tests.json", [["passed", "passed", "skipped slow"], ["skipped"]]);
  writeReport("slow.json", [["skipped", "skipped", "passed slow"], ["skipped"]]);
  writeReport("packages.json", [["passed"]]);
  expect(counts()).toEqual({ status: 0, lines: ["1 skipped (the tests say why)", "4 passed, 0 failed"] });
});

test("a file that fails before its tests, and a run without a report, are a failure each", () => {
  writeReport("tests.json", [["passed", "failed"], []]);
  rmSync(join(root, "reports/slow.json"));
  const { status, lines } = counts();
  expect(status).toBe(1);
  expect(lines.at(-1)).toBe("2 passed, 3 failed");
});

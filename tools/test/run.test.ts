import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const program = fileURLToPath(new URL("../run.mjs", import.meta.url));

const TASKS =
  "start|test|packages|ci|reference|site|pnpm|cut-version|release|release-model|build|bench|experiments|fuzz|model|kernels";

function runTools(...args: string[]) {
  return spawnSync(process.execPath, args, { encoding: "utf8" });
}

test.each([[[]], [["deploy"]], [["toString"]]])(
  "a task that does not exist (%j) is refused with the list of those that do",
  (args) => {
    const { status, stderr } = runTools(program, ...args);
    expect(status).toBe(2);
    expect(stderr).toBe(`usage: node tools/run.mjs ${TASKS}\n`);
  },
);

test("an old Node is refused before anything is done, with the version that is needed", () => {
  const pretend =
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.18.3' } })";
  const { status, stdout, stderr } = runTools(
    "--import",
    `data:text/javascript,${encodeURIComponent(pretend)}`,
    program,
    "build",
  );
  expect(status).toBe(1);
  expect(stderr).toContain("Arcwise needs Node >=20.19; this is Node 20.18.3");
  expect(stdout).toBe("");
});

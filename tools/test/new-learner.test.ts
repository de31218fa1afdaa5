// @module-tag slow
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** Inside of the clone, where modules find its packages, and ignored by git. */
const folder = mkdtempSync(join(root, ".examples-learner-"));
afterAll(() => rmSync(folder, { recursive: true }));

function newLearner(...args: readonly string[]) {
  return spawnSync(process.execPath, [join(root, "tools/new-learner.mjs"), ...args], { encoding: "utf8" });
}

test("writes a learner that finds the packages of the clone", async () => {
  const { status, stdout } = newLearner("other-steps", "--root", folder);
  expect([status, stdout]).toEqual([0, expect.stringContaining("./other-steps.mjs")]);
  const url = pathToFileURL(join(folder, "other-steps.mjs")).href;
  const made = (await import(url)) as { default: () => { name: string } };
  expect(made.default().name).toBe("other-steps");
  expect(newLearner("other-steps", "--root", folder).status).toBe(1);
});

test.each([[[]], [["Other"]], [["a--b"]], [["../evil"]], [["two", "names"]]])("refuses %j", (args) => {
  expect(newLearner(...args)).toMatchObject({ status: 1, stderr: expect.stringContaining("usage: ") });
});

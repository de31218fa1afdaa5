import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const name = `new-learner-${process.pid}`;
const file = join(root, `${name}.mjs`);
afterAll(() => rmSync(file, { force: true }));

function newLearner(...args: readonly string[]) {
  return spawnSync(process.execPath, [join(root, "tools/new-learner.mjs"), ...args], { encoding: "utf8" });
}

test("writes a learner in the root of the clone, where it finds packages and the linter accepts it", async () => {
  const { status, stdout } = newLearner(name);
  expect([status, stdout]).toEqual([0, expect.stringContaining(`./${name}.mjs`)]);
  const made = (await import(pathToFileURL(file).href)) as { default: () => { name: string } };
  expect(made.default().name).toBe(name);
  const biome = join(root, "node_modules/.bin/biome");
  const linted = spawnSync(biome, ["check", file], { cwd: root, encoding: "utf8" });
  expect(linted.status, linted.stderr).toBe(0);
  expect(newLearner(name).status).toBe(1);
});

test.each([[[]], [["Other"]], [["a--b"]], [["../evil"]], [["two", "names"]]])("refuses %j", (args) => {
  expect(newLearner(...args)).toMatchObject({ status: 1, stderr: expect.stringContaining("usage: ") });
});

import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readWorkspace, sourcesOf } from "../src/workspace.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** Matches the module of a job; a line of a comment begins with an asterisk. */
const JOB_MODULE = /^[^*\n]*(?:\bmodule\b\s*[:=]\s*|Job\([^\n]*)import\.meta\.url/m;

test("threads can import each job: its module is an entry of the built package, by its name", () => {
  const sources = sourcesOf(readWorkspace(root)).filter(({ path }) => path.endsWith(".ts"));
  const declaring = sources.filter(({ text }) => JOB_MODULE.test(text)).map(({ path }) => path);
  expect(declaring.length).toBeGreaterThan(5);
  expect(declaring.filter((file) => !file.endsWith("-jobs.ts"))).toEqual([]);
});

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** Matches the module of a job; a line of a comment begins with an asterisk. */
const JOB_MODULE = /^[^*\n]*(?:\bmodule\b\s*[:=]\s*|Job\([^\n]*)import\.meta\.url/m;

test("threads can import each job: its module is an entry of the built package, by its name", () => {
  const sources = ["packages", "apps"].flatMap((group) =>
    readdirSync(root + group).flatMap((name) => {
      const folder = `${group}/${name}/src/`;
      if (!existsSync(root + folder)) return [];
      const files = readdirSync(root + folder, { recursive: true, encoding: "utf8" });
      return files.filter((file) => file.endsWith(".ts")).map((file) => folder + file);
    }),
  );
  const declaring = sources.filter((file) => JOB_MODULE.test(readFileSync(root + file, "utf8")));
  expect(declaring.length).toBeGreaterThan(5);
  expect(declaring.filter((file) => !file.endsWith("-jobs.ts"))).toEqual([]);
});

import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const pathOf = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url));
const faults: { name: string; file: string; from: string; tests: string[] }[] = JSON.parse(
  readFileSync(pathOf("tools/planted-faults.json"), "utf8"),
);

test.each(faults)("can be planted, and has tests: $name", ({ file, from, tests }) => {
  expect(readFileSync(pathOf(file), "utf8").split(from)).toHaveLength(2);
  expect(tests.filter((path) => !existsSync(pathOf(path)))).toEqual([]);
});

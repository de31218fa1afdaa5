import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { conllu, temporaryFolder } from "./support.ts";

const before = process.cwd();
let folder = "";

beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  process.chdir(folder);
});

afterEach(() => process.chdir(before));

/** An example file without the line that hands its results to the test. */
function example(name: string): string {
  const text = readFileSync(new URL(name, import.meta.url), "utf8");
  return text.replace(/\nexport \{.*\};\n$/, "");
}

const readme = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

test("the example of the README of this package does what it says", async () => {
  expect(readme("../README.md")).toContain(`\`\`\`ts\n${example("command.example.ts")}\`\`\``);
  const { code } = await import("./command.example.ts");
  expect(code).toBe(1);
});

test("the quick start of the README of the repository trains, keeps and runs a parser", async () => {
  expect(readme("../../../README.md")).toContain(`\`\`\`ts\n${example("quick-start.example.ts")}\`\`\``);
  const sentence = conllu("s", "Cats/NOUN/2/nsubj sleep/VERB/0/root");
  writeFileSync(join(folder, "train.conllu"), sentence.repeat(10));
  writeFileSync(join(folder, "input.conllu"), sentence);
  const { heads, labels } = await import("./quick-start.example.ts");
  expect(Array.from(heads)).toEqual([-1, 2, 0]);
  expect(labels).toEqual(["", "nsubj", "root"]);
});

import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { commandOf, commandsOf } from "@arcwise/bench/testing";
import { expect, test } from "vitest";
import { experiments } from "./support.ts";

const NOTES = "../../../docs/notes/2026-11-experiments.md";
const documents = ["../README.md", NOTES, "../../../packages/learn/docs/distributed.md"];
const commands = documents.flatMap((path) => commandsOf(new URL(path, import.meta.url), "experiments"));

/** The code in the second column of the table of all claims: experiments, tests, and other commands. */
const claims = readFileSync(new URL(NOTES, import.meta.url), "utf8")
  .split("\n## All claims\n")[1]!
  .split("\n")
  .filter((line) => /^\| (?!claim)/.test(line))
  .map((line) => line.split(/ \| /)[1]!)
  .flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code!));
const isTest = (code: string) => /^(?:packages|apps)\/|vitest run/.test(code);
const claimed = claims.filter((code) => /^[a-z0-9]+(?: --|$)/.test(code)).map(commandOf);
const tests = claims.filter(isTest).map((code) => code.replace(/.*vitest run /, ""));

test("the documents have commands", () => {
  expect(commands.length).toBeGreaterThan(10);
  expect(claimed.length).toBeGreaterThan(20);
  expect(tests.length).toBeGreaterThan(10);
  const others = claims.length - claimed.length - tests.length;
  expect(others).toBe(claims.filter((code) => /^(?:arcwise |--)/.test(code)).length);
});

test.each([...commands, ...claimed])(
  "$line has existing options and values",
  async ({ name, args, options }) => {
    const { code, out } = await experiments([name, ...args, "--help"]);
    expect(code).toBe(0);
    for (const option of options) expect(out).toContain(`  ${option} `);
  },
);

test.each(tests)("the test %s of a claim exists", (path) => {
  const folder = dirname(/^(?:packages|apps)\//.test(path) ? path : `packages/${path}`);
  const files = readdirSync(new URL(`../../../${folder}/`, import.meta.url));
  expect(files.filter((file) => file.startsWith(basename(path)))).not.toEqual([]);
});

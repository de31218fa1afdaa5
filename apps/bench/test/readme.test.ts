import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DECODERS } from "../src/registry.ts";
import { drawnScoreSets } from "../src/score-sets.ts";
import { bench } from "./support.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

const commands = [...readme.matchAll(/^ {4}npm run bench -- (\w+)(.*)$/gm)].map(([, name, rest]) => ({
  name: name!,
  options: rest!.match(/--[a-z-]+/g) ?? [],
  line: `${name}${rest}`,
}));

test("shows every command", async () => {
  const { out } = await bench(["--help"]);
  const known = [...out.matchAll(/^ {2}(\w+) \[options\]/gm)]
    .map(([, name]) => name!)
    .filter((name) => name !== "help");
  expect(known.length).toBeGreaterThan(3);
  expect(new Set(commands.map(({ name }) => name))).toEqual(new Set(known));
});

test.each(commands)("$line has existing options", async ({ name, options }) => {
  const { code, out } = await bench([name, "--help"]);
  expect(code).toBe(0);
  for (const option of options) expect(out).toContain(`  ${option} `);
});

test("lists the score sets with their contents", () => {
  for (const { name } of drawnScoreSets(1)) expect(readme).toContain(`| \`${name}\` |`);
});

test("names existing decoders", () => {
  const named = readme
    .match(/--decoder ((?:[a-z-]+ )+)--set/)![1]!
    .trim()
    .split(" ");
  const known = DECODERS.map(({ name }) => name);
  expect(named.length).toBeGreaterThan(1);
  for (const name of named) expect(known).toContain(name);
});

import { commandsOf } from "@arcwise/bench/testing";
import { expect, test } from "vitest";
import { experiments } from "./support.ts";

const documents = [
  "../README.md",
  "../../../docs/notes/2026-11-experiments.md",
  "../../../packages/learn/docs/distributed.md",
];
const commands = documents.flatMap((path) => commandsOf(new URL(path, import.meta.url), "experiments"));

test("the documents have commands", () => {
  expect(commands.length).toBeGreaterThan(10);
});

test.each(commands)("$line has existing options", async ({ name, options }) => {
  const { code, out } = await experiments([name, "--help"]);
  expect(code).toBe(0);
  for (const option of options) expect(out).toContain(`  ${option} `);
});

import { expect, test } from "vitest";
import { commandsOf } from "./commands-of.ts";
import { bench } from "./support.ts";

const commands = commandsOf(new URL("../README.md", import.meta.url), "bench");

test("the README has commands", () => {
  expect(commands.length).toBeGreaterThan(8);
});

test.each(commands)("$line has existing options", async ({ name, options }) => {
  const { code, out } = await bench([name, "--help"]);
  expect(code).toBe(0);
  for (const option of options) expect(out).toContain(`  ${option} `);
});

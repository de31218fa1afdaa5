import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { arithmeticViolations } from "../src/arithmetic-rules.ts";
import { readWorkspace, sourcesOf } from "../src/workspace.ts";

/** Applications that measure and draw: neither models nor trees depend on their arithmetic. */
const LABORATORIES = ["apps/bench", "apps/experiments", "apps/playground"];

test("models and trees depend on arithmetic that every engine rounds alike", () => {
  const workspace = readWorkspace(fileURLToPath(new URL("../..", import.meta.url)));
  const sources = sourcesOf(workspace.filter(({ folder }) => !LABORATORIES.includes(folder)));
  expect(sources.length).toBeGreaterThan(400);
  // A number and names of languages in English text about models, not in models: the language is stated.
  const allowed = ["apps/cli/src/model-package/model-card.ts", "packages/pipeline/src/model-parts.ts"];
  const files = arithmeticViolations(sources).map((violation) => violation.split(":")[0]);
  expect(files.sort()).toEqual(allowed);
});

describe("the rule of arithmetic", () => {
  test.each([
    ["a transcendental function", "export const a = Math.exp(x);", "Math.exp"],
    ["its name in brackets", 'export const a = Math["log2"](x);', "Math.log2"],
    ["a function as a value", "export const a = [1].map(Math.cbrt);", "Math.cbrt"],
    ["functions taken apart", "export const { exp } = Math;", "as a value"],
    ["a power of a fraction", "export const a = 0.9 ** t;", "power"],
    ["a square", "export const a = x ** 2;", "power"],
    ["a fraction of an exponent", "export const a = 2 ** (k / 32 - 64);", "power"],
    ["an exponent with a fraction", "export const a = 2 ** 0.5;", "power"],
    ["an exponent of a call", "export const a = 2 ** f(k);", "power"],
    ["a power in place", "export let a = 2; a **= 3;", "power"],
    ["a comparison of a language", "export const a = x.localeCompare(y);", "language"],
    ["letters of a language", "export const a = x.toLocaleLowerCase();", "language"],
    ["formats of a language", "export const a = new Intl.Collator();", "language"],
  ])("rejects %s", (_, text, problem) => {
    expect(arithmeticViolations([{ path: "src/x.ts", text: `\n${text}\n` }])).toEqual([
      expect.stringMatching(`^src/x.ts:2: .*${problem}`),
    ]);
  });
  test.each([
    "export const a = 2 ** -128;",
    "export const a = 2 ** (bits + FILTER - 5);",
    "export const a = -(2 ** model.bits);",
    "export const a = Math.sqrt(Math.abs(x)) * Math.LN2;",
    "export const a = exp(x) + log(y);",
  ])("accepts %s", (text) => {
    expect(arithmeticViolations([{ path: "src/x.ts", text }])).toEqual([]);
  });
});

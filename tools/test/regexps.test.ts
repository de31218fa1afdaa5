import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { regexpViolations } from "../src/regexp-rules.ts";
import { readWorkspace, sourcesOf } from "../src/workspace.ts";

test("no regular expression of this repository takes more than linear time", () => {
  const sources = sourcesOf(readWorkspace(fileURLToPath(new URL("../..", import.meta.url))));
  expect(sources.length).toBeGreaterThan(400);
  // The patterns of a search, and the words with spaces of lists, are given by the user who waits for them.
  const given = ["packages/conllu/src/search/parse-pattern.ts:", "packages/conllu/src/language-lists.ts:"];
  const violations = regexpViolations(sources);
  expect(violations.filter((violation) => !given.some((path) => violation.startsWith(path)))).toEqual([]);
  // Patterns once alone, and once for the whole value.
  expect(violations).toHaveLength(3);
});

describe("the rule of regular expressions", () => {
  test.each([
    ["white space up to the end", "/^#\\s*text\\s*=\\s*(.*?)\\s*$/.test(t);", "quadratic"],
    ["a prefix that is not anchored", 't.replace(/\\s+$/, "");', "quadratic"],
    ["nested repetitions", "/^(?:a+)+b/.test(t);", "exponential"],
    ["a pattern made at run time", "new RegExp(t);", "literal"],
  ])("rejects %s", (_, text, problem) => {
    expect(regexpViolations([{ path: "src/x.ts", text: `\n${text}\n` }])).toEqual([
      expect.stringMatching(`^src/x.ts:2: .*${problem}`),
    ]);
  });
  test("accepts anchored and disjoint repetitions", () => {
    const text = "/^\\s*(?:\\d*\\.)?\\d+$/.test(t); t.trim();";
    expect(regexpViolations([{ path: "src/x.ts", text }])).toEqual([]);
  });
});

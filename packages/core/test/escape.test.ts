import { expect, test } from "vitest";
import { escapeInvisible } from "../src/errors/index.ts";

test.each([
  ["an escape sequence", "a\u001b[31mb", "a\\u001b[31mb"],
  ["a line end and a C1 control", "a\n\u009bb", "a\\u000a\\u009bb"],
  ["a soft hyphen and a zero-width space", "a\u00ad\u200bb", "a\\u00ad\\u200bb"],
  ["a change of direction", "a\u202eb", "a\\u202eb"],
  ["a tag character beyond 16 bits", "a\u{e0041}b", "a\\udb40\\udc41b"],
  ["a no-break space", "a\u00a0b", "a\\u00a0b"],
  ["an unpaired surrogate", "a\ud800b", "a\\ud800b"],
  ["a Hangul filler", "a\u3164b", "a\\u3164b"],
  ["text of any script", "aé 語 👍🏽 नमस्ते", "aé 語 👍🏽 नमस्ते"],
])("%s is shown", (_what, text, shown) => {
  expect(escapeInvisible(text)).toBe(shown);
  expect(JSON.parse(escapeInvisible(JSON.stringify(text)))).toBe(text);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { normalizeText } from "../src/index.ts";

const mark = fc.constantFrom("\u0301", "\u0316", "\u0338", "\u05b0", "\u3099", "\u{1d165}");
const starter = fc.constantFrom("a", "e", "\u00e9", "\u1100", "\u1161", "\uac00", "\ufb01", " ", "\ud800");
const text = fc.string({ unit: fc.oneof(mark, starter), maxLength: 40 });

test("normalises as the engine does, if no run has more than thirty marks", () => {
  fc.assert(
    fc.property(text, fc.constantFrom("NFC" as const, "NFKC" as const), (own, form) => {
      fc.pre(!/\p{M}{31}/u.test(own));
      expect(normalizeText(own, form)).toBe(own.normalize(form));
    }),
  );
});

test("marks after the thirtieth stay as they are", () => {
  const run = "\u0301\u0316".repeat(16);
  expect(normalizeText(`e${run}e\u0301`)).toBe(`${`e${run.slice(0, 30)}`.normalize()}\u0301\u0316\u00e9`);
  expect(normalizeText(run + run)).toBe(`${run.slice(0, 30).normalize()}${run.slice(30)}${run}`);
});

test("takes linear time", () => {
  const seconds = (pairs: number) => {
    const long = `a${"\u0301\u0316".repeat(pairs)}`;
    const began = performance.now();
    for (const form of ["NFC", "NFKC"] as const) expect(normalizeText(long, form)).toHaveLength(2 * pairs);
    return performance.now() - began;
  };
  seconds(1000);
  // The engine's own takes minutes for it.
  expect(seconds(200_000)).toBeLessThan(2000);
});

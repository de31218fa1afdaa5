import { hasCapability, requireCapability, requireGraphDecoder } from "@arcwise/core";
import { expect, test } from "vitest";

const decoder = { name: "mine", handles: new Set(["unique", "sibling"]), decode: () => {} };

test("a decoder of graphs that has all members is one", () => {
  expect(requireGraphDecoder(decoder, "./mine.mjs")).toBe(decoder);
  expect(requireGraphDecoder({ ...decoder, marginals: () => {} }, "./mine.mjs").name).toBe("mine");
});

test.each<[unknown, string]>([
  [null, "./mine.mjs: expected a decoder of graphs, but got null"],
  [1, "got number"],
  [{ ...decoder, name: "" }, '"name" is not a string that is not empty'],
  [{ ...decoder, handles: new Set(["nextSibling", "spans"]) }, '"handles" is not a Set'],
  [{ ...decoder, handles: ["unique"] }, '"handles" is not a Set'],
  [{ ...decoder, decode: undefined }, '"decode" is missing (a function)'],
  [{ ...decoder, decodeRelaxed: 1 }, '"decodeRelaxed" is not a function'],
])("what is no decoder of graphs is refused: %o", (value, message) => {
  expect(() => requireGraphDecoder(value, "./mine.mjs")).toThrow(message);
});

test("a capability that is missing is named", () => {
  const known = requireGraphDecoder({ ...decoder, marginals: () => {} }, "test");
  expect(hasCapability(known, "marginals")).toBe(true);
  expect(hasCapability(known, "decodeWithReport")).toBe(false);
  expect(requireCapability(known, "marginals")).toBe(known);
  expect(() => requireCapability(known, "decodeRelaxed")).toThrow(
    'the decoder "mine" does not give solutions of a relaxation: it has no decodeRelaxed',
  );
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { Fault } from "../src/fuzz/area.ts";
import { patched } from "../src/fuzz/corpus.ts";
import { putTogether, takeApart } from "../src/fuzz/forge.ts";
import { decode, encode } from "../src/fuzz/mutations.ts";
import { withFewerLines, withFewerPatches } from "../src/fuzz/reductions.ts";
import { differences, smallestPart } from "../src/fuzz/shrink.ts";

test("finds exactly the units that a fault needs", async () => {
  const units = fc.record({
    count: fc.integer({ min: 1, max: 60 }),
    needed: fc.uniqueArray(fc.nat(59), { maxLength: 5 }),
  });
  await fc.assert(
    fc.asyncProperty(units, async ({ count, needed }) => {
      const all = Array.from({ length: count }, (_, k) => k);
      const wanted = needed.filter((k) => k < count).sort((a, b) => a - b);
      const shows = (part: readonly number[]) => wanted.every((k) => part.includes(k));
      expect(await smallestPart(all, shows, 1000)).toEqual(wanted);
    }),
  );
});

test("ends after the maximal number of tests", async () => {
  let tests = 0;
  const part = await smallestPart(
    Array.from({ length: 1000 }, (_, k) => k),
    (some) => {
      tests++;
      return some.includes(700);
    },
    5,
  );
  expect(tests).toBe(5);
  expect(part).toContain(700);
  expect(part.length).toBeLessThan(1000);
});

test("patches turn any JSON value into any other", () => {
  const header = () => fc.record({ sections: fc.constant([]), header: fc.jsonValue() });
  fc.assert(
    fc.property(header(), header(), (from, to) => {
      const patches = differences(from, to);
      const made = takeApart(patched({ json: from, bodies: [] }, patches)).json;
      expect(made).toEqual(JSON.parse(JSON.stringify(to)));
    }),
    { numRuns: 300 },
  );
});

const needs = (...wanted: readonly string[]) => {
  return (input: Uint8Array) => {
    const text = decode(input);
    if (wanted.every((word) => text.includes(word))) throw new Fault(`fails at ${text.length}`, input);
    if (text.includes("other")) throw new Fault("another fault", input);
    return "survived" as const;
  };
};

test("a text is reduced to the lines that show its fault, and not to another fault", async () => {
  const lines = ["other", ...Array.from({ length: 50 }, (_, k) => `line ${k}`)];
  const fault = new Fault("fails at 400", encode(lines.join("\n")));
  const shrunk = await withFewerLines(fault, needs("line 7\n", "line 31"));
  expect(decode(shrunk.input!)).toBe("line 7\nline 31");
});

test("a header is reduced to the changes that show its fault, which the message lists", async () => {
  const sound = { json: { sections: [], header: { a: 1, b: { c: 2 }, d: "x", e: [1, 2] } }, bodies: [] };
  const changed = { sections: [], header: { a: 3, b: { c: "bad" }, d: null, e: [1, 7] } };
  const input = putTogether({ json: changed, bodies: [] });
  const shrunk = await withFewerPatches(new Fault("fails at 1", input), sound, needs('"c":"bad"'));
  const wanted = [{ op: "replace", path: ["header", "b", "c"], value: "bad" }];
  expect(shrunk.message).toContain(JSON.stringify(wanted));
  expect(shrunk.input).toEqual(patched(sound, wanted as never));
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { measureInTurn, sampledBlocks, unclearOrder } from "../src/measures/in-turn.ts";
import { processorTime } from "../src/measures/timing.ts";

/** Keeps the processor busy for some milliseconds. */
function busy(milliseconds: number): number {
  const end = processorTime() + milliseconds;
  while (processorTime() < end);
  return 1;
}

const quick = { rounds: 3, time: 6, warmUp: 4 };

describe("measureInTurn", () => {
  test("gives words per second by the shares of blocks, whatever their sizes", () => {
    // 10 words in 2 ms stand for a quarter of the words, 30 words in 12 ms for the rest: 0.35 ms per word.
    const blocks = [
      { words: 10, share: 0.25, run: () => busy(2) },
      { words: 30, share: 0.75, run: () => busy(12) },
    ];
    const [speed] = measureInTurn([{ name: "busy", blocks }], quick);
    expect(speed!.value).toBeGreaterThan(1000 / 0.35 / 1.5);
    expect(speed!.value).toBeLessThan((1000 / 0.35) * 1.01);
    expect(speed!.low).toBeLessThanOrEqual(speed!.value);
    expect(speed!.value).toBeLessThanOrEqual(speed!.high);
    expect(speed!.samples).toBeGreaterThanOrEqual(3);
  });

  test("takes turns: every contestant runs once, then all warm up, then come the rounds", () => {
    const steps: string[] = [];
    const blocks = [{ words: 1, share: 1, run: () => busy(1) }];
    const contestants = ["a", "b"].map((name) => ({ name, blocks }));
    measureInTurn(contestants, { ...quick, rounds: 2, onStep: (text) => steps.push(text) });
    expect(steps.slice(0, 10)).toEqual([
      "a, first run",
      "b, first run",
      "a, warm-up 1/2",
      "b, warm-up 1/2",
      "a, warm-up 2/2",
      "b, warm-up 2/2",
      "a, round 1/2",
      "b, round 1/2",
      "a, round 2/2",
      "b, round 2/2",
    ]);
  });

  test("reports what the first run took beyond a later one, and leaves it out of the speed", () => {
    let runs = 0;
    const run = (): number => busy(runs++ === 0 ? 200 : 2);
    const [speed] = measureInTurn([{ name: "late", blocks: [{ words: 2, share: 1, run }] }], quick);
    expect(speed!.compiling).toBeGreaterThan(0.15);
    expect(speed!.value).toBeGreaterThan(500);
  });

  test("repeats short blocks until the time of a round is over", () => {
    let runs = 0;
    const blocks = [{ words: 1, share: 1, run: () => ++runs }];
    measureInTurn([{ name: "short", blocks }], quick);
    expect(runs).toBeGreaterThan(1000);
  });

  test("refuses nothing to time, results that are not numbers, and passes errors on", () => {
    expect(() => measureInTurn([{ name: "empty", blocks: [] }], quick)).toThrow("empty: expected sentences");
    const run = () => {
      throw new Error("broken");
    };
    expect(() => measureInTurn([{ name: "x", blocks: [{ words: 1, share: 1, run }] }], quick)).toThrow(
      "broken",
    );
  });
});

describe("sampledBlocks", () => {
  const lengths = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 400 });

  test("takes all sentences with words when there are few, with their shares of the words", () => {
    fc.assert(
      fc.property(
        lengths.filter((all) => all.some((n) => n > 0)),
        (all) => {
          const blocks = sampledBlocks(all, all.length);
          const drawn = blocks.flatMap(({ indices }) => indices);
          expect(drawn.toSorted((a, b) => a - b)).toEqual([...all.keys()].filter((i) => all[i]! > 0));
          expect(blocks.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9);
        },
      ),
    );
  });

  test.each([1, 2, 3])("estimates the time of all words where a sentence takes n^%i", (exponent) => {
    // Lengths as of a treebank: many short sentences, few long ones.
    const all = Array.from({ length: 1000 }, (_, i) => 1 + Math.floor(((i * 7919) % 1000) ** 2 / 12_000));
    const time = (i: number): number => all[i]! ** exponent;
    const words = all.reduce((sum, n) => sum + n, 0);
    const truth = [...all.keys()].reduce((sum, i) => sum + time(i), 0) / words;
    for (const count of [100, 400]) {
      const blocks = sampledBlocks(all, count);
      expect(blocks.flatMap(({ indices }) => indices)).toHaveLength(count);
      const estimate = blocks.reduce((sum, { indices, share }) => {
        const own = indices.reduce((n, i) => n + all[i]!, 0);
        return sum + (share * indices.reduce((t, i) => t + time(i), 0)) / own;
      }, 0);
      expect(Math.abs(estimate / truth - 1)).toBeLessThan(0.05);
    }
  });
});

test.each([
  { what: "apart", speeds: [100, 200], range: 50, expected: [false, false] },
  { what: "near", speeds: [100, 120], range: 50, expected: [true, true] },
  { what: "near to one of two", speeds: [100, 1000, 120], range: 50, expected: [true, false, true] },
  { what: "alone", speeds: [100], range: 50, expected: [false] },
])("the order of speeds that are $what", ({ speeds, range, expected }) => {
  const ranged = speeds.map((value) => ({ value, low: value - range / 2, high: value + range / 2 }));
  expect(unclearOrder(ranged)).toEqual(expected);
});

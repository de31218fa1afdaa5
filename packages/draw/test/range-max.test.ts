import * as fc from "fast-check";
import { expect, it } from "vitest";
import { RangeMax } from "../src/layout/range-max.ts";

it("has the maxima of an array, and the indices above a value", () => {
  const range = (size: number) =>
    fc
      .tuple(fc.nat(size - 1), fc.nat(size - 1))
      .map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)]);
  const steps = fc.integer({ min: 1, max: 20 }).chain((size) =>
    fc.record({
      size: fc.constant(size),
      raises: fc.array(fc.tuple(range(size), fc.nat(9)), { maxLength: 20 }),
      asked: range(size),
      level: fc.nat(9),
    }),
  );
  fc.assert(
    fc.property(steps, ({ size, raises, asked: [from, to], level }) => {
      const entries = new Array<number>(size).fill(0);
      const heights = new RangeMax(size);
      for (const [[first, last], value] of raises) {
        heights.raise(first, last, value);
        for (let i = first; i <= last; i++) entries[i] = Math.max(entries[i]!, value);
      }
      expect(heights.max(from, to)).toBe(Math.max(...entries.slice(from, to + 1)));
      const above = entries.flatMap((value, i) => (i >= from && i <= to && value > level ? [i] : []));
      expect(heights.above(from, to, level)).toEqual(above);
    }),
    { numRuns: 500 },
  );
});

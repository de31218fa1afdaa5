import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { largestOf, Scale } from "../../src/solver/scale.ts";

describe("Scale", () => {
  it.each([Number.MIN_VALUE, 1e-321, 2 ** -1022, 1e-20, 1, 7, 8, 1e20, Number.MAX_VALUE])(
    "brings %d to between 4 and 8, and back",
    (largest) => {
      const scale = new Scale(largest);
      const [scaled] = scale.write(Float64Array.of(largest));
      expect(scaled).toBeGreaterThanOrEqual(4);
      expect(scaled).toBeLessThanOrEqual(8);
      expect(scale.original(scaled!)).toBe(largest);
    },
  );

  it("keeps the order of scores, and pruned arcs", () => {
    const score = fc.oneof(
      fc.double({ noNaN: true }),
      fc.integer({ min: -9, max: 9 }).map((k) => k * Number.MIN_VALUE),
    );
    fc.assert(
      fc.property(fc.array(score, { minLength: 2 }), (values) => {
        const scores = Float64Array.from(values).sort();
        const written = new Scale(largestOf(scores)).write(scores);
        expect(written.slice().sort()).toEqual(written);
        expect([...written].map((x) => Math.abs(x) === Infinity)).toEqual(
          values.sort((a, b) => a - b).map((x) => Math.abs(x) === Infinity),
        );
      }),
    );
  });
});

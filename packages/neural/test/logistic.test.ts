import { logisticLoss } from "@arcwise/neural";
import { describe, expect, test } from "vitest";

describe("the logistic loss", () => {
  test.each([-40, -3, -0.5, 0, 0.25, 2, 40])("and its gradient equal their formulas at the score %s", (x) => {
    for (const target of [0, 1] as const) {
      const values = Float32Array.of(x, 0);
      const loss = logisticLoss(values, 0, 1, target);
      const wrong = target === 1 ? -x : x;
      expect(loss).toBeCloseTo(wrong > 30 ? wrong : Math.log1p(Math.exp(wrong)), 7);
      expect(values[1]).toBeCloseTo(1 / (1 + Math.exp(-x)) - target, 6);
    }
  });

  test("has the gradient of its finite differences", () => {
    for (const target of [0, 1] as const) {
      const at = (x: number) => logisticLoss(Float32Array.of(x, 0), 0, 1, target);
      const values = Float32Array.of(0.75, 0);
      logisticLoss(values, 0, 1, target);
      expect(values[1]).toBeCloseTo((at(0.75 + 2 ** -8) - at(0.75 - 2 ** -8)) * 2 ** 7, 5);
    }
  });
});

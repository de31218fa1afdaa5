import { random } from "@arcwise/core";
import { quantize } from "@arcwise/core/container";
import { describe, expect, it } from "vitest";
import { trained } from "../src/model/model.ts";
import { quantizeRows } from "../src/scoring/quantize-rows.ts";
import { trainParser } from "./fast-training.ts";
import { TREEBANK } from "./support.ts";

describe("quantize", () => {
  it("rounds to the nearest step, and keeps zeros", () => {
    const stream = random(1);
    for (const spread of [1e-9, 1, 1e6]) {
      const weights = Float32Array.from({ length: 20_000 }, () =>
        stream.int(3) === 0 ? stream.normal() * spread : 0,
      );
      const { values, scale } = quantize(weights);
      let cut = 0;
      let largestError = 0;
      for (let i = 0; i < weights.length; i++) {
        if (weights[i] === 0 && values[i] !== 0) throw new Error(`weight ${i} was 0, is ${values[i]}`);
        if (Math.abs(weights[i]!) > 127.5 * scale) cut++;
        else largestError = Math.max(largestError, Math.abs(weights[i]! - values[i]! * scale));
      }
      expect(largestError).toBeGreaterThan(0);
      expect(largestError).toBeLessThanOrEqual(0.5 * scale * (1 + 1e-6));
      expect(cut).toBeLessThanOrEqual(1);
    }
  });

  it("makes bytes below the least magnitude 0", () => {
    const weights = Float32Array.of(127, -1, 1.4, 2, -2.6, 0);
    expect([...quantize(weights, 2).values]).toEqual([127, 0, 0, 2, -3, 0]);
  });

  it("cuts a few weights far out rather than round all others to nothing", () => {
    const weights = new Float32Array(1_000_000).fill(0.01);
    weights[17] = -1e6;
    const { values, scale } = quantize(weights);
    expect(values[17]).toBe(-127);
    expect(Math.abs(values[0]! * scale - 0.01)).toBeLessThan(1e-4);
  });

  it.each([
    ["nothing", []],
    ["zeros", [0, 0, -0]],
  ])("makes zeros of %s", (_what, weights) => {
    expect(quantize(Float32Array.from(weights))).toEqual({ values: new Int8Array(weights.length), scale: 1 });
  });

  it.each([Number.NaN, Infinity, -Infinity])("refuses %d", (weight) => {
    expect(() => quantize(Float32Array.of(1, weight))).toThrow(RangeError);
    expect(() => quantize(Float32Array.of(1, weight))).toThrow("weight 1");
  });
});

it("rows of weights are scaled by the largest magnitude of each, of either sign", () => {
  const { values, scales } = quantizeRows(Float32Array.of(-8, 2, 1, 4), 2, "weights", 4);
  expect([[...values], [...scales]]).toEqual([
    [-4, 1, 1, 4],
    [2, 1],
  ]);
});

it.each([
  [undefined, 2],
  [1, 1],
  [40, 40],
])("weights of %s quantisation steps are the smallest in a model", async (minWeight, least) => {
  const model = await trainParser(TREEBANK, {
    preset: "linear",
    epochs: 3,
    seed: 1,
    learning: { minWeight },
  });
  const magnitudes = [...trained(model).arcWeights.values].map(Math.abs).filter((value) => value > 0);
  expect(magnitudes.length).toBeGreaterThan(0);
  expect(Math.min(...new Set(magnitudes))).toBeGreaterThanOrEqual(least);
  if (least === 1) expect(magnitudes).toContain(1);
});

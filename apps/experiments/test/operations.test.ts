import { random } from "@arcwise/core";
import { DesignBuilder } from "@arcwise/learn/maxent";
import { expect, test } from "vitest";
import { countOperations } from "../src/maxent/count-operations.ts";

function design() {
  const builder = new DesignBuilder();
  const rng = random(3);
  for (let event = 0; event < 80; event++) {
    const features = Array.from({ length: 4 }, () => `f${rng.int(9)}`);
    builder.add(features, `c${rng.int(3)}`);
  }
  return builder.build();
}

test("a step of coordinate descent takes a pass for derivative, curvature and trial, SCGIS two passes", () => {
  const last = (method: "cd" | "scgis") => countOperations(design(), method, 12).at(-1)!;
  // Scores of classes take one more pass.
  expect(last("cd")).toEqual({ iteration: 12, passes: 4, inSteps: 3, trials: 1 });
  expect(last("scgis")).toEqual({ iteration: 12, passes: 3, inSteps: 2, trials: undefined });
});

test("methods that change all weights at once read each non-zero for its score and its expectation", () => {
  for (const { passes, inSteps } of countOperations(design(), "gis", 3).slice(1)) {
    expect(passes).toBe(2);
    expect(inSteps).toBeUndefined();
  }
  // At least two passes for each evaluation.
  for (const { passes } of countOperations(design(), "lbfgs", 5)) expect(passes % 2).toBe(0);
});

test("Newton steps of exact coordinate descent are repeated, less often near the minimum", () => {
  const found = countOperations(design(), "exact-cd", 12);
  expect(found[0]!.inSteps).toBeGreaterThan(6);
  expect(found.at(-1)!.inSteps).toBeLessThan(found[0]!.inSteps!);
});

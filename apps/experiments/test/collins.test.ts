import { describe, expect, it, test } from "vitest";
import { compareCollins } from "../src/maxent/collins-table.ts";
import type { CollinsRow } from "../src/maxent/measure-collins.ts";
import { experiments } from "./support.ts";

describe("the comparison of learners", () => {
  const words = [10, 10];
  const row = (learner: CollinsRow["learner"], iterations: number, correct: number[], dev?: number) => ({
    task: "tagging",
    metric: "accuracy" as const,
    cutoff: 0,
    learner,
    iterations,
    correct,
    score: correct.reduce((sum, n) => sum + n, 0) / 20,
    dev,
    seconds: 1,
  });
  const cd = "maximum entropy, cd" as const;
  const gis = "maximum entropy, gis" as const;

  it("chooses iterations on development sentences, and maximum entropy by its best row", () => {
    const rows = [
      row("perceptron", 1, [8, 8], 0.9),
      row("perceptron", 2, [9, 9], 0.95),
      row("perceptron", 3, [10, 10], 0.8),
      row(cd, 5, [8, 8], 0.92),
      row(gis, 5, [5, 9], 0.5),
    ];
    const found = compareCollins(rows, words);
    expect(found.map(({ learner, iterations }) => [learner, iterations])).toEqual([
      ["perceptron", 2],
      [cd, 5],
      [gis, 5],
    ]);
    expect(found.map(({ error }) => error.toFixed(2))).toEqual(["0.10", "0.20", "0.30"]);
    expect(found.map(({ against }) => against?.relative.toFixed(2))).toEqual(["0.50", undefined, "-0.50"]);
    expect(found[0]!.against!.interval.map((x) => x.toFixed(2))).toEqual(["0.10", "0.10"]);
  });

  it("takes the last iterations without development sentences", () => {
    const found = compareCollins([row(cd, 5, [9, 9]), row(cd, 100, [8, 8])], words);
    expect(found.map(({ iterations, against }) => [iterations, against])).toEqual([[100, undefined]]);
  });
});

test("collins refuses an unknown task, and ends without data", async () => {
  const unknown = await experiments(["collins", "--task", "parsing"]);
  expect(unknown.code).toBe(2);
  const missing = await experiments(["collins", "--quick"], { data: "/nonexistent" });
  expect(missing.code).toBe(1);
});

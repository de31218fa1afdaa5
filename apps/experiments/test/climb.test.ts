import { measured } from "@arcwise/bench/testing";
import { expect, test } from "vitest";
import type { ClimbResult } from "../src/climbing/climb-measures.ts";
import { run } from "../src/run.ts";
import { experiments } from "./support.ts";

test("climb: compares with the exact decoder by restarts and by time, and writes a report", {
  tags: "slow",
}, async () => {
  const { results, page, out, err } = await measured<ClimbResult>(run, "climb", [
    ...["--restarts", "1", "30", "--milliseconds", "0.01", "1"],
  ]);
  expect(err).toContain("30 restarts");
  const { sentences, exact, byRestarts, byTime, arborescence, firstOrder } = results[0]!;
  expect(sentences).toBe(8);
  expect(byRestarts.map(({ restarts }) => restarts)).toEqual([1, 30]);
  expect(byTime.map(({ milliseconds }) => milliseconds)).toEqual([0.01, 1]);
  // More climbs are never worse, and thirty of them on few words are as good as the exact decoder.
  expect(byRestarts[1]!.score).toBeGreaterThanOrEqual(byRestarts[0]!.score);
  expect(byRestarts[1]!.reached).toBe(1);
  expect(byRestarts[1]!.score).toBeGreaterThanOrEqual(exact!.score - 1e-9);
  expect(byRestarts[0]!.short).toBeGreaterThanOrEqual(byRestarts[1]!.short);
  expect(firstOrder.map(({ start }) => start)).toEqual(["scores", "uniform"]);
  for (const { reached, exceeded, score } of firstOrder) {
    expect(reached).toBeGreaterThan(0.8);
    expect(exceeded).toBe(0);
    expect(score).toBeLessThanOrEqual(arborescence.score + 1e-9);
  }
  expect(out).toContain("exact, projective");
  expect(page).toContain("short of the best score");
});

test("climb requires times above 0", async () => {
  const zero = await experiments(["climb", "--model", "a", "--treebank", "b", "--milliseconds", "0"]);
  expect(zero.err).toContain("Expected a number above 0");
  expect(zero.code).toBe(2);
});

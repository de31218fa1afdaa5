import { measured } from "@arcwise/bench/testing";
import { expect, test } from "vitest";
import type { Ad3Result } from "../src/ad3/ad3-measures.ts";
import { run } from "../src/run.ts";
import { experiments } from "./support.ts";

test("ad3: settings, certificates and bounds by several methods", { tags: "slow" }, async () => {
  const argv = ["--bound-sentences", "3", "--passes", "1"];
  const { results, page } = await measured<Ad3Result>(run, "ad3", argv);
  const { sentences, settings, boundSentences, bounds } = results[0]!;
  expect([sentences, boundSentences]).toEqual([8, 3]);
  const exact = settings.at(-1)!;
  expect(exact.setting).toBe("branch and bound");
  expect(exact.certified).toBe(1);
  for (const { score } of settings) expect(score).toBeLessThanOrEqual(exact.score + 1e-9);
  const methods = ["dual ascent", "AD3", "subgradient", "MPLP", "hill climbing"];
  expect([...new Set(bounds.map(({ method }) => method))]).toEqual(methods);
  for (const method of methods) {
    const gaps = bounds.filter((point) => point.method === method).map(({ gap }) => gap);
    if (method === "hill climbing") expect(gaps.every((gap) => gap === null)).toBe(true);
    else expect(gaps.at(-1)!).toBeLessThanOrEqual(gaps[0]! + 1e-9);
    const short = bounds.filter((point) => point.method === method).map((point) => point.short);
    for (const one of short) expect(one).toBeGreaterThanOrEqual(0);
  }
  expect(page).toContain("Bounds against time");
});

test.each(["ad3", "climb"])("%s names missing folders before anything runs", async (command) => {
  const files = ["--model", "a", "b", "--treebank", "/absent/x", "/absent/y"];
  const { code, err } = await experiments([command, ...files]);
  expect(err).toBe("arcwise-experiments: /absent/x: no such folder; /absent/y: no such folder\n");
  expect(code).toBe(1);
});

test.each(["ad3", "climb"])("%s requires a model for each treebank", async (command) => {
  const { code, err } = await experiments([command, "--model", "a", "--treebank", "b", "c"]);
  expect(err).toContain("expected a model for each treebank, got 1 and 2");
  expect(code).toBe(2);
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { trainParser } from "@arcwise/parser";
import { writeParserFile } from "@arcwise/parser/node";
import { expect, test } from "vitest";
import type { Ad3Result } from "../src/ad3-measures.ts";
import type { ComparisonResult } from "../src/compare-decoders.ts";
import { DECODERS } from "../src/registry.ts";
import { readSplit } from "../src/treebanks.ts";
import { bench, nestingFaults, outsideReferences, smallTreebank, temporaryFolder } from "./support.ts";

/** Trains a small third-order model in a temporary folder, with its treebank. */
async function prepared(): Promise<{ folder: string; source: string[] }> {
  const folder = temporaryFolder();
  const model = join(folder, "small.model");
  const treebank = smallTreebank(12);
  const options = { decoder: "projective", order: 3, epochs: 1 } as const;
  await writeParserFile(model, await trainParser(readSplit(treebank, "train"), options));
  return {
    folder,
    source: ["--model", model, "--treebank", treebank, "--split", "train", "--sentences", "8"],
  };
}

/** Runs a command and returns its results and HTML report. */
async function measured<T>(
  command: string,
  more: readonly string[],
): Promise<{ results: T[]; page: string; out: string }> {
  const { folder, source } = await prepared();
  const [json, html] = [join(folder, `${command}.json`), join(folder, `${command}.html`)];
  const { code, out, err } = await bench([command, ...source, ...more, "--json", json, "--html", html]);
  expect(err).toContain("wrote");
  expect(code).toBe(0);
  const { results } = JSON.parse(readFileSync(json, "utf8")) as { results: T[] };
  const page = readFileSync(html, "utf8");
  expect(nestingFaults(page)).toEqual([]);
  expect(outsideReferences(page)).toEqual([]);
  return { results, page, out };
}

test("ad3: settings, certificates and bounds by several methods", async () => {
  const { results, page } = await measured<Ad3Result>("ad3", ["--bound-sentences", "3", "--passes", "1"]);
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

test("compare: decoders on the same scores", async () => {
  const { results, out } = await measured<ComparisonResult>("compare", [
    ...["--restarts", "1", "30", "--quick", "--rounds", "1", "--time", "2", "--warm-up", "2"],
  ]);
  const { certified, decoders, shown, timedSentences } = results[0]!;
  expect(certified).toBe(1);
  const exact = decoders.at(-1)!;
  expect(exact).toMatchObject({ ofOptimum: 1, optimal: 1, short: 0 });
  // Speed is of the whole split, accuracy of 8 of its 12 sentences.
  expect(timedSentences).toBe(12);
  expect(shown).toHaveLength(8);
  for (const [i, { uas, las, optimal, ofOptimum, speed, wordsPerSecond, rights }] of decoders.entries()) {
    expect(speed.value).toBe(wordsPerSecond);
    expect(speed.low).toBeLessThanOrEqual(speed.high);
    // The trees that are shown are those that are counted.
    for (const [s, { trees, found }] of shown.entries()) {
      const [gold, own] = [trees[0]!, trees[found[i]!]!];
      const right = own.heads.filter((head, m) => m > 0 && head === gold.heads[m]);
      expect(right).toHaveLength(rights.heads[s]!);
    }
    expect(rights.words.reduce((sum, n) => sum + n, 0) * uas).toBeCloseTo(
      rights.heads.reduce((sum, n) => sum + n, 0),
      9,
    );
    expect(las).toBeLessThanOrEqual(uas);
    expect(optimal).toBeLessThanOrEqual(1);
    expect(ofOptimum).toBeLessThanOrEqual(1 + 1e-9);
  }
  for (const name of [
    ...DECODERS.flatMap(({ label, variants }) => (variants ? [] : [label])),
    ...["AD3", "dual ascent alone", "AD3 alone", "AD3, pairwise decomposition", "MPLP", "subgradient"],
    ...["hill climbing, 30 climbs", "hill climbing, 30 climbs from Q", "30 climbs from uniform"],
  ]) {
    expect(out).toContain(name);
  }
});

test("compare refuses a model that not all decoders can score, in one line", async () => {
  const folder = temporaryFolder();
  const treebank = smallTreebank(6);
  const model = join(folder, "global.model");
  const options = { decoder: "hillclimb", order: 2, global: true, epochs: 1 } as const;
  await writeParserFile(model, await trainParser(readSplit(treebank, "train"), options));
  const { code, err } = await bench([
    "compare",
    "--model",
    model,
    "--treebank",
    treebank,
    "--split",
    "train",
  ]);
  expect(code).toBe(2);
  expect(err).toMatch(/^arcwise-bench: ad3 cannot score parts of kind "global".*\n$/);
});

test.each(["ad3", "climb", "compare"])("%s names missing folders before anything runs", async (command) => {
  const { code, err } = await bench([command, "--model", "a", "b", "--treebank", "/absent/x", "/absent/y"]);
  expect(err).toBe("arcwise-bench: /absent/x: no such folder; /absent/y: no such folder\n");
  expect(code).toBe(1);
});

test.each(["ad3", "compare"])("%s requires a model for each treebank", async (command) => {
  const { code, err } = await bench([command, "--model", "a", "--treebank", "b", "c"]);
  expect(err).toContain("expected a model for each treebank, got 1 and 2");
  expect(code).toBe(2);
});

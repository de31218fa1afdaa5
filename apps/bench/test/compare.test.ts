import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { trainParser } from "@arcwise/parser";
import { loadTreeFeatures, writeParserFile } from "@arcwise/parser/node";
import { expect, test } from "vitest";
import type { Io } from "../src/command/io.ts";
import { readSplit } from "../src/data/treebanks.ts";
import type { ComparisonResult } from "../src/measures/compare-trees.ts";
import { DECODERS } from "../src/registry/decoders.ts";
import type { ResultFile } from "../src/results/results.ts";
import { run } from "../src/run.ts";
import { measured } from "./measured.ts";
import { bench, smallTreebank, temporaryFolder } from "./support.ts";

const program = (io: Io) => run({ ...io, runParser: () => Promise.reject(new Error("not here")) });

test("compare: decoders on the same scores", { tags: "slow" }, async () => {
  const { results, out } = await measured<ComparisonResult>(program, "compare", [
    ...["--restarts", "1", "30", "--quick", "--rounds", "1", "--time", "2", "--warm-up", "2"],
  ]);
  const { certified, decoders, differences, reliability, shown, timedSentences } = results[0]!;
  expect(differences).toHaveLength((decoders.length * (decoders.length - 1)) / 2);
  for (const { first, second, las, correctedP } of differences) {
    const [a, b] = [first, second].map((name) => decoders.find(({ decoder }) => decoder === name)!);
    expect(las.difference).toBeCloseTo(b!.las - a!.las, 12);
    expect(las.interval[0]).toBeLessThanOrEqual(las.difference);
    expect(las.interval[1]).toBeGreaterThanOrEqual(las.difference);
    expect(correctedP === undefined).toBe(second !== decoders.at(-1)!.decoder);
    expect(correctedP ?? 1).toBeGreaterThanOrEqual(las.pValue);
  }
  expect(reliability!.count).toBe(decoders[0]!.rights.words.reduce((sum, n) => sum + n, 0));
  expect(reliability!.error).toBeLessThanOrEqual(1);
  expect(certified).toBe(1);
  const exact = decoders.at(-1)!;
  expect(exact).toMatchObject({ optimumShare: 1, optimal: 1, short: 0 });
  // Speed is of the whole split, accuracy of 8 of its 12 sentences.
  expect(timedSentences).toBe(12);
  expect(shown).toHaveLength(8);
  for (const [i, { uas, las, optimal, optimumShare, speed, wordsPerSecond, rights }] of decoders.entries()) {
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
    expect(optimumShare).toBeLessThanOrEqual(1 + 1e-9);
  }
  for (const name of [
    ...DECODERS.flatMap(({ label, variants }) => (variants ? [] : [label])),
    ...["AD3", "dual ascent alone", "AD3 alone", "AD3, pairwise decomposition", "MPLP", "subgradient"],
    ...["hill climbing, 30 climbs", "hill climbing, 30 climbs from Q", "30 climbs from uniform"],
  ]) {
    expect(out).toContain(name);
  }
});

test("compare takes a model with features of whole trees, of a module too", async () => {
  const folder = temporaryFolder();
  const treebank = smallTreebank(6);
  const model = join(folder, "global.model");
  const path = join(folder, "valency.mjs");
  writeFileSync(
    path,
    `const features = (tree, h) => [String(tree.modifiers(h).length)];
     export default { name: "valency", features: { valency: { scope: "modifiers", features } } };`,
  );
  const options = {
    preset: "linear",
    decoder: "hillclimb",
    order: 2,
    global: await loadTreeFeatures(path),
    epochs: 1,
  } as const;
  await writeParserFile(model, await trainParser(readSplit(treebank, "train"), options));
  const quick = ["--quick", "--rounds", "1", "--time", "2", "--warm-up", "2", "--restarts", "1"];
  const { code, err } = await bench([
    ...["compare", "--model", model, "--treebank", treebank, "--split", "train", "--global", path],
    ...["--decoder", "mst", ...quick],
  ]);
  expect({ code, err }).toMatchObject({ code: 0 });
});

test("compare puts several models of a treebank together", async () => {
  const folder = temporaryFolder();
  const treebank = smallTreebank(8);
  const models = await Promise.all(
    [1, 2].map(async (seed) => {
      const model = join(folder, `${seed}.model`);
      const options = { preset: "linear", epochs: 1, seed } as const;
      await writeParserFile(model, await trainParser(readSplit(treebank, "train").slice(seed), options));
      return model;
    }),
  );
  const json = join(folder, "results.json");
  const html = join(folder, "report.html");
  const quick = ["--quick", "--rounds", "1", "--time", "2", "--warm-up", "2", "--restarts", "1"];
  const { code, err, out } = await bench([
    ...["compare", "--model", ...models, "--treebank", treebank, "--split", "train"],
    ...["--decoder", "mst", "eisner", "--json", json, "--html", html, ...quick],
  ]);
  expect({ code, err }).toMatchObject({ code: 0 });
  const { results, contestants } = JSON.parse(readFileSync(json, "utf8")) as ResultFile & {
    readonly results: readonly ComparisonResult[];
  };
  const [{ decoders, trainings }] = results as [ComparisonResult];
  expect(trainings!.models).toEqual(models);
  for (const [i, { decoder, las, uas }] of trainings!.decoders.entries()) {
    expect(decoder).toBe(decoders[i]!.decoder);
    expect(las).toHaveLength(2);
    expect(las[0]).toBe(decoders[i]!.las);
    const { measures } = contestants[i]!;
    expect(measures["LAS of all models"]).toMatchObject({
      value: expect.closeTo((las[0]! + las[1]!) / 2, 12),
      low: Math.min(...las),
      high: Math.max(...las),
      samples: 2,
    });
    expect(measures["UAS of all models"]!.value).toBeCloseTo((uas[0]! + uas[1]!) / 2, 12);
  }
  const meanOf = (name: string) => {
    const { las } = trainings!.decoders.find(({ decoder }) => decoder === name)!;
    return (las[0]! + las[1]!) / 2;
  };
  expect(trainings!.differences).toHaveLength((decoders.length * (decoders.length - 1)) / 2);
  for (const { first, second, las } of trainings!.differences) {
    expect(las.difference).toBeCloseTo(meanOf(second) - meanOf(first), 12);
  }
  for (const text of [out, readFileSync(html, "utf8")]) {
    expect(text).toContain("Decoders with 2 models");
    expect(text).toContain("scored by each of 2 models");
  }
});

test("compare names missing folders before anything runs", async () => {
  const { code, err } = await bench(["compare", "--model", "a", "b", "--treebank", "/absent/x", "/absent/y"]);
  expect(err).toBe("arcwise-bench: /absent/x: no such folder; /absent/y: no such folder\n");
  expect(code).toBe(1);
});

test.each([
  { model: ["a"], treebank: ["b", "c"], got: "1 and 2" },
  { model: ["a", "b", "c"], treebank: ["b", "c"], got: "3 and 2" },
])("compare requires equally many models for each treebank: $got", async ({ model, treebank, got }) => {
  const { code, err } = await bench(["compare", "--model", ...model, "--treebank", ...treebank]);
  expect(err).toContain(`for each treebank, got ${got}`);
  expect(code).toBe(2);
});

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nestingFaults, outsideReferences, smallTreebank, temporaryFolder } from "@arcwise/bench/testing";
import { describe, expect, test } from "vitest";
import { mixingSections, runName } from "../src/experiments/mixing.ts";
import type { MixingRun, SubjectResult } from "../src/mixing/experiment.ts";
import { experiments } from "./support.ts";

/** Writes data with names that are easy to find: after "don". */
function dataWithNames(): string {
  const data = temporaryFolder();
  const folder = join(data, "sequence", "conll2002");
  mkdirSync(folder, { recursive: true });
  const sentence = (i: number) => `don NC O\nNombre${i % 7} NP B-PER\nvino${i % 3} VMI O\n`;
  const text = Array.from({ length: 30 }, (_, i) => sentence(i)).join("\n");
  for (const name of ["esp.train", "esp.testa", "esp.testb"]) writeFileSync(join(folder, name), text);
  return data;
}

test("mixing: learns names with every method, and writes a report", async () => {
  const folder = temporaryFolder();
  const [json, html] = [join(folder, "mixing.json"), join(folder, "mixing.html")];
  const argv = ["mixing", "--shards", "3", "2", "--epochs", "2"];
  argv.push("--average-after", "1", "--mixes", "4", "--test");
  const { code, out, err } = await experiments([...argv, "--json", json, "--html", html], {
    data: dataWithNames(),
  });
  expect(err).toContain("iterative, 3 shards, error");
  expect(code).toBe(0);
  const { results } = JSON.parse(readFileSync(json, "utf8")) as { results: readonly SubjectResult[] };
  expect(results.map(({ metrics }) => metrics)).toEqual([["F1"]]);
  for (const { runs, metrics } of results) {
    expect(runs.map((run) => `${run.shards} ${runName(run)}`)).toEqual([
      "1 serial",
      "1 serial, average from epoch 2",
      "2 one shard alone",
      "3 one shard alone",
      ...["2", "3"].flatMap((n) => [`${n} mixed once, uniform`, `${n} mixed once, error`]),
      ...["2", "3"].flatMap((n) => [
        `${n} iterative, uniform`,
        `${n} iterative, error`,
        `${n} iterative, changed, 4 an epoch, average from epoch 2`,
      ]),
    ]);
    for (const { points, strategy, test: ofBest } of runs) {
      expect(ofBest).toEqual([expect.any(Number)]);
      for (const { test, mistakes } of points) {
        expect(test).toHaveLength(metrics.length);
        expect(mistakes).toBeGreaterThanOrEqual(0);
        expect(mistakes).toBeLessThanOrEqual(100);
      }
      expect(points[0]!.mistakes).toBeGreaterThan(points[1]!.mistakes);
      const isSent = strategy === "iterative";
      expect(points.map(({ sent }) => sent !== undefined && sent > 0)).toEqual([isSent, isSent]);
      expect(points.map(({ epoch }) => epoch)).toEqual([1, 2]);
      if (strategy !== "once") expect(points[1]!.oneThread).toBeGreaterThan(points[0]!.oneThread);
      for (const { scores, oneThread, machineAShard } of points) {
        expect(scores).toHaveLength(metrics.length);
        if (strategy === "once" || strategy === "iterative") expect(machineAShard).toBeLessThan(oneThread);
        else expect(machineAShard).toBeCloseTo(oneThread, 9);
      }
    }
  }
  // Every name follows "don": all can be found.
  for (const { points } of results[0]!.runs) expect(points[1]!.scores).toEqual([100]);
  expect(out).toContain("Names (CoNLL-2002, Spanish)");
  const page = readFileSync(html, "utf8");
  expect(nestingFaults(page)).toEqual([]);
  expect(outsideReferences(page)).toEqual([]);
  expect(page.split('class="plot"')).toHaveLength(1 + 2 * 2);
});

test("mixing: the last weights take the same steps and score differently", async () => {
  const measure = async (...more: string[]): Promise<SubjectResult> => {
    const json = join(temporaryFolder(), "mixing.json");
    const argv = ["mixing", "--no-names", "--treebank", smallTreebank(8), "--learner", "perceptron"];
    argv.push("--shards", "2", "--epochs", "2", "--mixing", "uniform", "--mixes", "0");
    expect((await experiments([...argv, "--average-after", "0", ...more, "--json", json])).code).toBe(0);
    return (JSON.parse(readFileSync(json, "utf8")) as { results: SubjectResult[] }).results[0]!;
  };
  const [averaged, last] = [await measure(), await measure("--no-average")];
  expect(last.learner).toBe("perceptron, last weights");
  const of = (result: SubjectResult, key: "mistakes" | "scores") =>
    result.runs.map(({ points }) => points.map((point) => point[key]));
  expect(of(last, "mistakes")).toEqual(of(averaged, "mistakes"));
  expect(of(last, "scores")).not.toEqual(of(averaged, "scores"));
});

test("mixing: learns parsing, and mixes once as iteratively after one epoch", {
  timeout: 120_000,
}, async () => {
  const json = join(temporaryFolder(), "mixing.json");
  const argv = [
    ...["--no-names", "--treebank", smallTreebank(8), "--shards", "3", "--epochs", "1"],
    ...["--mixing", "uniform", "--json", json],
  ];
  const { code, out } = await experiments(["mixing", ...argv]);
  expect(code).toBe(0);
  expect(out).toContain("Parsing (UD_Small, order 1)");
  expect(out).toMatch(/iterative, uniform .* 3 .* \d\d\.\d\d .* \d\d\.\d\d /);
  expect(out).toMatch(/iterative, changed, 32 an epoch .* 3 .* \d\d\.\d\d .* \d\d\.\d\d /);
  const { results } = JSON.parse(readFileSync(json, "utf8")) as { results: readonly SubjectResult[] };
  const [once, iterative] = (["once", "iterative"] as const).map(
    (name) => results[0]!.runs.find(({ strategy, mixing }) => strategy === name && mixing === "uniform")!,
  );
  expect(once!.points[0]!.scores).toEqual(iterative!.points[0]!.scores);
});

test("mixing: learns until no sentence is wrong, without contradictions, and stays below the bound", async () => {
  const data = dataWithNames();
  const train = join(data, "sequence", "conll2002", "esp.train");
  // A sentence with the same words and another label, which no weights separate.
  writeFileSync(train, `${readFileSync(train, "utf8")}\ndon NC O\nNombre1 NP O\nvino1 VMI O\n`);
  const json = join(temporaryFolder(), "mixing.json");
  const argv = ["mixing", "--shards", "3", "--epochs", "40", "--mixes", "0", "--no-once"];
  argv.push("--average-after", "0", "--no-average", "--separate", "--json", json);
  const { code, out } = await experiments(argv, { data });
  expect(code).toBe(0);
  const { results } = JSON.parse(readFileSync(json, "utf8")) as { results: readonly SubjectResult[] };
  expect(results[0]!.examples).toBeGreaterThan(20);
  expect(results[0]!.examples).toBeLessThan(31);
  expect(results[0]!.runs).toHaveLength(3);
  for (const { points, shards, mixing, separation } of results[0]!.runs) {
    const { epochs, mistakes, weighted, radius, margin } = separation!;
    expect(epochs).toBeLessThan(39);
    expect(points.map(({ epoch }) => epoch).filter((epoch) => epoch % 10 > 0)).toEqual([epochs + 1]);
    expect(points.map((point) => point.mistakes === 0)).toEqual(
      points.map((_, i) => i === points.length - 1),
    );
    expect(mistakes).toBeGreaterThanOrEqual(epochs);
    if (mixing !== "error") expect(weighted).toBeCloseTo(mistakes / shards, 9);
    expect(margin).toBeGreaterThan(0);
    expect(weighted).toBeLessThanOrEqual((radius / margin) ** 2);
  }
  expect(out).toContain("(R / γ)²");
});

describe("mixing refuses", () => {
  test("to learn nothing", async () => {
    const { code, err } = await experiments(["mixing"]);
    expect(code).toBe(2);
    expect(err).toContain("names are left out: no folder");
    expect(err).toContain("give a folder with --treebank");
  });

  test("more shards than sentences, and one shard", async () => {
    const argv = ["mixing", "--epochs", "1", "--shards"];
    const many = await experiments([...argv, "31"], { data: dataWithNames() });
    expect(many.code).toBe(2);
    expect(many.err).toContain("expected at most 30 shards, one per sentence, got 31");
    const { code, err } = await experiments([...argv, "1"]);
    expect(code).toBe(2);
    expect(err).toContain("Expected an integer of at least 2.");
  });

  test("names without their three columns", async () => {
    const data = dataWithNames();
    writeFileSync(join(data, "sequence", "conll2002", "esp.train"), "don O\n");
    const { code, err } = await experiments(["mixing"], { data });
    expect(code).toBe(1);
    expect(err).toContain('expected a word, a tag and a label, found "don O"');
  });
});

test("the report has the difference from serial training, and what a round sends", () => {
  const run = (strategy: MixingRun["strategy"], shards: number, score: number): MixingRun => ({
    strategy,
    shards,
    ...(shards > 1 && { mixing: "uniform" as const }),
    points: [1, 2].map((epoch) => ({
      epoch,
      scores: [score - epoch],
      mistakes: 0,
      oneThread: 4 * epoch,
      machineAShard: epoch,
      sent: shards > 1 ? 3e6 * epoch : undefined,
      rounds: shards > 1 ? 2 * epoch : undefined,
    })),
  });
  const result: SubjectResult = {
    subject: "names",
    learner: "mira",
    metrics: ["F1"],
    examples: 10,
    weights: 1000,
    runs: [{ ...run("serial", 1, 80), test: [71] }, run("iterative", 2, 79.5)],
  };
  const [section] = mixingSections([result]);
  const [ends] = section!.tables;
  expect(ends!.rows[1]!.join("; ")).toBe(
    "iterative, uniform; 2; 77.50; 1 (78.50); −0.50; ; 8.00; 2.00; 1.50",
  );
  expect(ends!.rows[0]![5]).toBe("71.00");
});

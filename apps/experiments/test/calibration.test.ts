import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { drawnScoreSets } from "@arcwise/bench/measures";
import { outsideReferences, smallTreebank, temporaryFolder } from "@arcwise/bench/testing";
import { random } from "@arcwise/core";
import { createTreeSampler, mstDecoder } from "@arcwise/decode-mst";
import { ReliabilityTable } from "@arcwise/evaluate";
import type { TrainingExample } from "@arcwise/parser";
import { describe, expect, test } from "vitest";
import { calibrate, fitTemperature, type Probabilist } from "../src/calibration/calibration.ts";
import { experiments } from "./support.ts";

describe("a reliability table", () => {
  test("puts probabilities into ten bins, the upper end of each into the next one", () => {
    const table = new ReliabilityTable();
    for (const p of [0, 0.05, 0.1, 0.55, 0.95, 1]) table.add(p, true);
    expect(table.reliability().bins.map(({ count }) => count)).toEqual([2, 1, 0, 0, 0, 1, 0, 0, 0, 2]);
  });

  test("has the error of the worked example", () => {
    const table = new ReliabilityTable(2);
    // Four of 0.25, of which two came true, and one of 0.75 that did: (4 · 0.25 + 1 · 0.25) / 5.
    for (const isTrue of [true, true, false, false]) table.add(0.25, isTrue);
    table.add(0.75, true);
    const { bins, error, count } = table.reliability();
    expect(bins).toEqual([
      { from: 0, to: 0.5, count: 4, predicted: 0.25, observed: 0.5 },
      { from: 0.5, to: 1, count: 1, predicted: 0.75, observed: 1 },
    ]);
    expect(error).toBeCloseTo(0.25, 12);
    expect(count).toBe(5);
  });

  test("has error 0 when probabilities equal observed frequencies", () => {
    const table = new ReliabilityTable();
    for (let i = 0; i < 100; i++) table.add(0.37, i < 37);
    expect(table.reliability().error).toBeCloseTo(0, 12);
  });

  test("accepts rounding above 1, and refuses other values outside of [0, 1]", () => {
    const table = new ReliabilityTable();
    table.add(1 + 1e-12, true);
    expect(table.reliability().bins[9]).toMatchObject({ count: 1, predicted: 1 });
    const refused = expect.objectContaining({ code: "invalid-argument" });
    for (const p of [-0.1, 1.1, Number.NaN]) expect(() => table.add(p, true)).toThrow(refused);
    expect(() => new ReliabilityTable(0)).toThrow(refused);
  });
});

describe("trees that are drawn from a model itself", () => {
  const problems = drawnScoreSets(11)[0]!.problems(9, [], 8);
  const sampler = createTreeSampler();
  const stream = random(5);
  /** 800 "sentences", each with the number of its problem as first form, and a tree drawn by its scores. */
  const examples = problems.flatMap(({ arcs, arcScores }, index): TrainingExample[] => {
    sampler.prepare(arcs, arcScores);
    return Array.from({ length: 100 }, () => {
      const heads = new Int32Array(arcs.n + 1);
      sampler.sample(stream, heads);
      const sentence = Array.from({ length: arcs.n }, () => ({ form: `${index}` }));
      return { sentence, tree: { heads, labels: Array.from(heads, () => "") } };
    });
  });
  /** Scores of the problem, sharpened. */
  const probabilist = (sharpness: number): Probabilist => ({
    problem: (sentence) => {
      const problem = problems[Number(sentence[0]!.form)]!;
      return { ...problem, arcScores: problem.arcScores.map((score) => score * sharpness) };
    },
    decoder: mstDecoder(),
  });

  test("are calibrated at temperature 1", () => {
    const { candidates, chosen, recall } = calibrate(probabilist(1), examples, 1);
    expect(candidates.error).toBeLessThan(0.01);
    expect(chosen.error).toBeLessThan(0.04);
    expect(recall).toBe(1);
    expect(candidates.count).toBe(800 * 81);
    expect(chosen.count).toBe(800 * 9);
  });

  test("are not calibrated with sharpened scores, and are after division by the fitted temperature", () => {
    const sharp = probabilist(4);
    expect(calibrate(sharp, examples, 1).chosen.error).toBeGreaterThan(0.15);
    const temperature = fitTemperature(sharp, examples.slice(0, 300));
    expect(temperature).toBeGreaterThan(3.5);
    expect(temperature).toBeLessThan(4.5);
    expect(calibrate(sharp, examples, temperature).chosen.error).toBeLessThan(0.05);
  });

  test("a temperature needs a gold tree among the candidates", () => {
    expect(() => fitTemperature(probabilist(1), [])).toThrow(RangeError);
  });
});

test("calibration: reliability tables of chosen heads and of all arcs", async () => {
  const html = join(temporaryFolder(), "calibration.html");
  const { code, out } = await experiments([
    "calibration",
    "--treebank",
    smallTreebank(30),
    "--epochs",
    "1",
    "--html",
    html,
  ]);
  expect(code).toBe(0);
  expect(out.match(/expected calibration error \d+\.\d\d %/g)).toHaveLength(4);
  expect(out).toContain("0.9–1.0");
  expect(existsSync(html)).toBe(true);
  expect(outsideReferences(readFileSync(html, "utf8"))).toEqual([]);
});

import { scoreTree } from "@arcwise/core";
import { describe, expect, test } from "vitest";
import { createParser, type ScoreShare, type TrainOptions } from "../src/index.ts";
import { trainedParser } from "./fast-training.ts";
import { sample, withCode } from "./support.ts";

const train = sample("train").slice(0, 15);
const sentences = sample("dev")
  .slice(0, 6)
  .map(({ sentence }) => sentence);

const MODELS: readonly (readonly [string, TrainOptions, readonly ScoreShare["term"][]])[] = [
  ["of arcs", { epochs: 2 }, ["feature"]],
  ["of parts", { epochs: 1, decoder: "projective", order: 2 }, ["feature", "grandparent"]],
  ["without pruning", { epochs: 1, prune: false }, ["feature"]],
  ["with a network", { epochs: 1, network: { units: 16, epochs: 2 } }, ["feature", "network"]],
];

const sum = (shares: readonly ScoreShare[]) => shares.reduce((total, { score }) => total + score, 0);

describe.each(MODELS)("shares of a model %s", (_, options, terms) => {
  test("sum to the scores of trees, and to their differences", async () => {
    const model = await trainedParser(train, { ...options, seed: 3 });
    const parser = createParser(model);
    const found = new Set<string>();
    for (const reading of parser.read(sentences)) {
      const problem = reading.problem();
      const trees = reading.kBest(3);
      const totals = trees.map(({ heads }) => {
        const shares = reading.shares(heads);
        for (const { term } of shares) found.add(term);
        const score = scoreTree(problem, heads);
        expect(sum(shares)).toBeCloseTo(score, 8);
        return sum(shares);
      });
      for (const [i, { score }] of trees.entries()) {
        expect(totals[0]! - totals[i]!).toBeCloseTo(trees[0]!.score - score, 8);
      }
    }
    for (const term of terms) expect(found).toContain(term);
  });
});

test("shares of arcs that the pruner leaves out sum to the score of the tree with them", async () => {
  const model = await trainedParser(train, { epochs: 2, seed: 3 });
  for (const reading of createParser(model).read(sentences)) {
    const { heads: best } = reading.best();
    const { heads, score } = reading.best({ constraints: { forbiddenArcs: [[best[1]!, 1]] } });
    expect(heads[1]).not.toBe(best[1]);
    expect(sum(reading.shares(heads))).toBeCloseTo(score, 8);
  }
});

test("shares refuse what is not a tree", async () => {
  const model = await trainedParser(train, { epochs: 1, seed: 3 });
  const [reading] = createParser(model).read([sentences[0]!]);
  const { heads } = reading!.best();
  for (const wrong of [heads.subarray(1), new Int32Array(heads.length), [...heads]]) {
    expect(() => reading!.shares(wrong as Int32Array)).toThrow(withCode("invalid-argument"));
  }
});

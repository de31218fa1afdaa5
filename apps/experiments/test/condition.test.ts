import { readSplit, SAMPLE } from "@arcwise/bench/data";
import { smallTreebank } from "@arcwise/bench/testing";
import { arcIndex, checkTree, completeArcs, heads, random, SparseVector } from "@arcwise/core";
import { hillclimbDecoder } from "@arcwise/decode-hillclimb";
import { describe, expect, it } from "vitest";
import { correctable, drawPairs, drawTrees } from "../src/climbing/condition-pairs.ts";
import { conditionTask } from "../src/climbing/condition-task.ts";
import {
  climbEnds,
  climbOften,
  measureCondition,
  prepareCondition,
  trainCondition,
} from "../src/climbing/measure-condition.ts";
import { climbSentence, optimalShares } from "../src/climbing/measure-optimality.ts";
import { searchPairs } from "../src/climbing/worst-pair.ts";
import { experiments } from "./support.ts";

const options = { order: 2, epochs: 3, seed: 1, aggressiveness: 0.1 } as const;
const train = readSplit(SAMPLE, "train").slice(0, 16);
const dev = readSplit(SAMPLE, "dev").slice(0, 4);

/** Zero scores over all arcs of n words. */
function flat(n: number) {
  const arcs = completeArcs(n);
  return { arcs, arcScores: new Float64Array(arcs.head.length), parts: [] };
}

it.each([
  // Gold heads of 1, 3, 4 are below them; the gold head of 2 makes a second root word, which is allowed.
  ["0 4 1 3", "4 0 4 2", [2]],
  // A third root word is not.
  ["0 0 1 2", "0 1 0 0", [2]],
  ["2 0 2", "2 0 2", []],
  ["2 0 1", "2 0 2", [3]],
])("condition (2) is about the corrections of words: of %s with the gold tree %s", (tree, gold, words) => {
  const found = correctable(flat(tree.split(" ").length), heads(tree), heads(gold));
  expect(found).toEqual(words);
});

it.each(["climbs", "random"] as const)("drawn trees of %s are trees with one or two root words", (source) => {
  const stream = random(1);
  const problem = flat(7);
  for (let a = 0; a < problem.arcScores.length; a++) problem.arcScores[a] = stream.normal();
  for (let k = 0; k < 20; k++) {
    for (const tree of drawTrees(problem, source, stream)) {
      expect(checkTree(tree, { singleRoot: false })).toBeUndefined();
      expect(tree.filter((head) => head === 0).length).toBeLessThanOrEqual(source === "random" ? 1 : 2);
    }
    for (const pair of drawPairs(problem, heads("0 1 2 3 4 5 6"), source, stream)) {
      expect(pair.heads[pair.word]).not.toBe(pair.word - 1);
    }
  }
});

it("the search for the least gain finds the words whose gold heads score least, on scores of arcs", () => {
  const gold = heads("0 1 2 3 4");
  const stream = random(3);
  for (let k = 0; k < 20; k++) {
    const problem = flat(5);
    for (let a = 0; a < problem.arcScores.length; a++) problem.arcScores[a] = stream.normal();
    const { arcs, arcScores } = problem;
    const scoreOf = (head: number, m: number): number => arcScores[arcIndex(arcs, head, m)]!;
    // The gain of a pair is the difference of two arcs; the least of all pairs of arcs is a bound.
    let least = Infinity;
    for (let a = 0; a < arcs.head.length; a++) {
      const [m, head] = [arcs.modifier[a]!, arcs.head[a]!];
      if (head !== gold[m]) least = Math.min(least, scoreOf(gold[m]!, m) - scoreOf(head, m));
    }
    const pairs = searchPairs(problem, gold, stream);
    expect(pairs.length).toBeGreaterThan(0);
    for (const { heads: tree, word, gain } of pairs) {
      expect(checkTree(tree, { singleRoot: false })).toBeUndefined();
      expect(correctable(problem, tree, gold)).toContain(word);
      expect(gain).toBeCloseTo(scoreOf(gold[word]!, word) - scoreOf(tree[word]!, word), 9);
      expect(gain).toBeGreaterThanOrEqual(least - 1e-9);
    }
  }
});

describe("climbs against the optimum", () => {
  it("never exceed it, and find it among few trees", () => {
    const stream = random(2);
    const sentences = Array.from({ length: 12 }, (_, k) => {
      const problem = flat(3 + (k % 4));
      for (let a = 0; a < problem.arcScores.length; a++) problem.arcScores[a] = stream.normal();
      return climbSentence(problem, 20, 1);
    });
    for (const { proved, optimum, scores } of sentences) {
      expect(proved).toBe(true);
      expect(scores.every((score, k) => score >= (scores[k - 1] ?? -Infinity))).toBe(true);
      expect(scores.at(-1)!).toBeCloseTo(optimum, 9);
    }
    const lengths = ["3 4", "1 99"].map((pair) => pair.split(" ").map(Number) as [number, number]);
    const [short, all] = optimalShares(sentences, lengths, [1, 20]);
    expect([short!.sentences, all!.sentences]).toEqual([6, 12]);
    expect(all!.optimal[1]).toBe(100);
    expect(all!.optimal[0]).toBeLessThanOrEqual(100);
    expect(() => optimalShares(sentences, [[1, 99]], [21])).toThrow(RangeError);
  });

  it("leave out sentences whose optimum is not proved", () => {
    const one = { words: 5, proved: true, optimum: 2, scores: [1, 2] };
    const shares = optimalShares([one, { ...one, proved: false }, { ...one, optimum: 3 }], [[1, 9]], [1, 2]);
    expect(shares).toEqual([{ from: 1, to: 9, sentences: 2, optimal: [0, 50] }]);
  });
});

/** Scores of arcs under which the gold head of each word scores most, by the gain. */
const favouring = (gold: Int32Array, gain: number) => {
  const problem = flat(gold.length - 1);
  const { arcs, arcScores } = problem;
  for (let a = 0; a < arcScores.length; a++)
    arcScores[a] = gold[arcs.modifier[a]!] === arcs.head[a] ? gain : 0;
  return problem;
};

it("all climbs end at the gold tree where its arcs score most, and none where they score least", () => {
  const gold = heads("2 0 2 3");
  const [most, least] = [1, -1].map((gain) => climbOften(favouring(gold, gain), gold, random(1)));
  expect(climbEnds([most!])).toEqual({ atGold: 100, allAtGold: 100, allAtBest: 100 });
  expect(climbEnds([most!, least!])).toEqual({ atGold: 50, allAtGold: 50, allAtBest: 100 });
});

describe("learning condition (2)", async () => {
  const data = await prepareCondition(train, dev, options);
  const { work } = data.prepared;

  it("compares a tree with the same tree with one head and label made right", async () => {
    const task = conditionTask(work, hillclimbDecoder({ restarts: 2 }), ["climbs", "random"], 1);
    const { weights } = await trainCondition(data, { usual: true, sources: [] }, { ...options, epochs: 1 });
    for (let example = 0; example < 10; example++) {
      const { gold } = work.examples[example]!;
      const pairs = task.kBest!(example, weights, 8, false);
      expect(pairs.length).toBeGreaterThan(0);
      const margins = pairs.map((pair) => {
        const { tree, correction } = pair;
        const changed = [...tree.heads.keys()].filter((m) => tree.heads[m] !== correction!.heads[m]);
        expect(changed).toHaveLength(1);
        const [word] = changed as [number];
        expect(correction!.heads[word]).toBe(gold.heads[word]);
        expect(correction!.labels[word]).toBe(gold.labels[word]);
        const marginOf = (output: typeof pair): number => {
          const difference = new SparseVector();
          task.difference(example, output, difference);
          return difference.dot(weights);
        };
        expect(task.difference(example, pair, new SparseVector())).toBe(1);
        expect(marginOf(pair)).toBeCloseTo(marginOf({ tree }) - marginOf({ tree: correction! }), 6);
        return marginOf(pair);
      });
      // The least gains first; labels of corrections are gold here, and have the best score there.
      expect(margins[0]!).toBeLessThanOrEqual(Math.max(...margins) + 1e-6);
    }
  });

  it("raises the share of training pairs that fulfil it", async () => {
    const shares: number[] = [];
    for (const epochs of [1, 5]) {
      const losses = { usual: false, sources: ["climbs", "random"] as const };
      const { weights } = await trainCondition(data, losses, { ...options, epochs });
      const measured = measureCondition(data, weights, 1);
      expect(measured.pairs.random.pairs).toBeGreaterThan(0);
      expect(measured.needed).toBeGreaterThanOrEqual(1);
      expect(measured.endAtBest).toBeGreaterThan(0);
      expect(measured.many.uas).toBeGreaterThanOrEqual(measured.many.las);
      for (const ends of [measured.ends, measured.trainedEnds]) {
        expect(ends.atGold).toBeGreaterThanOrEqual(ends.allAtGold);
        expect(ends.allAtBest).toBeGreaterThanOrEqual(ends.allAtGold);
        expect(ends.allAtBest).toBeLessThanOrEqual(100);
      }
      shares.push(measured.trained.random.fulfilled);
    }
    expect(shares[1]).toBeGreaterThan(shares[0]!);
  });
});

it("optimality counts only the climbs that are given", async () => {
  const few = ["--quick", "--treebank", smallTreebank(8), "--order", "1", "--climbs", "3"];
  const { out, code } = await experiments(["optimality", ...few]);
  expect(code).toBe(0);
  expect(out.match(/\d+ climbs/g)).toEqual(["3 climbs"]);
});

import { arcIndex, isProjective, scoreTree } from "@arcwise/core";
import { beforeAll, describe, expect, test } from "vitest";
import { createParser, type ParserModel, type TrainOptions } from "../src/index.ts";
import { trainedParser } from "./fast-training.ts";
import { sample, TREEBANK, treesOver } from "./support.ts";

const MODELS: Readonly<Record<string, TrainOptions>> = {
  "ad3, order 1": { decoder: "ad3", prune: false },
  "ad3, order 2": { decoder: "ad3", order: 2, prune: false },
  "ad3, order 3": { decoder: "ad3", order: 3, prune: false },
  "eisner, order 3": { decoder: "eisner", order: 3, prune: false },
  "hillclimb, order 1": { decoder: "hillclimb", prune: false },
  "hillclimb, order 3": { decoder: "hillclimb", order: 3, prune: false },
  "hillclimb, features of whole trees": { decoder: "hillclimb", order: 2, global: true, prune: false },
};
const models = new Map<string, ParserModel>();

beforeAll(async () => {
  const examples = [...TREEBANK, ...sample("train").slice(0, 10)];
  for (const [name, options] of Object.entries(MODELS))
    models.set(name, await trainedParser(examples, { epochs: 1, ...options }));
});

const short = TREEBANK.map(({ sentence }) => sentence).filter(({ length }) => length <= 4);

describe.each(Object.keys(MODELS))("a parser (%s)", (name) => {
  const isProjectiveOnly = name.startsWith("eisner");
  const readings = () => {
    const parser = createParser(models.get(name)!, name.startsWith("ad3") ? { exact: true } : {});
    return parser.read(short);
  };

  test("ranks trees as an enumeration", () => {
    for (const reading of readings()) {
      const problem = reading.problem();
      const trees = treesOver(problem.arcs).filter((tree) => !isProjectiveOnly || isProjective(tree));
      const scores = trees.map((tree) => scoreTree(problem, tree));
      scores.sort((a, b) => b - a);
      const ranked = reading.kBest(1000);
      expect(ranked.length).toBe(scores.length);
      for (const [rank, { score }] of ranked.entries()) expect(score).toBeCloseTo(scores[rank]!, 6);
      expect(new Set(ranked.map(({ heads }) => String(heads))).size).toBe(scores.length);
      expect(reading.kBest(3).map(({ score }) => score)).toEqual(
        ranked.slice(0, 3).map(({ score }) => score),
      );
    }
  });

  test("gives probabilities of all arcs, and says how", () => {
    for (const reading of readings()) {
      const { method, arcs, arcProbabilities, headProbabilities, heads } = reading.marginals();
      const isExact = name.endsWith("order 1") || isProjectiveOnly;
      expect(method).toBe(isExact ? "exact" : "arcs");
      for (let m = 1; m <= arcs.n; m++) {
        const own = arcProbabilities.subarray(arcs.start[m]!, arcs.start[m + 1]!);
        expect(own.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 9);
        expect(headProbabilities[m]).toBe(arcProbabilities[arcIndex(arcs, heads[m]!, m)]);
      }
      expect(heads).toEqual(reading.best().heads);
    }
  });
});

test("probabilities of arcs beside a tree take its parts into account", () => {
  const parser = createParser(models.get("ad3, order 2")!);
  const [reading] = parser.read([short.at(-1)!]);
  const problem = reading!.problem();
  const { heads, headProbabilities } = reading!.marginals();
  // The best head of a word has the highest probability where the rest of the tree is certain.
  for (let m = 1; m < heads.length; m++) {
    const others = [...problem.arcs.head.subarray(problem.arcs.start[m]!, problem.arcs.start[m + 1]!)]
      .map((h) =>
        scoreTree(
          problem,
          heads.map((own, i) => (i === m ? h : own)),
        ),
      )
      .sort((a, b) => b - a);
    if (others[0]! - others[1]! > 5) expect(headProbabilities[m]).toBeGreaterThan(0.5);
  }
});

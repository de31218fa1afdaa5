import {
  type ArcPair,
  completeArcs,
  filterArcs,
  heads,
  NoTree,
  PART_KINDS,
  type ParsingProblem,
  partLayout,
  type Random,
  random,
  scoreTree,
  validateProblem,
} from "@arcwise/core";
import { allTrees, bestTree, rankedTrees } from "@arcwise/decoder-laws";
import { describe, expect, it } from "vitest";
import { dropPrunedArcs, eisnerDecoder, kBestTrees, mstDecoder, restrictArcs } from "../src/index.ts";
import { problemOf, tied } from "./support.ts";

/** A problem with random candidates, some of them pruned, and a table of every kind of part. */
function randomProblem(r: Random, n: number): ParsingProblem {
  const arcs = filterArcs(n, () => r.next() < 0.8);
  const arcScores = Float64Array.from(arcs.head, () => (r.next() < 0.2 ? -Infinity : r.int(9)));
  const parts = PART_KINDS.map((kind) => {
    const table = partLayout(kind, arcs);
    return { ...table, scores: table.scores.map(() => r.int(9)) };
  });
  return { arcs, arcScores, parts };
}

describe("restrictArcs", () => {
  it("decoders find the best of the trees that meet the constraints", () => {
    const r = random(21);
    const decoders = [
      { decoder: mstDecoder(), projective: false },
      { decoder: eisnerDecoder(), projective: true },
    ];
    let constrained = 0;
    for (let i = 0; i < 400; i++) {
      const n = 2 + r.int(4);
      const problem = problemOf(completeArcs(n), () => r.normal());
      const gold = allTrees(n)[r.int(n ** (n - 1))];
      const forced = pick(r, n, 0.3).map((m): ArcPair => [gold[m], m]);
      const forbidden = pick(r, n, 0.6)
        .map((m): ArcPair => [r.int(n + 1), m])
        .filter(([h, m]) => h !== m && h !== gold[m]);
      const restricted = restrictArcs(problem, { forced, forbidden });
      for (const { decoder, projective } of decoders) {
        const meeting = rankedTrees(problem, { projective }).filter(
          (tree) =>
            forced.every(([h, m]) => tree.heads[m] === h) && !forbidden.some(([h, m]) => tree.heads[m] === h),
        );
        if (meeting.length === 0) {
          expect(() => decoder.decode(restricted)).toThrow(NoTree);
          continue;
        }
        const found = decoder.decode(restricted);
        expect(tied(problem, found.heads, meeting[0].heads)).toBe(true);
        expect(found.score).toBe(scoreTree(problem, found.heads));
        if (found.score < bestTree(problem, { projective })!.score) constrained++;
        if (!projective) expect([...kBestTrees(restricted)].length).toBe(meeting.length);
      }
    }
    expect(constrained).toBeGreaterThan(200);
  });

  it("shares arcs and parts and leaves the scores of the given problem alone", () => {
    const problem = randomProblem(random(22), 4);
    const before = problem.arcScores.slice();
    const restricted = restrictArcs(problem, { forbidden: [[1, 2]] });
    expect(problem.arcScores).toEqual(before);
    expect(restricted.arcs).toBe(problem.arcs);
    expect(restricted.parts).toBe(problem.parts);
  });

  const four = problemOf(
    filterArcs(4, (h, m) => h !== 4 || m !== 1),
    (h, m) => (h === 3 && m === 1 ? -Infinity : h),
  );

  it("a whole tree may be forced, and named twice", () => {
    const forced: ArcPair[] = [
      [2, 1],
      [0, 2],
      [2, 3],
      [3, 4],
      [0, 2],
    ];
    expect(mstDecoder().decode(restrictArcs(four, { forced })).heads).toEqual(heads("2 0 2 3"));
  });

  it.each<[string, ArcPair[], ArcPair[], ErrorConstructor | typeof NoTree, RegExp]>([
    ["is not a candidate", [[4, 1]], [], NoTree, /4 -> 1 is not a candidate/],
    ["is pruned", [[3, 1]], [], NoTree, /3 -> 1 is pruned/],
    ["is forbidden too", [[2, 1]], [[2, 1]], NoTree, /2 -> 1 is forbidden/],
    [
      "is a second head",
      [
        [2, 1],
        [0, 1],
      ],
      [],
      RangeError,
      /word 1 two heads, 2 and 0/,
    ],
    ["has a head beyond the sentence", [[5, 1]], [], RangeError, /5 -> 1/],
    ["has the root as modifier", [[1, 0]], [], RangeError, /1 -> 0/],
    ["is a loop", [[1, 1]], [], RangeError, /1 -> 1/],
    ["is forbidden and beyond the sentence", [], [[1, 5]], RangeError, /forbidden arc 1 -> 5/],
    ["is not of integers", [], [[0.5, 1]], RangeError, /0.5 -> 1/],
  ])("refuses an arc that %s", (_, forced, forbidden, error, message) => {
    const attempt = () => restrictArcs(four, { forced, forbidden });
    expect(attempt).toThrow(error);
    expect(attempt).toThrow(message);
  });

  it("a cycle of forced arcs leaves no tree", () => {
    const restricted = restrictArcs(
      problemOf(completeArcs(3), () => 0),
      {
        forced: [
          [1, 2],
          [2, 1],
        ],
      },
    );
    expect(() => mstDecoder().decode(restricted)).toThrow(NoTree);
    expect(() => eisnerDecoder().decode(restricted)).toThrow(NoTree);
  });
});

describe("dropPrunedArcs", () => {
  it("gives canonical tables over the arcs that are left, and every tree its score", () => {
    const r = random(23);
    for (let i = 0; i < 60; i++) {
      const n = 1 + r.int(4);
      const before = randomProblem(r, n);
      const { problem, kept } = dropPrunedArcs(before);
      validateProblem(problem);
      expect(problem.arcScores.every((score) => score > -Infinity)).toBe(true);
      expect(kept.length).toBe(problem.arcs.head.length);
      kept.forEach((old, a) => {
        expect([problem.arcs.head[a], problem.arcs.modifier[a]]).toEqual([
          before.arcs.head[old],
          before.arcs.modifier[old],
        ]);
        expect(problem.arcScores[a]).toBe(before.arcScores[old]);
      });
      for (const tree of allTrees(n)) expect(scoreTree(problem, tree)).toBe(scoreTree(before, tree));
    }
  });

  it("keeps the tree scorer, and does without one", () => {
    const problem = problemOf(completeArcs(2), () => 0);
    const global = { name: "one", score: () => 1 };
    expect(dropPrunedArcs({ ...problem, global }).problem.global).toBe(global);
    expect("global" in dropPrunedArcs(problem).problem).toBe(false);
  });
});

/** Each word with the given probability. */
function pick(r: Random, n: number, share: number): number[] {
  return Array.from({ length: n }, (_, i) => i + 1).filter(() => r.next() < share);
}

import { arcIndex, type ParsingProblem, scoreTree, validateProblem } from "@arcwise/core";
import { eisnerDecoder, mstDecoder } from "@arcwise/decode-mst";
import { describe, expect, test } from "vitest";
import { drawnScoreSets, type ScoreSet, scoreCount } from "../src/measures/score-sets.ts";

const sets = drawnScoreSets(1);
const named = (name: string): ScoreSet => sets.find((set) => set.name === name)!;

describe.each(sets.map((set) => ({ name: set.name, set })))("the set $name", ({ set }) => {
  test("returns valid problems of the length, with the requested parts", () => {
    for (const problem of set.problems(12, ["grandparent", "triSibling"], 3)) {
      validateProblem(problem);
      expect(problem.arcs.n).toBe(12);
      expect(problem.parts.map(({ kind }) => kind)).toEqual(["grandparent", "triSibling"]);
    }
  });

  test("returns the same problems again, which differ from each other", () => {
    const [a, b] = set.problems(9, ["nextSibling"], 2);
    expect(set.problems(9, ["nextSibling"], 2)[0]).toEqual(a);
    expect(b).not.toEqual(a);
  });

  test("has a projective tree in every problem", () => {
    for (const n of [1, 2, 15, 60]) {
      for (const problem of set.problems(n, [], 3))
        expect(eisnerDecoder().decode(problem).score).toBeGreaterThan(-Infinity);
    }
  });

  test("gives fewer problems when they are large", () => {
    const count = set.problems(20, ["grandSibling"], 8).length;
    const size = scoreCount(set.problems(20, ["grandSibling"], 1)[0]!);
    expect(count).toBe(Math.max(1, Math.min(8, Math.floor(400_000 / size))));
    expect(set.problems(20, [], 8)).toHaveLength(8);
  });
});

test("another seed gives other scores", () => {
  const [one] = drawnScoreSets(1)[0]!.problems(5, [], 1);
  const [other] = drawnScoreSets(2)[0]!.problems(5, [], 1);
  expect(one!.arcScores).not.toEqual(other!.arcScores);
});

test("sparse problems have five heads per word and the heads of a tree", () => {
  const [problem] = named("sparse").problems(200, [], 1);
  const perWord = problem!.arcs.head.length / 200;
  expect(perWord).toBeGreaterThan(4);
  expect(perWord).toBeLessThanOrEqual(6);
});

/**
 * Chu-Liu/Edmonds as in a textbook, which counts its contractions: every node takes its best head, a cycle
 * becomes one node, the scores of arcs into it are reduced by the scores of the cycle's arcs that they replace.
 */
function contractions({ arcs, arcScores }: ParsingProblem): number {
  const size = arcs.n + 1;
  let scores = Array.from({ length: size }, (_, h) =>
    Array.from({ length: size }, (_, m) => {
      const arc = m === 0 || h === m ? -1 : arcIndex(arcs, h, m);
      return arc < 0 ? -Infinity : arcScores[arc]!;
    }),
  );
  for (let count = 0; ; count++) {
    const nodes = scores.length;
    const best = scores.map((_, m) => {
      let head = -1;
      for (let h = 0; h < nodes; h++)
        if (m > 0 && h !== m && (head < 0 || scores[h]![m]! > scores[head]![m]!)) head = h;
      return head;
    });
    const cycle = cycleOf(best);
    if (cycle.length === 0) return count;
    const rest = [...scores.keys()].filter((node) => !cycle.includes(node));
    const into = (h: number) => Math.max(...cycle.map((m) => scores[h]![m]! - scores[best[m]!]![m]!));
    const outOf = (m: number) => Math.max(...cycle.map((h) => scores[h]![m]!));
    const old = scores;
    scores = [...rest, -1].map((h) =>
      [...rest, -1].map((m) => {
        if (h < 0 && m < 0) return -Infinity;
        if (m < 0) return into(h);
        return h < 0 ? outOf(m) : old[h]![m]!;
      }),
    );
  }
}

function cycleOf(best: readonly number[]): number[] {
  for (let m = 1; m < best.length; m++) {
    const path: number[] = [];
    let node = m;
    while (node > 0 && !path.includes(node)) {
      path.push(node);
      node = best[node]!;
    }
    if (node > 0) return path.slice(path.indexOf(node));
  }
  return [];
}

test("in problems of the set cycles each word but one is contracted on its own", () => {
  for (const n of [2, 5, 12, 25]) {
    for (const problem of named("cycles").problems(n, [], 3)) expect(contractions(problem)).toBe(n - 1);
  }
  const [dense] = named("dense").problems(25, [], 1);
  expect(contractions(dense!)).toBeLessThan(24);
});

test("the best tree of a problem of the set cycles is found", () => {
  const [problem] = named("cycles").problems(12, [], 1);
  const { heads, score } = mstDecoder().decode(problem!);
  expect(score).toBe(scoreTree(problem!, heads));
});

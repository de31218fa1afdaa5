import {
  activeParts,
  arcIndex,
  completeArcs,
  filterArcs,
  heads,
  innerSiblings,
  MEMBERS,
  PART_KINDS,
  type ParsingProblem,
  type PartKind,
  partLayout,
  random,
  scoreTree,
} from "@arcwise/core";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { randomArcs, randomProblem, trees } from "./support.ts";

type Arc = readonly [head: number, modifier: number];

/** Modifiers of h on the side of m, nearest first, up to and without m. */
function inside(tree: Int32Array, h: number, m: number): number[] {
  const words = [...tree.keys()].filter((w) => w > 0 && tree[w] === h && w < h === m < h);
  words.sort((a, b) => Math.abs(a - h) - Math.abs(b - h));
  return words.slice(0, words.indexOf(m));
}

/** For each kind, the member lists of the parts that are on and owned by h -> m: the table in words. */
const ON: Record<PartKind, (tree: Int32Array, h: number, m: number) => (Arc | undefined)[][]> = {
  grandparent: (tree, h) => (h > 0 ? [[[tree[h], h]]] : []),
  nextSibling: (tree, h, m) => [[arcTo(h, inside(tree, h, m).at(-1))]],
  lastSibling: (tree, h, m) => {
    const farther = [...tree.keys()].some(
      (w) => w > 0 && tree[w] === h && w < h === m < h && Math.abs(w - h) > Math.abs(m - h),
    );
    return farther ? [] : [[]];
  },
  sibling: (tree, h, m) => inside(tree, h, m).map((s) => [[h, s]]),
  grandSibling: (tree, h, m) => (h > 0 ? [[[tree[h], h], arcTo(h, inside(tree, h, m).at(-1))]] : []),
  triSibling: (tree, h, m) => {
    const list = inside(tree, h, m);
    return list.length > 0 ? [[arcTo(h, list.at(-1)), arcTo(h, list.at(-2))]] : [];
  },
  headBigram: (tree, _, m) => (m > 1 ? [[[tree[m - 1], m - 1]]] : []),
  greatGrandparent: (tree, h) => (h > 0 && tree[h] > 0 ? [[[tree[h], h], above(tree, tree[h])]] : []),
  grandparentSibling: (tree, h) => {
    const g = h > 0 ? tree[h] : 0;
    return g > 0 ? [[[g, h], above(tree, g), arcTo(tree[g], inside(tree, tree[g], g).at(-1))]] : [];
  },
  outerSiblingGrandchild: (tree, h) =>
    h > 0 ? [[[tree[h], h], arcTo(tree[h], inside(tree, tree[h], h).at(-1))]] : [],
  innerSiblingGrandchild: (tree, h) => {
    if (h === 0) return [];
    const next = [...tree.keys()].find(
      (s) => s > 0 && tree[s] === tree[h] && inside(tree, tree[h], s).at(-1) === h,
    );
    return [[[tree[h], h], arcTo(tree[h], next)]];
  },
};

function above(tree: Int32Array, m: number): Arc {
  return [tree[m], m];
}

function arcTo(h: number, m: number | undefined): Arc | undefined {
  return m === undefined ? undefined : [h, m];
}

/** The score straight from the definition: parts are looked for by their members, wherever they are. */
function naiveScore(problem: ParsingProblem, tree: Int32Array): number {
  const { arcs, arcScores, parts } = problem;
  const index = (arc: Arc | undefined) => (arc === undefined ? -1 : arcIndex(arcs, ...arc));
  let score = 0;
  for (let m = 1; m < tree.length; m++) {
    const owner = arcIndex(arcs, tree[m], m);
    if (owner < 0) return -Infinity;
    score += arcScores[owner];
    for (const { kind, start, members, scores } of parts) {
      const width = MEMBERS[kind];
      for (const on of ON[kind](tree, tree[m], m)) {
        const key = on.map(index).join();
        for (let part = start[owner]; part < start[owner + 1]; part++) {
          if (members.slice(part * width, (part + 1) * width).join() === key) score += scores[part];
        }
      }
    }
  }
  return score;
}

describe("scoreTree", () => {
  test.each([...PART_KINDS.map((kind) => [kind]), [...PART_KINDS]])(
    "agrees with the definition: %s",
    (...kinds) => {
      fc.assert(
        fc.property(trees(7), fc.nat(), fc.constantFrom(0.9, 1), (tree, seed, density) => {
          const rng = random(seed);
          const problem = randomProblem(rng, randomArcs(rng, tree.length - 1, density), kinds);
          const expected = naiveScore(problem, tree);
          const score = scoreTree(problem, tree);
          if (expected === -Infinity) expect(score).toBe(-Infinity);
          else expect(score).toBeCloseTo(expected, 9);
        }),
        { numRuns: 60 },
      );
    },
  );

  it("is -Infinity when a part that is on is -Infinity, whatever the others are", () => {
    const arcs = completeArcs(3);
    const tree = heads("0 1 2");
    for (const kind of PART_KINDS) {
      const table = partLayout(kind, arcs);
      const arcScores = new Float64Array(9).fill(1e300);
      const active = activeParts(table, arcs, tree);
      table.scores.fill(-Infinity);
      for (const part of active) table.scores[part] = 5;
      expect(scoreTree({ arcs, arcScores, parts: [table] }, tree)).toBe(3e300 + 5 * active.length);
      if (active.length === 0) continue;
      table.scores[active.at(-1)!] = -Infinity;
      expect(scoreTree({ arcs, arcScores, parts: [table] }, tree)).toBe(-Infinity);
    }
  });

  it("is -Infinity when an arc is pruned or no candidate", () => {
    const arcs = completeArcs(2);
    const arcScores = Float64Array.of(1, 2, 4, 8);
    expect(scoreTree({ arcs, arcScores, parts: [] }, heads("0 1"))).toBe(9);
    arcScores[arcIndex(arcs, 1, 2)] = -Infinity;
    expect(scoreTree({ arcs, arcScores, parts: [] }, heads("0 1"))).toBe(-Infinity);
    expect(scoreTree({ arcs, arcScores, parts: [] }, heads("0 7"))).toBe(-Infinity);
    expect(scoreTree({ arcs, arcScores, parts: [] }, heads("0 2"))).toBe(-Infinity);
  });

  it("adds the global score", () => {
    const arcs = completeArcs(2);
    const global = { name: "heads as digits", score: (tree: Int32Array) => 10 * tree[1] + tree[2] };
    expect(scoreTree({ arcs, arcScores: new Float64Array(4), parts: [], global }, heads("2 0"))).toBe(20);
  });

  it("of no words is 0", () => {
    expect(scoreTree({ arcs: completeArcs(0), arcScores: new Float64Array(0), parts: [] }, heads(""))).toBe(
      0,
    );
  });

  it("wants n + 1 heads", () => {
    const problem = { arcs: completeArcs(2), arcScores: new Float64Array(4), parts: [] };
    expect(() => scoreTree(problem, heads("0"))).toThrow("heads must have 3 entries, got 2");
  });
});

describe("activeParts", () => {
  it("are the parts that scoreTree adds up", () => {
    fc.assert(
      fc.property(trees(7), fc.nat(), fc.constantFrom(...PART_KINDS), (tree, seed, kind) => {
        const problem = randomProblem(random(seed), completeArcs(tree.length - 1), [kind]);
        const table = problem.parts[0];
        let sum = scoreTree({ ...problem, parts: [] }, tree);
        for (const part of activeParts(table, problem.arcs, tree)) sum += table.scores[part];
        expect(sum).toBeCloseTo(scoreTree(problem, tree), 9);
      }),
    );
  });

  it("wants n + 1 heads that are candidates", () => {
    const arcs = filterArcs(2, (h, m) => h < m);
    const table = partLayout("grandparent", arcs);
    expect(() => activeParts(table, arcs, heads("0"))).toThrow("heads must have 3 entries, got 2");
    expect(() => activeParts(table, arcs, heads("2 0"))).toThrow("expected candidate arcs, got 2 -> 1");
  });
});

describe("innerSiblings", () => {
  test.each([
    ["0 1 1 1", [-1, -1, -1, 2, 3]],
    ["4 4 4 0 4", [-1, 2, 3, -1, -1, -1]],
    ["0 0 0", [-1, -1, 1, 2]],
  ])("of %j", (text, expected) => {
    expect([...innerSiblings(heads(text))]).toEqual(expected);
  });
});

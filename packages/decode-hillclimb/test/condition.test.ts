import { checkTree, completeArcs, type PartKind, random, scoreTree } from "@arcwise/core";
import { allTrees } from "@arcwise/decoder-laws";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ADVERSARIES, codeOf, corrections, rootsOf, type Setting, wrongHeads } from "./adversary.ts";
import { randomProblem, randomTree, valencies } from "./support.ts";

const KINDS: readonly PartKind[] = ["grandparent", "nextSibling", "lastSibling", "headBigram"];
const seeds = fc.nat(1_000_000);

/** The wrong words of a tree all of whose ancestors in the gold tree are right. */
function topmostWrong(heads: Int32Array, gold: Int32Array): number[] {
  const words = Array.from({ length: gold.length - 1 }, (_, i) => i + 1);
  return words.filter((word) => {
    if (heads[word] === gold[word]) return false;
    for (let at = gold[word]; at > 0; at = gold[at]) if (heads[at] !== gold[at]) return false;
    return true;
  });
}

describe("a tree that is not gold", () => {
  it("has a topmost wrong word, whose correction is a tree, with any number of root words", () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 1, max: 40 }), (seed, n) => {
        const rng = random(seed);
        const [gold, heads] = [randomTree(rng, n, false), randomTree(rng, n, false)];
        const words = topmostWrong(heads, gold);
        expect(words.length > 0).toBe(wrongHeads(heads, gold) > 0);
        for (const word of words) {
          const corrected = heads.slice();
          corrected[word] = gold[word];
          expect(checkTree(corrected, { singleRoot: false })).toBeUndefined();
        }
      }),
    );
  });

  it("has a correction among trees with at most two root words, where gold has one", () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 1, max: 20 }), (seed, n) => {
        const rng = random(seed);
        const [gold, heads] = [randomTree(rng, n, true), randomTree(rng, n, false)];
        fc.pre(rootsOf(heads) <= 2);
        const found = corrections(heads, { gold, maxRoots: 2 });
        expect(found.length > 0).toBe(wrongHeads(heads, gold) > 0);
      }),
    );
  });
});

describe.each([
  { trees: "all trees", singleRoot: false, maxRoots: Infinity },
  { trees: "trees with one or two root words", singleRoot: true, maxRoots: 2 },
])("condition (2) implies condition (1) for $trees", ({ singleRoot, maxRoots }) => {
  it.each(ADVERSARIES)("scores $name", ({ scores: choose }) => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 1, max: 4 }), (seed, n) => {
        const rng = random(seed);
        const gold = randomTree(rng, n, singleRoot);
        const scores = choose(rng, { gold, maxRoots });
        for (const tree of allTrees(n, { singleRoot: false })) {
          if (rootsOf(tree) > maxRoots) continue;
          expect(scores[codeOf(tree)]).toBeLessThanOrEqual(scores[codeOf(gold)] - wrongHeads(tree, gold));
        }
      }),
      { numRuns: 60 },
    );
  });
});

/** A path of corrections from a tree to gold, drawn at random. */
function pathToGold(heads: Int32Array, setting: Setting, draw: (count: number) => number): Int32Array[] {
  const path = [heads];
  for (;;) {
    const next = corrections(path.at(-1)!, setting);
    if (next.length === 0) return path;
    path.push(next[draw(next.length)]);
  }
}

describe.each([
  { singleRoot: false, maxRoots: Infinity },
  { singleRoot: true, maxRoots: 2 },
])("losses along a path of corrections, single root: $singleRoot", ({ singleRoot, maxRoots }) => {
  it("of (2) sum to at least the loss of (1), and to it where no correction gains more than 1", () => {
    let equal = 0;
    fc.assert(
      fc.property(seeds, fc.integer({ min: 1, max: 12 }), fc.constantFrom(0.01, 1, 5), (seed, n, scale) => {
        const rng = random(seed);
        const [gold, heads] = [randomTree(rng, n, singleRoot), randomTree(rng, n, singleRoot)];
        const problem = { ...randomProblem(rng, completeArcs(n), KINDS), global: valencies };
        const scoreOf = (tree: Int32Array) => scale * scoreTree(problem, tree);
        const path = pathToGold(heads, { gold, maxRoots }, (count) => rng.int(count));
        expect(path).toHaveLength(1 + wrongHeads(heads, gold));
        expect(path.at(-1)).toEqual(gold);
        const gains = path.slice(1).map((tree, k) => scoreOf(tree) - scoreOf(path[k]));
        const sum = gains.reduce((total, gain) => total + Math.max(0, 1 - gain), 0);
        const usual = Math.max(0, scoreOf(heads) + wrongHeads(heads, gold) - scoreOf(gold));
        expect(sum).toBeGreaterThanOrEqual(usual - 1e-9);
        if (gains.some((gain) => gain > 1)) return;
        expect(sum).toBeCloseTo(usual, 9);
        equal++;
      }),
    );
    expect(equal).toBeGreaterThan(0);
  });
});

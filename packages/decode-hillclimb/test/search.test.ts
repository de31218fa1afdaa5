import {
  activeParts,
  arcIndex,
  checkTree,
  completeArcs,
  heads,
  PART_KINDS,
  type ParsingProblem,
  type PartKind,
  random,
  scoreTree,
} from "@arcwise/core";
import { hillclimbDecoder } from "@arcwise/decode-hillclimb";
import { mstDecoder } from "@arcwise/decode-mst";
import { allTrees, bestTree } from "@arcwise/decoder-laws";
import { describe, expect, it, test } from "vitest";
import { arcsAround, neighbours, randomProblem, randomTree, valencies } from "./support.ts";

const THIRD_ORDER: readonly PartKind[] = [
  "grandparent",
  "nextSibling",
  "lastSibling",
  "grandSibling",
  "triSibling",
];

/**
 * The best score of all trees that differ from this one in one head, or with a single root in an exchanged
 * root word.
 */
function bestNeighbour(problem: ParsingProblem, tree: Int32Array, singleRoot: boolean): number {
  const { arcs } = problem;
  let best = -Infinity;
  const look = (changed: Int32Array) => {
    if (checkTree(changed, { singleRoot }) === undefined) best = Math.max(best, scoreTree(problem, changed));
  };
  for (let m = 1; m <= arcs.n; m++) {
    for (const arc of neighbours(arcs, tree, m)) {
      if (arcs.head[arc] === tree[m]) continue;
      const changed = tree.slice();
      changed[m] = arcs.head[arc];
      look(changed);
      if (!singleRoot || changed[m] !== 0) continue;
      const root = tree.indexOf(0);
      for (let a = arcs.start[root]; a < arcs.start[root + 1]; a++) {
        changed[root] = arcs.head[a];
        look(changed);
      }
    }
  }
  return best;
}

describe.each([
  { name: "third order", kinds: THIRD_ORDER, global: undefined },
  { name: "head bigrams and siblings", kinds: ["headBigram", "sibling"] as PartKind[], global: undefined },
  { name: "all kinds", kinds: PART_KINDS, global: undefined },
  { name: "second order and a global score", kinds: ["grandparent"] as PartKind[], global: valencies },
])("a climb ends at a local optimum: $name", ({ kinds, global }) => {
  test.each([true, false])("single root: %s", (singleRoot) => {
    const decoder = hillclimbDecoder({ singleRoot, start: "uniform", restarts: 1 });
    for (let seed = 0; seed < 12; seed++) {
      const rng = random(seed);
      const arcs = arcsAround(rng, randomTree(rng, 6 + seed, singleRoot), 0.4);
      const problem = { ...randomProblem(rng, arcs, kinds), ...(global && { global }) };
      const { heads: found, score } = decoder.decode(problem);
      expect(bestNeighbour(problem, found, singleRoot)).toBeLessThanOrEqual(score + 1e-9);
    }
  });
});

describe("the trees that a climb reports", () => {
  test.each([true, false])(
    "begin at the start and differ in one head from one to the next: %s",
    (singleRoot) => {
      for (let seed = 0; seed < 20; seed++) {
        const rng = random(seed);
        const start = randomTree(rng, 9, singleRoot);
        const arcs = arcsAround(rng, start, 0.5);
        const problem = { ...randomProblem(rng, arcs, THIRD_ORDER), arcs };
        const trees: Int32Array[] = [];
        const decoder = hillclimbDecoder({
          singleRoot,
          start: { heads: start },
          restarts: 1,
          onTree: (tree) => trees.push(tree.slice()),
        });
        const { heads: found, moves } = decoder.decodeWithReport(problem);
        expect([...trees[0]]).toEqual([...start]);
        expect([...trees.at(-1)!]).toEqual([...found]);
        // A climb that goes back to the tree before a second root word reports that tree once more.
        expect(trees.length - 1).toBeGreaterThanOrEqual(moves);
        for (const [k, tree] of trees.entries()) {
          expect(checkTree(tree, { singleRoot: false })).toBeUndefined();
          if (k === 0) continue;
          const changed = tree.filter((head, m) => head !== trees[k - 1][m]).length;
          if (trees.slice(0, k - 1).every((other) => other.join() !== tree.join())) expect(changed).toBe(1);
        }
      }
    },
  );
});

describe("local optima of arc scores", () => {
  function localOptima(problem: ParsingProblem): number {
    return allTrees(problem.arcs.n, { singleRoot: false }).filter(
      (tree) => bestNeighbour(problem, tree, false) <= scoreTree(problem, tree),
    ).length;
  }

  test.each([1, 2, 3, 4, 5])("of %i words are at most 2^(n-1)", (n) => {
    for (let seed = 0; seed < 6; seed++) {
      const problem = randomProblem(random(seed), completeArcs(n), []);
      const count = localOptima(problem);
      expect(count).toBeLessThanOrEqual(2 ** (n - 1));
      // Climbs from trees of all sorts find no other ones.
      const decoder = hillclimbDecoder({ singleRoot: false, start: "uniform", restarts: 300 });
      const { restarts, repeats, score } = decoder.decodeWithReport(problem);
      expect(restarts - repeats).toBe(count);
      expect(score).toBeCloseTo(bestTree(problem, { singleRoot: false })!.score, 9);
    }
  });
});

it("finds the best of all trees nearly always, and the best by arc scores always, on short sentences", () => {
  const decoder = hillclimbDecoder();
  let best = 0;
  for (let seed = 0; seed < 60; seed++) {
    const problem = randomProblem(random(seed), completeArcs(5), PART_KINDS);
    if (decoder.decode(problem).score >= bestTree(problem)!.score - 1e-9) best++;
    const arcsAlone = { ...problem, parts: [] };
    expect(decoder.decode(arcsAlone).score).toBeCloseTo(bestTree(arcsAlone)!.score, 9);
  }
  expect(best).toBeGreaterThanOrEqual(59);
});

it("finds the maximum spanning arborescence of longer sentences from random starts", () => {
  const exact = mstDecoder();
  const decoder = hillclimbDecoder({ start: "scores" });
  for (let seed = 0; seed < 20; seed++) {
    const rng = random(seed);
    const problem = randomProblem(rng, arcsAround(rng, randomTree(rng, 25, true), 0.16), []);
    expect(decoder.decode(problem).score).toBeCloseTo(exact.decode(problem).score, 9);
  }
});

it("scores near the largest numbers are climbed like any other", () => {
  for (let seed = 0; seed < 5; seed++) {
    const { arcs, arcScores, parts } = randomProblem(random(seed), completeArcs(5), THIRD_ORDER);
    const scale = 2 ** 1000;
    const global = { name: "huge", score: (tree: Int32Array) => scale * valencies.score(tree) };
    const scaled = {
      arcs,
      arcScores: arcScores.map((score) => scale * score),
      parts: parts.map((table) => ({ ...table, scores: table.scores.map((score) => scale * score) })),
      global,
    };
    const best = hillclimbDecoder().decode({ arcs, arcScores, parts, global: valencies });
    expect([...hillclimbDecoder().decode(scaled).heads]).toEqual([...best.heads]);
  }
});

it("of trees with parts of -Infinity it climbs to one without", () => {
  for (let seed = 0; seed < 10; seed++) {
    const rng = random(seed);
    const tree = randomTree(rng, 9, true);
    const problem = randomProblem(rng, arcsAround(rng, tree, 0.4), PART_KINDS);
    for (const table of problem.parts) {
      const kept = new Set(activeParts(table, problem.arcs, tree));
      for (let part = 0; part < table.scores.length; part++) {
        if (!kept.has(part) && rng.int(12) === 0) table.scores[part] = -Infinity;
      }
    }
    expect(hillclimbDecoder().decode(problem).score).toBeGreaterThanOrEqual(scoreTree(problem, tree) - 1e-9);
  }
});

describe("options", () => {
  const rng = random(5);
  const problems = Array.from({ length: 12 }, (_, i) =>
    randomProblem(rng, arcsAround(rng, randomTree(rng, 5 + i, true), 0.3), THIRD_ORDER),
  );
  const problem = problems.at(-1)!;

  it("the same seed gives the same trees, whichever instance decodes which sentence", () => {
    const one = hillclimbDecoder({ seed: 3, restarts: 20 });
    const two = [hillclimbDecoder({ seed: 3, restarts: 20 }), hillclimbDecoder({ seed: 3, restarts: 20 })];
    const alone = problems.map((each) => one.decodeWithReport(each));
    const shared = problems.map((each, i) => two[i % 2].decodeWithReport(each)).reverse();
    expect(shared.reverse()).toEqual(alone);
  });

  it("more restarts never find less", () => {
    const scores = [1, 2, 5, 20, 50].map((restarts) => hillclimbDecoder({ restarts }).decode(problem).score);
    expect(scores).toEqual(scores.toSorted((a, b) => a - b));
  });

  it("patience ends the search after so many climbs in vain, and time after the first", () => {
    const { restarts, best } = hillclimbDecoder({ patience: 7, restarts: 1000 }).decodeWithReport(problem);
    expect(restarts).toBe(best + 8);
    expect(hillclimbDecoder({ milliseconds: 0 }).decodeWithReport(problem).restarts).toBe(1);
  });

  it("a tree that is given is where the first climb starts", () => {
    const best = hillclimbDecoder().decodeWithReport(problem);
    const again = hillclimbDecoder({ start: { heads: best.heads }, restarts: 1 }).decodeWithReport(problem);
    expect([...again.heads]).toEqual([...best.heads]);
    expect(again.moves).toBe(0);
  });

  it("takes a temperature, and draws starts where random walks do not end", () => {
    // Words 1 and 2 prefer one another by far more than any walk leaves again.
    const arcs = completeArcs(3);
    const arcScores = new Float64Array(9);
    arcScores[arcIndex(arcs, 1, 2)] = 1e6;
    arcScores[arcIndex(arcs, 2, 1)] = 1e6;
    const { score } = hillclimbDecoder({ start: "scores", temperature: 0.5 }).decode({
      arcs,
      arcScores,
      parts: [],
    });
    expect(score).toBe(1e6);
  });

  const wrong: readonly [string, Parameters<typeof hillclimbDecoder>[0], RegExp][] = [
    [
      "a start",
      { start: "best" as "mst" },
      /start must be "mst", "scores", "uniform" or \{ heads \}, got "best"/,
    ],
    ["a temperature", { temperature: 0 }, /temperature must be "auto" or above 0, got 0/],
    ["restarts", { restarts: 0 }, /restarts must be an integer of at least 1, got 0/],
    ["patience", { patience: 0 }, /patience must be at least 1, got 0/],
    ["milliseconds", { milliseconds: Number.NaN }, /milliseconds must be at least 0, got NaN/],
    ["a seed", { seed: 0.5 }, /a seed must be a safe integer, got 0.5/],
  ];
  test.each(wrong)("%s out of range is refused", (_, options, message) => {
    expect(() => hillclimbDecoder(options)).toThrow(message);
  });

  const starts: readonly [string, RegExp][] = [
    ["0 1", /start: expected 4 heads, got 3/],
    ["0 3 2", /start: expected a tree, got/],
    ["0 1 1", /start: expected candidate arcs, got 1 -> 3/],
  ];
  test.each(starts)("the start %j is refused", (text, message) => {
    const arcs = completeArcs(3);
    const arcScores = new Float64Array(9);
    arcScores[arcIndex(arcs, 1, 3)] = -Infinity;
    const decoder = hillclimbDecoder({ start: { heads: heads(text) } });
    expect(() => decoder.decode({ arcs, arcScores, parts: [] })).toThrow(message);
  });
});

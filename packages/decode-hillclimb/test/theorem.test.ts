import {
  arcIndex,
  checkTree,
  completeArcs,
  filterArcs,
  heads,
  type ParsingProblem,
  type PartKind,
  type Random,
  random,
  scoreTree,
} from "@arcwise/core";
import { hillclimbDecoder } from "@arcwise/decode-hillclimb";
import { allTrees } from "@arcwise/decoder-laws";
import { describe, expect, it, test, vi } from "vitest";
import {
  ADVERSARIES,
  codeOf,
  corrections,
  rootsOf,
  type ScoreOfTrees,
  type Setting,
  scorerOf,
  trapAt,
  violation,
  wrongHeads,
} from "./adversary.ts";
import { randomProblem, randomTree, valencies } from "./support.ts";

/** With ARCWISE_THOROUGH=1, some 280,000 climbs instead of some 5,000. */
const THOROUGH = process.env.ARCWISE_THOROUGH !== undefined;

interface Counts {
  climbs: number;
  misses: number;
}

/** Climbs once from the start, and counts a miss unless it does what the theorem says. */
function climbOnce(problem: ParsingProblem, { gold, maxRoots }: Setting, start: Int32Array, counts: Counts) {
  const decoder = hillclimbDecoder({ singleRoot: maxRoots === 2, start: { heads: start }, restarts: 1 });
  const { heads: found, moves, rounds } = decoder.decodeWithReport(problem);
  // As many changes as wrong heads: each makes one right, none makes one wrong. A second round changes
  // nothing.
  const isRight = wrongHeads(found, gold) === 0 && moves === wrongHeads(start, gold) && rounds <= 2;
  counts.climbs++;
  if (!isRight) counts.misses++;
}

function report(name: string, { climbs, misses }: Counts): void {
  if (THOROUGH) console.log(`${name}: ${climbs} climbs, ${misses} misses`);
  expect(climbs).toBeGreaterThan(0);
  expect(misses).toBe(0);
}

function tableProblem(n: number, scores: ScoreOfTrees): ParsingProblem {
  const arcs = completeArcs(n);
  return { arcs, arcScores: new Float64Array(arcs.head.length), parts: [], global: scorerOf(scores) };
}

/** All of them, or as many as `count` drawn at random. */
function some<T>(rng: Random, all: readonly T[], count: number): readonly T[] {
  return all.length <= count ? all : Array.from({ length: count }, () => all[rng.int(all.length)]);
}

/** Number of gold trees, of starts for each, and of starts with a table of their own. */
interface Plan {
  readonly n: number;
  readonly golds: number;
  readonly starts: number;
  readonly traps: number;
}

const PLANS: readonly Plan[] = THOROUGH
  ? [
      { n: 2, golds: 3, starts: 3, traps: 3 },
      { n: 3, golds: 16, starts: 16, traps: 16 },
      { n: 4, golds: 125, starts: 125, traps: 64 },
      { n: 5, golds: 200, starts: 150, traps: 5 },
    ]
  : [
      { n: 2, golds: 3, starts: 3, traps: 3 },
      { n: 3, golds: 16, starts: 16, traps: 4 },
      { n: 4, golds: 10, starts: 24, traps: 4 },
      { n: 5, golds: 3, starts: 24, traps: 2 },
    ];
vi.setConfig({ testTimeout: THOROUGH ? 600_000 : 30_000 });

const LONG_CLIMBS = THOROUGH ? 5000 : 60;

/** A table that satisfies the condition, and a start. */
interface Case {
  readonly setting: Setting;
  readonly scores: ScoreOfTrees;
  readonly start: Int32Array;
}

/** Several starts for each table. */
function* fromTables(
  { n, golds, starts }: Plan,
  singleRoot: boolean,
  choose: (rng: Random, setting: Setting) => ScoreOfTrees,
): Generator<Case> {
  const rng = random(n);
  const trees = allTrees(n, { singleRoot });
  for (const gold of some(rng, trees, golds)) {
    const setting = { gold, maxRoots: singleRoot ? 2 : Infinity };
    const scores = choose(rng, setting);
    expect(violation(scores, setting)).toBeUndefined();
    for (const start of some(rng, trees, starts)) yield { setting, scores, start };
  }
}

/** A table for each start, which sets a trap there. */
function* fromTraps({ n, golds, traps }: Plan, singleRoot: boolean): Generator<Case> {
  const rng = random(n);
  const trees = allTrees(n, { singleRoot });
  for (const gold of some(rng, trees, golds)) {
    const setting = { gold, maxRoots: singleRoot ? 2 : Infinity };
    for (const start of some(rng, trees, traps)) {
      const scores = trapAt(rng, setting, start);
      expect(violation(scores, setting)).toBeUndefined();
      yield { setting, scores, start };
    }
  }
}

describe.each([true, false])("one round corrects every wrong head; single root: %s", (singleRoot) => {
  describe.each(ADVERSARIES)("tables of trees, $name", ({ name, scores: choose }) => {
    test.each(PLANS)("$n words", (plan) => {
      const counts = { climbs: 0, misses: 0 };
      for (const { setting, scores, start } of fromTables(plan, singleRoot, choose))
        climbOnce(tableProblem(plan.n, scores), setting, start, counts);
      report(`single root ${singleRoot}, ${name}, ${plan.n} words`, counts);
    });
  });

  test.each(PLANS)("a table that sets a trap at the start, $n words", (plan) => {
    const counts = { climbs: 0, misses: 0 };
    for (const { setting, scores, start } of fromTraps(plan, singleRoot))
      climbOnce(tableProblem(plan.n, scores), setting, start, counts);
    report(`single root ${singleRoot}, trap at the start, ${plan.n} words`, counts);
  });

  const KINDS: readonly PartKind[] = ["grandparent", "nextSibling", "lastSibling", "headBigram"];

  test.each([
    { name: "arcs and parts", global: undefined },
    { name: "arcs, parts and a global score", global: valencies },
  ])("$name, up to 30 words", ({ name, global }) => {
    const counts = { climbs: 0, misses: 0 };
    for (let seed = 1; seed <= LONG_CLIMBS; seed++) {
      const rng = random(seed);
      const n = 1 + rng.int(30);
      const setting = { gold: randomTree(rng, n, singleRoot), maxRoots: singleRoot ? 2 : Infinity };
      const start = randomTree(rng, n, singleRoot);
      const problem = { ...partProblem(rng, setting.gold, start), ...(global && { global }) };
      for (const tree of [start, randomTree(rng, n, singleRoot)]) expectRises(problem, setting, tree);
      climbOnce(problem, setting, start, counts);
    }
    report(`single root ${singleRoot}, ${name}`, counts);
  });

  /**
   * Parts of at most 1, and right arcs that are worth just more than what parts may come and go with them.
   */
  function partProblem(rng: Random, gold: Int32Array, start: Int32Array): ParsingProblem {
    const n = gold.length - 1;
    const density = [1, 0.3][rng.int(2)];
    const isNear = (h: number, m: number) => gold[m] === h || start[m] === h || rng.next() < density;
    const arcs = filterArcs(n, isNear);
    const { parts } = randomProblem(rng, arcs, KINDS);
    for (const { scores } of parts) for (let p = 0; p < scores.length; p++) scores[p] = Math.tanh(scores[p]);
    // Parts of the word itself and of its neighbours: 14; of its modifiers: 2 each. Valencies: 8.
    const margin = 1 + 14 + 2 * n + 8;
    const arcScores = Float64Array.from(arcs.head, (h, a) =>
      gold[arcs.modifier[a]] === h ? 0 : -margin - (rng.int(2) === 0 ? 0 : 1000 * rng.next()),
    );
    return { arcs, arcScores, parts };
  }

  function expectRises(problem: ParsingProblem, setting: Setting, tree: Int32Array): void {
    const isCandidate = (h: number, m: number) => m === 0 || arcIndex(problem.arcs, h, m) >= 0;
    if (!tree.every(isCandidate)) return;
    const score = scoreTree(problem, tree);
    for (const corrected of corrections(tree, setting)) {
      expect(scoreTree(problem, corrected)).toBeGreaterThanOrEqual(score + 1);
    }
  }
});

/** Climbs in the table from tree to tree with a single root, one head at a time. */
function climbWithinSingleRoots(scores: ScoreOfTrees, start: Int32Array): Int32Array {
  const heads = start.slice();
  for (let isMoved = true; isMoved; ) {
    isMoved = false;
    for (let m = 1; m < heads.length; m++) {
      let best = heads[m];
      let score = scores[codeOf(heads)];
      for (let h = 0; h < heads.length; h++) {
        heads[m] = h;
        const other = scores[codeOf(heads)];
        if (other <= score || checkTree(heads, { singleRoot: true }) !== undefined) continue;
        score = other;
        best = h;
        isMoved = true;
      }
      heads[m] = best;
    }
  }
  return heads;
}

test("climbs within trees with a single root miss gold from some of these starts", () => {
  const counts = { climbs: 0, misses: 0 };
  for (const plan of PLANS) {
    const tables = ADVERSARIES.map(({ scores }) => fromTables(plan, true, scores));
    for (const cases of [...tables, fromTraps(plan, true)]) {
      for (const { setting, scores, start } of cases) {
        counts.climbs++;
        if (wrongHeads(climbWithinSingleRoots(scores, start), setting.gold) > 0) counts.misses++;
      }
    }
  }
  if (THOROUGH) console.log(`within single roots: ${counts.climbs} climbs, ${counts.misses} misses`);
  expect(counts.misses).toBeGreaterThan(0);
});

describe("the condition", () => {
  const gold = heads("4 0 4 2");
  const stuck = heads("0 4 1 3");

  it("over single-root trees alone would say nothing: a wrong tree can score most", () => {
    const scores = trapAt(random(1), { gold, maxRoots: 2 }, stuck);
    scores[codeOf(stuck)] = 1e9;
    expect(violation(scores, { gold, maxRoots: 1 })).toBeUndefined();
    expect(violation(scores, { gold, maxRoots: 2 })).toEqual(stuck);
    expect([...hillclimbDecoder().decode(tableProblem(4, scores)).heads]).toEqual([...stuck]);
  });

  it("leaves trees that no change within single-root trees improves but that of all heads at once", () => {
    const chain = heads("0 1 2 3 4");
    const reversed = heads("2 3 4 5 0");
    const scores = trapAt(random(1), { gold: chain, maxRoots: 2 }, reversed);
    expect(violation(scores, { gold: chain, maxRoots: 2 })).toBeUndefined();
    const better = allTrees(5).filter((tree) => scores[codeOf(tree)] > scores[codeOf(reversed)]);
    expect(better).toEqual([chain]);
    expect(wrongHeads(reversed, chain)).toBe(5);
  });

  it("leaves no tree with one or two roots but gold without a correction among these", () => {
    for (const other of allTrees(4)) {
      const setting = { gold: other, maxRoots: 2 };
      const stuckTrees = allTrees(4, { singleRoot: false }).filter(
        (tree) => rootsOf(tree) <= 2 && corrections(tree, setting).length === 0,
      );
      expect(stuckTrees).toEqual([other]);
    }
  });

  it("is met where a climb within single-root trees was stuck", () => {
    const scores = trapAt(random(1), { gold, maxRoots: 2 }, stuck);
    for (const start of [heads("0 1 1 3"), stuck]) {
      const decoder = hillclimbDecoder({ start: { heads: start }, restarts: 1 });
      expect([...decoder.decode(tableProblem(4, scores)).heads]).toEqual([...gold]);
    }
  });
});

it("a climb ends with a single root, and never below its start, whatever trees with two roots score", () => {
  for (let seed = 1; seed <= 300; seed++) {
    const rng = random(seed);
    const n = 2 + rng.int(4);
    const scores = Float64Array.from({ length: (n + 1) ** n }, () => rng.normal());
    for (const tree of allTrees(n, { singleRoot: false })) {
      if (tree.indexOf(0) !== tree.lastIndexOf(0)) scores[codeOf(tree)] += 3;
    }
    const start = randomTree(rng, n, true);
    const { heads: found, score } = hillclimbDecoder({ start: { heads: start }, restarts: 1 }).decode(
      tableProblem(n, scores),
    );
    expect(found.indexOf(0)).toBe(found.lastIndexOf(0));
    expect(score).toBeGreaterThanOrEqual(scores[codeOf(start)]);
  }
});

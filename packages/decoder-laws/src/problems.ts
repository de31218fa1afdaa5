import {
  type Arcs,
  activeParts,
  arcIndex,
  filterArcs,
  type IncrementalTreeScore,
  type ParsingProblem,
  type PartKind,
  type PartTable,
  partLayout,
  type Random,
  random,
  type TreeScorer,
} from "@arcwise/core";
import { exp } from "@arcwise/core/arithmetic";
import fc from "fast-check";
import type { DrawOptions } from "./contract.ts";
import { allTrees, type TreeFamily } from "./oracle.ts";
import { partsOf } from "./transform.ts";

/** Options of `problems`. */
export interface ProblemOptions extends TreeFamily, DrawOptions {
  /** The kinds of parts that may occur; each problem has a subset. None by default. */
  readonly kinds?: readonly PartKind[] | undefined;
  /** Whether some problems have a global score; false by default. */
  readonly global?: boolean | undefined;
  /** Maximal number of words; 5 by default. */
  readonly most?: number | undefined;
  /** Whether some parts, none of the planted tree, have the score -Infinity; false by default. */
  readonly forbidden?: boolean | undefined;
}

/** Maps a drawn integer from -800 to 800 to a score. */
type Magnitude = (draw: number) => number;

const EXACT: Record<string, Magnitude> = {
  ties: (draw) => draw % 3,
  eighths: (draw) => draw / 8,
  losses: (draw) => -Math.abs(draw) / 8,
};

const MAGNITUDES: Record<NonNullable<ProblemOptions["scores"]>, Record<string, Magnitude>> = {
  exact: EXACT,
  any: {
    ...EXACT,
    decimals: (draw) => draw / 10,
    large: (draw) => (draw * 1e6) / 7,
    small: (draw) => draw * 1e-8,
    mixed: (draw) => (draw * exp(Math.LN10 * (Math.abs(draw) % 7))) / 1000,
  },
  extreme: {
    zero: (draw) => draw * 0,
    high: (draw) => 1e12 + draw * 1e6,
    low: (draw) => -1e12 + draw * 1e6,
    huge: (draw) => draw * 1e10,
    minute: (draw) => draw * 1e-12,
    greatest: (draw) => draw * 1e303,
    least: (draw) => draw * Number.MIN_VALUE,
  },
};

/** The values that fast-check draws and shrinks, from which `build` makes the problem. */
interface Draw {
  readonly n: number;
  readonly density: number;
  readonly pruning: number;
  readonly tree: number;
  readonly coins: readonly number[];
  readonly draws: readonly number[];
  readonly magnitude: string;
  readonly kinds: readonly PartKind[];
  readonly share: number;
  readonly parts: number;
  readonly global: number;
}

/**
 * Returns an arbitrary of problems for laws: complete and sparse candidates, some of them pruned, scores of
 * several magnitudes, complete part tables of some of the kinds. Arcs and their scores shrink one by one;
 * scores of parts shrink in number. A failing property prints the problem as readable text.
 */
export function problems(options: ProblemOptions = {}): fc.Arbitrary<ParsingProblem> {
  const { fewest = 1, most = 5, kinds = [], global = false, scores = "any" } = options;
  const { solvable = true, forbidden = false } = options;
  const arcs = most * most;
  const planted = new Map<number, Int32Array[]>();
  return fc
    .record<Draw>({
      n: fc.constantFrom(...lengths(fewest, most)),
      density: solvable ? fc.constantFrom(10, 10, 7, 4, 2) : fc.constantFrom(6, 4, 3, 2),
      pruning: fc.constantFrom(0, 0, 2, 5),
      tree: fc.nat(),
      coins: fc.array(fc.nat(99), { minLength: arcs, maxLength: arcs }),
      draws: fc.array(fc.integer({ min: -800, max: 800 }), { minLength: arcs, maxLength: arcs }),
      magnitude: fc.constantFrom(...Object.keys(MAGNITUDES[scores])),
      kinds: fc.subarray([...kinds]),
      share: fc.constantFrom(0, 3, 10),
      parts: fc.nat(),
      global: fc.integer({ min: global ? -3 : 0, max: global ? 3 : 0 }),
    })
    .map((draw) => {
      if (!planted.has(draw.n)) planted.set(draw.n, allTrees(draw.n, options));
      const trees = planted.get(draw.n)!;
      const tree = solvable ? trees[draw.tree % trees.length] : undefined;
      return build(draw, tree, MAGNITUDES[scores][draw.magnitude], forbidden);
    });
}

/**
 * Returns lengths to draw from, weighted to longer sentences: the shortest once, the next twice, and so on.
 */
function lengths(fewest: number, most: number): number[] {
  const list: number[] = [];
  for (let n = fewest; n <= most; n++) for (let i = fewest; i <= n; i++) list.push(n);
  return list;
}

function build(
  draw: Draw,
  tree: Int32Array | undefined,
  magnitude: Magnitude,
  forbidden: boolean,
): ParsingProblem {
  const { n, coins, draws } = draw;
  const cell = (h: number, m: number) => (m - 1) * n + (h > m ? h - 1 : h);
  const arcs = filterArcs(n, (h, m) => coins[cell(h, m)] % 10 < draw.density || tree?.[m] === h);
  const arcScores = Float64Array.from(arcs.head, (h, a) => {
    const m = arcs.modifier[a];
    const pruned = Math.floor(coins[cell(h, m)] / 10) < draw.pruning && tree?.[m] !== h;
    return pruned ? -Infinity : magnitude(draws[cell(h, m)]);
  });
  const rng = random(draw.parts);
  const parts = draw.kinds.map((kind) => {
    const table = partLayout(kind, arcs);
    for (let part = 0; part < table.scores.length; part++) {
      if (rng.int(10) < draw.share) table.scores[part] = magnitude(rng.int(1601) - 800);
    }
    if (forbidden) forbidParts(table, arcs, tree, rng);
    return table;
  });
  // Half of the global scores have an incremental scorer.
  const global = draw.global === 0 ? undefined : leaves(magnitude(8 * draw.global), draw.tree % 2 === 0);
  return printable({ arcs, arcScores, parts, global });
}

/** Sets the score of a quarter of the parts, but none of the tree, to -Infinity. */
function forbidParts(table: PartTable, arcs: Arcs, tree: Int32Array | undefined, rng: Random): void {
  const kept = new Set(tree && activeParts(table, arcs, tree));
  for (let part = 0; part < table.scores.length; part++) {
    if (rng.int(4) === 0 && !kept.has(part)) table.scores[part] = -Infinity;
  }
}

/** Returns a global score that does not depend on the order of words: `each` per word without modifiers. */
function leaves(each: number, stepwise: boolean): TreeScorer {
  const name = `${each} a leaf`;
  const score = (heads: Int32Array) => {
    const inner = new Set(heads);
    let sum = 0;
    for (let word = 1; word < heads.length; word++) if (!inner.has(word)) sum += each;
    return sum;
  };
  return stepwise
    ? { name: `${name}, step by step`, score, incremental: () => stepwiseLeaves(each, score) }
    : { name, score };
}

function stepwiseLeaves(each: number, score: TreeScorer["score"]): IncrementalTreeScore {
  let heads = new Int32Array(0);
  let modifiers = new Int32Array(0);
  return {
    reset(tree) {
      heads = tree.slice();
      modifiers = new Int32Array(tree.length);
      for (let word = 1; word < tree.length; word++) modifiers[tree[word]]++;
      return score(tree);
    },
    deltas(m, candidates, count, out) {
      const h = heads[m];
      for (let k = 0; k < count; k++) {
        const head = candidates[k];
        const loses = h > 0 && modifiers[h] === 1 ? each : 0;
        const gains = head > 0 && modifiers[head] === 0 ? -each : 0;
        out[k] = head === h ? 0 : loses + gains;
      }
    },
    move(m, head) {
      modifiers[heads[m]]--;
      modifiers[head]++;
      heads[m] = head;
    },
  };
}

function printable(problem: ParsingProblem): ParsingProblem {
  return Object.defineProperty(problem, fc.toStringMethod, {
    value: () => describeProblem(problem),
    enumerable: false,
  });
}

/** Describes a problem as text: each candidate arc with its score, and the parts with non-zero scores. */
export function describeProblem(problem: ParsingProblem): string {
  const { arcs, arcScores, parts, global } = problem;
  const arcName = (arc: number) => (arc < 0 ? "none" : `${arcs.head[arc]}->${arcs.modifier[arc]}`);
  const lines = [`${arcs.n} words; ${Array.from(arcScores, (s, a) => `${arcName(a)}: ${s}`).join(", ")}`];
  for (const table of parts) {
    const scored = partsOf(table).filter(({ part }) => table.scores[part] !== 0);
    const list = scored.map(
      ({ part, owner, members }) => `${[owner, ...members].map(arcName).join(" ")}: ${table.scores[part]}`,
    );
    lines.push(`${table.kind}: ${list.length > 0 ? list.join(", ") : "all 0"}`);
  }
  if (global !== undefined) lines.push(`global: ${global.name}`);
  return lines.join("\n");
}

/** A problem whose best tree is known. */
export interface Planted {
  readonly problem: ParsingProblem;
  /** The only tree of highest score. */
  readonly heads: Int32Array;
}

/**
 * Returns a problem too large for enumeration whose best tree is known: each of its arcs scores more than the
 * maximal sum of all other arcs and parts of a tree. A third of the other arcs are candidates.
 */
export function plantedProblem(
  n: number,
  seed: number,
  kinds: readonly PartKind[],
  family: TreeFamily,
): Planted {
  const rng = random(seed);
  const heads = family.projective ? mergedTree(n, seed) : attachedTree(n, seed);
  const arcs = filterArcs(n, (h, m) => heads[m] === h || rng.int(3) === 0);
  // Arcs and each kind of part add at most 1 per word, siblings at most 1 per pair of words.
  const noise = n * (kinds.length + 1) + (n * n) / 2;
  const noiseScores = (count: number) => Float64Array.from({ length: count }, () => 2 * rng.next() - 1);
  const arcScores = noiseScores(arcs.head.length);
  for (let m = 1; m <= n; m++) arcScores[arcIndex(arcs, heads[m], m)] += 2 * noise + 1;
  const parts = kinds.map((kind) => {
    const layout = partLayout(kind, arcs);
    return { ...layout, scores: noiseScores(layout.scores.length) };
  });
  return { problem: { arcs, arcScores, parts }, heads };
}

/** Returns a random tree with a single root: words in random order, each attached to one before it. */
function attachedTree(n: number, seed: number): Int32Array {
  const rng = random(seed).fork(1);
  const order = rng.shuffle(Array.from({ length: n }, (_, i) => i + 1));
  const heads = new Int32Array(n + 1).fill(-1);
  order.forEach((word, i) => {
    heads[word] = i === 0 ? 0 : order[rng.int(i)];
  });
  return heads;
}

/**
 * Returns a random projective tree with a single root, by joining neighbouring subtrees until one is left.
 */
function mergedTree(n: number, seed: number): Int32Array {
  const rng = random(seed).fork(1);
  const tops = Array.from({ length: n }, (_, i) => i + 1);
  const heads = new Int32Array(n + 1).fill(-1);
  while (tops.length > 1) {
    const at = rng.int(tops.length - 1);
    const [keep, drop] = rng.int(2) === 0 ? [at, at + 1] : [at + 1, at];
    heads[tops[drop]] = tops[keep];
    tops.splice(drop, 1);
  }
  if (n > 0) heads[tops[0]] = 0;
  return heads;
}

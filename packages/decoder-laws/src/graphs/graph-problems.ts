import {
  type ArcLabels,
  type Arcs,
  CHAIN_KINDS,
  type ChainKind,
  chainLayout,
  emptyChainScores,
  filterArcs,
  GRAPH_CONSTRAINTS,
  GRAPH_PART_KINDS,
  type GraphConstraints,
  type GraphHandled,
  type GraphPartKind,
  type GraphPartTable,
  type GraphProblem,
  isPairTable,
  type PairKind,
  type PairTable,
  type Random,
  random,
} from "@arcwise/core";
import { power } from "@arcwise/core/arithmetic";
import fc from "fast-check";
import type { DrawOptions } from "../contract.ts";
import { bestGraph } from "./graph-oracle.ts";

/** Options of `graphProblems`. */
export interface GraphProblemOptions extends DrawOptions {
  /** Contents in addition to predicates, arcs and labels, of which each problem has a subset; none by default. */
  readonly handles?: Iterable<GraphHandled> | undefined;
  /** Maximal number of words; 4 by default. */
  readonly words?: number | undefined;
  /** Maximal number of arcs; 7 by default. */
  readonly arcs?: number | undefined;
}

/** Maps a drawn number from -1 to 1 to a score. */
type Magnitude = (draw: number) => number;

const EXACT: Record<string, Magnitude> = {
  ties: (draw) => Math.round(2 * draw),
  eighths: (draw) => Math.round(80 * draw) / 8,
};

const MAGNITUDES: Record<NonNullable<GraphProblemOptions["scores"]>, Record<string, Magnitude>> = {
  exact: EXACT,
  any: {
    ...EXACT,
    decimals: (draw) => 5 * draw,
    large: (draw) => 1e7 * draw,
    small: (draw) => 1e-6 * draw,
    mixed: (draw) => draw * power(10, Math.floor(Math.abs(draw) * 1000) % 5),
  },
  extreme: {
    zero: () => 0,
    high: (draw) => 1e12 + 1e6 * draw,
    low: (draw) => -1e12 + 1e6 * draw,
    minute: (draw) => 1e-12 * draw,
    greatest: (draw) => 1e297 * draw,
    least: (draw) => 1e-300 * draw,
  },
};

/** The values that fast-check draws and shrinks. */
interface Draw {
  readonly words: number;
  readonly arcs: number;
  readonly labels: number;
  readonly seed: number;
  readonly magnitude: string;
  readonly pruning: number;
  readonly handles: readonly GraphHandled[];
}

/**
 * Returns an arbitrary of problems of graphs for laws. They have few arcs, so that all graphs can be
 * enumerated, some of them pruned, scores of several magnitudes, and part tables, unique labels and
 * constraints of a subset of what the decoder handles. A problem is a function of its numbers of words and
 * arcs and a seed, so that counterexamples shrink to few words and arcs.
 */
export function graphProblems(options: GraphProblemOptions = {}): fc.Arbitrary<GraphProblem> {
  const { fewest = 1, words = 4, arcs = 7, scores = "any", solvable = true } = options;
  return fc
    .record<Draw>({
      words: fc.integer({ min: fewest, max: words }),
      arcs: fc.integer({ min: 0, max: arcs }),
      labels: fc.integer({ min: 1, max: 3 }),
      seed: fc.nat(),
      magnitude: fc.constantFrom(...Object.keys(MAGNITUDES[scores])),
      pruning: fc.constantFrom(0, 0, 0.1, 0.3),
      handles: fc.subarray([...(options.handles ?? [])]),
    })
    .map((draw) => {
      const problem = build(draw, MAGNITUDES[scores][draw.magnitude]);
      const isKept = !solvable || problem.constraints === undefined || bestGraph(problem) !== undefined;
      const { constraints: _, ...free } = problem;
      return printable(isKept ? problem : free);
    });
}

function build(
  { words: n, arcs: count, seed, pruning, handles, labels }: Draw,
  scoreOf: Magnitude,
): GraphProblem {
  const rng = random(seed);
  const draw = (): number => scoreOf(2 * rng.next() - 1);
  const isPruned = (): boolean => rng.next() < pruning;
  const arcs = drawArcs(n, count, rng);
  const arcScores = Float64Array.from(arcs.head, () => (isPruned() ? -Infinity : draw()));
  // Most predicates have negative scores, so that arcs decide.
  const predicateScores = Float64Array.from({ length: n + 1 }, (_, w) =>
    w === 0 ? 0 : isPruned() ? -Infinity : rng.int(2) === 0 ? draw() : -Math.abs(draw()),
  );
  const constraints = drawConstraints(handles, rng);
  return {
    arcs,
    arcScores,
    predicateScores,
    labels: drawLabels(arcs, labels, rng, () => (isPruned() ? -Infinity : draw())),
    unique: Uint8Array.from({ length: labels }, () => (handles.includes("unique") ? rng.int(2) : 0)),
    parts: GRAPH_PART_KINDS.filter((kind) => handles.includes(kind)).map((kind) =>
      drawTable(kind, arcs, rng, draw),
    ),
    constraints,
  };
}

/** Draws `count` arcs, the arcs of a random tree first. */
function drawArcs(n: number, count: number, rng: Random): Arcs {
  const order = rng.shuffle(Array.from({ length: n }, (_, i) => i + 1));
  const chosen = new Set<string>();
  order.forEach((word, i) => {
    if (chosen.size < count) chosen.add(`${i === 0 ? 0 : order[rng.int(i)]} ${word}`);
  });
  const others = rng.shuffle(
    Array.from({ length: (n + 1) * n }, (_, i) => [Math.floor(i / n), 1 + (i % n)] as const),
  );
  for (const [h, m] of others) if (chosen.size < count && h !== m) chosen.add(`${h} ${m}`);
  return filterArcs(n, (h, m) => chosen.has(`${h} ${m}`));
}

/** Draws one or more labels per arc, limiting the number of graphs. */
function drawLabels({ head }: Arcs, count: number, rng: Random, draw: () => number): ArcLabels {
  const start = new Int32Array(head.length + 1);
  const label: number[] = [];
  let graphs = 2 ** head.length;
  for (let a = 0; a < head.length; a++) {
    const first = rng.int(count);
    for (let l = 0; l < count; l++) {
      const isMore = l !== first && rng.int(2) === 0 && graphs < 1000;
      if (isMore) graphs *= 1.5;
      if (l === first || isMore) label.push(l);
    }
    start[a + 1] = label.length;
  }
  return { count, start, label: Int32Array.from(label), scores: Float64Array.from(label, draw) };
}

function drawConstraints(handles: readonly GraphHandled[], rng: Random): GraphConstraints | undefined {
  const asked = GRAPH_CONSTRAINTS.filter((name) => handles.includes(name) && rng.int(2) === 0);
  return asked.length === 0 ? undefined : Object.fromEntries(asked.map((name) => [name, true]));
}

function drawTable(kind: GraphPartKind, arcs: Arcs, rng: Random, draw: () => number): GraphPartTable {
  const share = 1 + rng.int(3);
  if (isChainKind(kind)) {
    const table = chainLayout(kind, arcs);
    const next = (): number => (rng.int(3) < share ? draw() : 0);
    const scores = Array.from(table.scores, next);
    const hasEmpty = rng.fork(CHAIN_KINDS.indexOf(kind)).int(2) === 0;
    if (hasEmpty) for (let chain = 0; chain < 2 * (arcs.n + 1); chain++) scores.push(next());
    return { ...table, scores: Float64Array.from(scores) };
  }
  const all = pairTable(kind, arcs);
  const kept = all.map(() => rng.int(3) < share);
  const pairs = all.filter((_, p) => kept[p]);
  return {
    kind,
    first: Int32Array.from(pairs, ([first]) => first),
    second: Int32Array.from(pairs, ([, second]) => second),
    scores: Float64Array.from(pairs, draw),
  };
}

function isChainKind(kind: GraphPartKind): kind is ChainKind {
  return (CHAIN_KINDS as readonly string[]).includes(kind);
}

/** Returns all pairs of arcs that are parts of a kind, ascending. O(arcs²). */
export function pairTable(kind: PairKind, { head, modifier }: Arcs): (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = [];
  for (let a = 0; a < head.length; a++) {
    for (let b = 0; b < head.length; b++) {
      const fits =
        kind === "grandparent"
          ? modifier[a] === head[b]
          : kind === "sibling"
            ? head[a] === head[b] && modifier[a] < modifier[b]
            : modifier[a] === modifier[b] && head[a] < head[b];
      if (fits) pairs.push([a, b]);
    }
  }
  return pairs;
}

function printable(problem: GraphProblem): GraphProblem {
  return Object.defineProperty(problem, fc.toStringMethod, {
    value: () => describeGraphProblem(problem),
    enumerable: false,
  });
}

/**
 * Describes a problem of graphs as text: predicates, arcs with their labels, parts with non-zero scores,
 * constraints.
 */
export function describeGraphProblem(problem: GraphProblem): string {
  const { arcs, arcScores, predicateScores, labels, unique, parts, constraints } = problem;
  const nameOf = (arc: number): string => `${arcs.head[arc]}->${arcs.modifier[arc]}`;
  const list = Array.from(arcScores, (score, a) => {
    const from = labels.start[a];
    const own = [...labels.label.subarray(from, labels.start[a + 1])];
    const labelled = own.map((label, i) => `${label}: ${labels.scores[from + i]}`);
    return `${nameOf(a)}: ${score} (${labelled.join(", ")})`;
  });
  const lines = [
    `${arcs.n} words; predicates ${predicateScores.join(" ")}; unique ${unique.join("")}`,
    list.join(", "),
  ];
  for (const table of parts) lines.push(`${table.kind}: ${describeTable(table, nameOf)}`);
  if (constraints !== undefined) lines.push(Object.keys(constraints).join(", "));
  return lines.join("\n");
}

function describeTable(table: GraphPartTable, nameOf: (arc: number) => string): string {
  if (isPairTable(table)) return describePairs(table, nameOf);
  const list: string[] = [];
  for (let a = 0; a + 1 < table.start.length; a++) {
    list.push(`${nameOf(a)} ${[...table.scores.subarray(table.start[a], table.start[a + 1])].join(" ")}`);
  }
  if (emptyChainScores(table).length > 0) list.push(`empty ${emptyChainScores(table).join(" ")}`);
  return list.join(", ");
}

function describePairs({ first, second, scores }: PairTable, nameOf: (arc: number) => string): string {
  return Array.from(scores, (score, p) => `${nameOf(first[p])} ${nameOf(second[p])}: ${score}`).join(", ");
}

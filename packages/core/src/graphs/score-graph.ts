import { emptyChainScores, graphChains } from "./chains.ts";
import type {
  ChainTable,
  GraphChoice,
  GraphConstraints,
  GraphPartTable,
  GraphProblem,
  PairTable,
} from "./graph-problem.ts";

/**
 * Returns the score of a graph: the sum over its predicates, arcs, labels and the parts that are on in it.
 * All decoders of graphs maximise it. `-Infinity` when the graph uses something that is pruned, has an arc
 * without its predicate, a unique label twice at one predicate, or breaks a constraint.
 *
 * Cost: O(n + arcs + parts).
 *
 * @throws RangeError when the arrays of the graph have other sizes than the problem's
 */
export function scoreGraph(problem: GraphProblem, choice: GraphChoice): number {
  const { arcs, arcScores, predicateScores, labels, parts, constraints } = problem;
  const { predicates, labelled } = choice;
  const count = arcs.head.length;
  if (predicates.length !== arcs.n + 1 || labelled.length !== count) {
    throw new RangeError(
      `expected ${arcs.n + 1} predicates and ${count} arcs, got ${predicates.length} and ${labelled.length}`,
    );
  }
  if (predicates[0] !== 1) return -Infinity;
  let score = 0;
  for (let w = 1; w <= arcs.n; w++) if (predicates[w] === 1) score += predicateScores[w];
  for (let a = 0; a < count; a++) {
    const chosen = labelled[a];
    if (chosen < 0) continue;
    if (chosen < labels.start[a] || chosen >= labels.start[a + 1]) return -Infinity;
    if (predicates[arcs.head[a]] !== 1) return -Infinity;
    score += arcScores[a] + labels.scores[chosen];
  }
  if (repeatsUnique(problem, labelled)) return -Infinity;
  for (const table of parts) score += scoreTable(problem, table, labelled);
  return constraints === undefined || meetsConstraints(problem, labelled, constraints) ? score : -Infinity;
}

/** Whether a predicate has two arcs with the same unique label. */
function repeatsUnique({ arcs, labels, unique }: GraphProblem, labelled: Int32Array): boolean {
  if (!unique.includes(1)) return false;
  const seen = new Uint8Array((arcs.n + 1) * labels.count);
  for (let a = 0; a < labelled.length; a++) {
    if (labelled[a] < 0) continue;
    const label = labels.label[labelled[a]];
    if (unique[label] === 0) continue;
    const at = arcs.head[a] * labels.count + label;
    if (seen[at] === 1) return true;
    seen[at] = 1;
  }
  return false;
}

function scoreTable(problem: GraphProblem, table: GraphPartTable, labelled: Int32Array): number {
  return isPairTable(table) ? scorePairs(table, labelled) : scoreChains(problem, table, labelled);
}

/** Whether a table holds pairs, not chains. */
export function isPairTable(table: GraphPartTable): table is PairTable {
  return "first" in table;
}

function scorePairs({ first, second, scores }: PairTable, labelled: Int32Array): number {
  let score = 0;
  for (let p = 0; p < scores.length; p++) {
    if (labelled[first[p]] >= 0 && labelled[second[p]] >= 0) score += scores[p];
  }
  return score;
}

function scoreChains({ arcs }: GraphProblem, table: ChainTable, labelled: Int32Array): number {
  const chains = graphChains(table.kind, arcs);
  const empty = emptyChainScores(table);
  let score = 0;
  for (let chain = 0; chain + 1 < chains.start.length; chain++) {
    let last = -1;
    for (let k = chains.start[chain]; k < chains.start[chain + 1]; k++) {
      const arc = chains.arcs[k];
      if (labelled[arc] < 0) continue;
      score += table.scores[table.start[arc] + (last < 0 ? 0 : 1 + chains.rank[last])];
      last = arc;
    }
    score += last < 0 ? (empty[chain] ?? 0) : table.scores[table.start[last] + chains.rank[last] + 1];
  }
  return score;
}

/** Whether a graph meets constraints. O(n + arcs). */
export function meetsConstraints(
  { arcs }: GraphProblem,
  labelled: Int32Array,
  { headed, acyclic, connected, spanningTree }: GraphConstraints,
): boolean {
  const { n, start, head } = arcs;
  const headsOf = Array.from({ length: n + 1 }, (_, m) =>
    [...head.subarray(start[m], start[m + 1])].filter((_h, k) => labelled[start[m] + k] >= 0),
  );
  if (headed && headsOf.some((heads, m) => m > 0 && heads.length === 0)) return false;
  if (acyclic && hasCycle(headsOf)) return false;
  if (connected && !isConnected(headsOf)) return false;
  return !spanningTree || reachedFromRoot(headsOf) === n + 1;
}

/** Whether a word is reachable from itself (Kahn 1962). */
function hasCycle(headsOf: readonly (readonly number[])[]): boolean {
  const left = headsOf.map((heads) => heads.length);
  const modifiers = modifiersFrom(headsOf);
  const free = left.flatMap((count, w) => (count === 0 ? [w] : []));
  let removed = 0;
  for (let w = free.pop(); w !== undefined; w = free.pop()) {
    removed++;
    for (const m of modifiers[w]) if (--left[m] === 0) free.push(m);
  }
  return removed < headsOf.length;
}

/** Whether all words that have an arc to another word form one component, whatever the directions. */
function isConnected(headsOf: readonly (readonly number[])[]): boolean {
  const neighbours: number[][] = headsOf.map(() => []);
  for (const [m, heads] of headsOf.entries()) {
    for (const h of heads) {
      if (h === 0) continue;
      neighbours[h].push(m);
      neighbours[m].push(h);
    }
  }
  const active = neighbours.flatMap((list, w) => (list.length > 0 ? [w] : []));
  return active.length === 0 || reached(neighbours, active[0]) === active.length;
}

function reachedFromRoot(headsOf: readonly (readonly number[])[]): number {
  return reached(modifiersFrom(headsOf), 0);
}

function modifiersFrom(headsOf: readonly (readonly number[])[]): number[][] {
  const modifiers: number[][] = headsOf.map(() => []);
  for (const [m, heads] of headsOf.entries()) for (const h of heads) modifiers[h].push(m);
  return modifiers;
}

/** Returns the number of nodes reachable from one, including itself. */
function reached(next: readonly (readonly number[])[], from: number): number {
  const seen = new Set([from]);
  const open = [from];
  for (let w = open.pop(); w !== undefined; w = open.pop()) {
    for (const other of next[w]) {
      if (seen.has(other)) continue;
      seen.add(other);
      open.push(other);
    }
  }
  return seen.size;
}

import { type Arcs, arcIndex, NoTree, type Random } from "@arcwise/core";
import { exp } from "@arcwise/core/arithmetic";
import { LARGEST, largestOf } from "../arborescence/score-range.ts";
import type { TreeOptions } from "../options.ts";
import { createMatrixTree } from "../sums/matrix-tree.ts";
import { checkArcScores } from "../sums/tree-distribution.ts";
import { createEliminationSampler } from "./sampling-elimination.ts";

/** Draws trees with probability proportional to exp(score / temperature). Handles one sentence at a time. */
export interface TreeSampler {
  /**
   * Prepares for a sentence. The arrays must not change until its last tree is drawn.
   *
   * @throws NoTree when the arcs that are not pruned contain no tree
   * @throws RangeError when a score is NaN or +Infinity, or the arrays do not fit each other
   */
  prepare(arcs: Arcs, arcScores: Float64Array): void;
  /**
   * Draws a tree, independent of all others, and writes its heads (`heads[0] = -1`).
   *
   * @throws RangeError when `heads` does not have n + 1 entries
   */
  sample(stream: Random, heads: Int32Array): void;
}

/** Options of `createTreeSampler`. */
export interface TreeSamplerOptions extends TreeOptions {
  /**
   * Scores are divided by it: values above 1 flatten the distribution, `Infinity` makes it uniform. Default:
   * 1.
   */
  readonly temperature?: number | undefined;
  /** Maximum number of steps of a random walk before another exact method is used. Default: n³ + 1,000. */
  readonly maxSteps?: number | undefined;
}

/**
 * Makes an exact sampler of all trees, projective or not.
 *
 * With several roots: the random walk of Wilson (1996). Each word outside of the tree walks from head to
 * head, erasing the loops it makes, until it meets the tree. With a single root, the root's modifier is drawn
 * by its marginal probability first and Wilson's walk continues from there (Zmigrod, Vieira and Cotterell
 * 2021).
 *
 * A walk takes the mean hitting time of the root, often a few n steps but exponential in the gap between
 * scores where a group of words prefers one another as heads. After `maxSteps` the walk is abandoned and the
 * tree is drawn by eliminating words and reinserting them (see `createEliminationSampler`): O(n³), then about
 * O(n² log n) per tree. The distribution stays exact, because the loops that a walk erases are independent of
 * the tree that it leaves (Propp and Wilson 1998).
 *
 * Preparing is O(n³) with a single root and O(n² log n) with several; each step of a walk O(1) (alias tables,
 * Walker 1977, Vose 1991).
 *
 * @throws RangeError when the temperature is not above 0
 */
export function createTreeSampler(options: TreeSamplerOptions = {}): TreeSampler {
  const singleRoot = options.singleRoot ?? true;
  const temperature = checkTemperature(options.temperature);
  const sums = createMatrixTree({ singleRoot: true });
  const elimination = createEliminationSampler();
  const walk: Walk = { next: new Int32Array(0), inTree: new Uint8Array(0) };
  const table = createAliasTable();
  let arcs: Arcs | undefined;
  let scores = new Float64Array(0);
  let marginals = new Float64Array(0);
  let maxSteps = 0;

  function prepare(candidates: Arcs, arcScores: Float64Array): void {
    checkArcScores(candidates, arcScores);
    const { n, head } = candidates;
    arcs = undefined;
    if (scores.length !== head.length) scores = new Float64Array(head.length);
    coolScores(arcScores, temperature, scores);
    if (singleRoot) {
      if (marginals.length !== head.length) marginals = new Float64Array(head.length);
      sums.marginals(candidates, scores, marginals);
    } else requireReachable(candidates, scores);
    fillAliasTable(table, candidates, scores, singleRoot);
    if (walk.next.length <= n) {
      walk.next = new Int32Array(2 * n + 1);
      walk.inTree = new Uint8Array(2 * n + 1);
    }
    maxSteps = options.maxSteps ?? n * n * n + 1000;
    arcs = candidates;
    elimination.forget();
  }

  function sample(stream: Random, heads: Int32Array): void {
    if (arcs === undefined) throw new RangeError("prepare a sentence before drawing trees");
    const { n } = arcs;
    checkHeads(heads, n);
    const top = singleRoot && n > 0 ? drawRoot(arcs, marginals, stream) : 0;
    heads[0] = -1;
    if (!wilson(walk, table, n, top, stream, maxSteps)) {
      elimination.prepare(arcs, scores, top);
      elimination.sample(stream, heads);
      return;
    }
    for (let m = 1; m <= n; m++) heads[m] = m === top ? 0 : walk.next[m];
  }

  return { prepare, sample };
}

export function checkTemperature(temperature = 1): number {
  if (!(temperature > 0)) throw new RangeError(`the temperature must be above 0, got ${temperature}`);
  return temperature;
}

export function checkHeads(heads: Int32Array, n: number): void {
  if (heads.length !== n + 1) throw new RangeError(`heads must have ${n + 1} entries, got ${heads.length}`);
}

/**
 * Divides scores by the temperature, which may be infinite, or by as much as sums of the results need; pruned arcs
 * stay pruned.
 */
export function coolScores(arcScores: Float64Array, temperature: number, scores: Float64Array): void {
  const divisor = Math.max(temperature, largestOf(arcScores) / LARGEST);
  for (let a = 0; a < scores.length; a++) {
    scores[a] = arcScores[a] === -Infinity ? -Infinity : arcScores[a] / divisor;
  }
}

/**
 * Checks, for several roots, that the root reaches every word: then and only then there is a tree. O(n² log
 * n).
 */
function requireReachable(arcs: Arcs, scores: Float64Array): void {
  const { n } = arcs;
  const reached = new Uint8Array(n + 1);
  const queue = new Int32Array(n + 1);
  let filled = 1;
  for (let next = 0; next < filled; next++) {
    for (let m = 1; m <= n; m++) {
      if (reached[m] === 1) continue;
      const arc = arcIndex(arcs, queue[next], m);
      if (arc < 0 || scores[arc] === -Infinity) continue;
      reached[m] = 1;
      queue[filled++] = m;
    }
  }
  if (filled <= n) throw new NoTree("tree sampler", `the root reaches ${filled - 1} of ${n} words`);
}

/** Returns the root's modifier, by the marginals of the root arcs. O(n log n). */
function drawRoot(arcs: Arcs, marginals: Float64Array, stream: Random): number {
  let left = stream.next();
  let last = 0;
  for (let m = 1; m <= arcs.n; m++) {
    // The root is the first head of a modifier, if it is a candidate.
    const a = arcs.start[m];
    if (a === arcs.start[m + 1] || arcs.head[a] !== 0 || marginals[a] === 0) continue;
    last = m;
    left -= marginals[a];
    if (left < 0) break;
  }
  return last;
}

/**
 * Heads of each modifier as an alias table: draw one of the arcs first[m] .. first[m] + count[m] - 1
 * uniformly, and take its head with probability `keep`, else `head[other]`.
 */
interface AliasTable {
  first: Int32Array;
  count: Int32Array;
  keep: Float64Array;
  /** Head of the arc itself, and the head to take instead. */
  head: Int32Array;
  other: Int32Array;
  queue: Int32Array;
}

function createAliasTable(): AliasTable {
  const none = new Int32Array(0);
  return { first: none, count: none, keep: new Float64Array(0), head: none, other: none, queue: none };
}

function fillAliasTable(table: AliasTable, arcs: Arcs, scores: Float64Array, skipRoot: boolean): void {
  const { n, start, head } = arcs;
  if (table.keep.length < head.length) {
    table.keep = new Float64Array(2 * head.length);
    table.other = new Int32Array(2 * head.length);
  }
  if (table.first.length <= n + 1) {
    table.first = new Int32Array(2 * n + 2);
    table.count = new Int32Array(2 * n + 2);
    table.queue = new Int32Array(2 * n + 2);
  }
  table.head = head;
  for (let m = 1; m <= n; m++) {
    const skip = skipRoot && start[m] < start[m + 1] && head[start[m]] === 0 ? 1 : 0;
    table.first[m] = start[m] + skip;
    table.count[m] = start[m + 1] - start[m] - skip;
    fillAliases(table, scores, table.first[m], table.count[m]);
  }
}

/** Vose's construction: fills each arc below its even share from one that is above. O(count). */
function fillAliases(table: AliasTable, scores: Float64Array, first: number, count: number): void {
  const { keep, head, other, queue } = table;
  let best = -Infinity;
  for (let a = first; a < first + count; a++) if (scores[a] > best) best = scores[a];
  if (best === -Infinity) return;
  let sum = 0;
  for (let a = first; a < first + count; a++) sum += exp(scores[a] - best);
  // Arcs below their even share wait from the front of the queue, the others from its back.
  let poor = 0;
  let rich = count;
  for (let a = first; a < first + count; a++) {
    keep[a] = (exp(scores[a] - best) / sum) * count;
    other[a] = head[a];
    if (keep[a] < 1) queue[poor++] = a;
    else queue[--rich] = a;
  }
  while (poor > 0 && rich < count) {
    const from = queue[rich];
    const to = queue[--poor];
    other[to] = head[from];
    keep[from] = keep[from] - (1 - keep[to]);
    if (keep[from] >= 1) continue;
    rich++;
    queue[poor++] = from;
  }
  // The remaining arcs have their even share up to rounding, and are their own aliases.
}

interface Walk {
  next: Int32Array;
  inTree: Uint8Array;
}

/** Runs Wilson's algorithm towards `top`. Returns false when the walk takes more than `maxSteps` steps. */
function wilson(
  walk: Walk,
  table: AliasTable,
  n: number,
  top: number,
  stream: Random,
  maxSteps: number,
): boolean {
  const { next, inTree } = walk;
  const { first, count, keep, head, other } = table;
  inTree.fill(0, 0, n + 1);
  inTree[top] = 1;
  let steps = 0;
  for (let m = 1; m <= n; m++) {
    let at = m;
    while (inTree[at] === 0) {
      if (++steps > maxSteps) return false;
      const draw = stream.next() * count[at];
      const slot = Math.floor(draw);
      const a = first[at] + slot;
      next[at] = draw - slot < keep[a] ? head[a] : other[a];
      at = next[at];
    }
    for (at = m; inTree[at] === 0; at = next[at]) inTree[at] = 1;
  }
  return true;
}

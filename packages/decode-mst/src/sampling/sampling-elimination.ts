import type { Arcs, Random } from "@arcwise/core";
import { exp } from "@arcwise/core/arithmetic";
import { logAdd } from "../sums/matrix-tree-log.ts";

/** Draws trees below one top position by eliminating all words and reinserting them. */
export interface EliminationSampler {
  /**
   * Prepares to draw trees below `top` (0: from the root; else a word that becomes the root's only modifier).
   * Does nothing if already prepared for this top. There must be a tree. O(n³ / 3), in logarithms.
   */
  prepare(arcs: Arcs, scores: Float64Array, top: number): void;
  /** Draws a tree. O(n²) for the words and O(n) for each time that a word gets a new head. */
  sample(stream: Random, heads: Int32Array): void;
  /** Invalidates the preparation: another sentence comes next. */
  forget(): void;
}

/**
 * Makes an exact sampler whose cost does not depend on the scores.
 *
 * When word k is eliminated, the arcs m -> k and k -> h (from modifier to head) become m -> h with weight
 * f(k, m) p(h, k): f(k, m) the weight of head k for m, p(h, k) the share of h among k's heads that are left.
 * A tree over the words left is drawn first, and then words are reinserted in the opposite order. Each arc m
 * -> h of the smaller tree passed through k with probability f(k, m) p(h, k) / (its whole weight). Let V be
 * the modifiers whose arcs did. They become modifiers of k, and k draws its head from p(·, k) among the top
 * and the words that do not descend from V.
 *
 * Why this is exact: fix V and all other arcs. Before, the members of V chose heads by p such that a tree
 * came out, and the sum of their choices is the product of f(k, m) times the share q of p on the part
 * attached to the top: the trees over parts 0 (the top's), 1, 2, … in which each arc has as weight the share
 * of p in the part of its head sum to q (Σ p)^(|V| - 1) = q, by Cayley's formula with degrees. After, k
 * chooses in that same part: q once more, times the sum of k's weights, the factor by which the sum over
 * trees shrank at the elimination.
 */
export function createEliminationSampler(): EliminationSampler {
  const state = createState();
  let preparedTop = -1;

  function prepare(arcs: Arcs, scores: Float64Array, top: number): void {
    if (preparedTop === top) return;
    load(state, arcs, scores, top);
    eliminate(state);
    preparedTop = top;
  }

  function sample(stream: Random, heads: Int32Array): void {
    const { count, word, head } = state;
    const top = preparedTop;
    for (let k = 0; k < count; k++) putBack(state, k, stream);
    heads[0] = -1;
    if (top > 0) heads[top] = 0;
    for (let k = 0; k < count; k++) heads[word[k]] = head[k] === TOP ? top : word[head[k]];
  }

  return {
    prepare,
    sample,
    forget: () => {
      preparedTop = -1;
    },
  };
}

const TOP = -1;

/** All weights are logarithms. Nodes 0 .. count - 1 are the words but the top, in order. */
interface State {
  count: number;
  /** Position of each node. */
  word: Int32Array;
  /** Weight of head h for node m at m count + h, and of the top as head. */
  weight: Float64Array;
  topWeight: Float64Array;
  /** After elimination: p(h, k) at k count + h for h < k, and f(k, m) at m count + k for m < k. */
  matrix: Float64Array;
  /** p(top, k). */
  topShare: Float64Array;
  /** The tree being drawn. */
  head: Int32Array;
  /** Index of the node through which the arc of a node passed, or `count` for none. */
  origin: Int32Array;
  /** 1: attached to the top; 2: descends from a node of V. */
  part: Uint8Array;
  path: Int32Array;
  terms: Float64Array;
}

function createState(): State {
  const none = new Int32Array(0);
  const noWeights = new Float64Array(0);
  return {
    count: 0,
    word: none,
    weight: noWeights,
    topWeight: noWeights,
    matrix: noWeights,
    topShare: noWeights,
    head: none,
    origin: none,
    part: new Uint8Array(0),
    path: none,
    terms: noWeights,
  };
}

function load(state: State, arcs: Arcs, scores: Float64Array, top: number): void {
  const { n, start, head } = arcs;
  reserveState(state, n);
  const count = top > 0 ? n - 1 : n;
  state.count = count;
  const { word, weight, topWeight } = state;
  weight.fill(-Infinity, 0, count * count);
  topWeight.fill(-Infinity, 0, count);
  for (let m = 1, k = 0; m <= n; m++) {
    if (m === top) continue;
    word[k] = m;
    for (let a = start[m]; a < start[m + 1]; a++) {
      const h = head[a];
      if (h === top) topWeight[k] = scores[a];
      else if (h > 0) weight[k * count + (top > 0 && h > top ? h - 2 : h - 1)] = scores[a];
    }
    k++;
  }
}

function reserveState(state: State, n: number): void {
  if (state.weight.length < n * n) {
    state.weight = new Float64Array(2 * n * n);
    state.matrix = new Float64Array(2 * n * n);
  }
  if (state.word.length >= n) return;
  state.word = new Int32Array(2 * n);
  state.topWeight = new Float64Array(2 * n);
  state.topShare = new Float64Array(2 * n);
  state.head = new Int32Array(2 * n);
  state.origin = new Int32Array(2 * n);
  state.part = new Uint8Array(2 * n);
  state.path = new Int32Array(2 * n);
  state.terms = new Float64Array(2 * n + 1);
}

function eliminate(state: State): void {
  const { count, weight, topWeight, matrix, topShare } = state;
  for (let cell = 0; cell < count * count; cell++) matrix[cell] = weight[cell];
  for (let k = 0; k < count; k++) topShare[k] = topWeight[k];
  for (let k = count - 1; k >= 0; k--) {
    const rowK = k * count;
    let sum = topShare[k];
    for (let h = 0; h < k; h++) sum = logAdd(sum, matrix[rowK + h]);
    topShare[k] = topShare[k] - sum;
    for (let h = 0; h < k; h++) matrix[rowK + h] = matrix[rowK + h] - sum;
    for (let m = 0; m < k; m++) {
      const row = m * count;
      const over = matrix[row + k];
      if (over === -Infinity) continue;
      topShare[m] = logAdd(topShare[m], over + topShare[k]);
      for (let h = 0; h < k; h++) matrix[row + h] = logAdd(matrix[row + h], over + matrix[rowK + h]);
    }
  }
}

/** Reinserts node k into the tree of nodes 0 .. k - 1. */
function putBack(state: State, k: number, stream: Random): void {
  const { head, origin } = state;
  let moved = false;
  for (let m = 0; m < k; m++) {
    if (origin[m] === k) moved = true;
  }
  if (moved) splitParts(state, k);
  head[k] = drawHead(state, k, moved, stream);
  for (let m = 0; m < k; m++) {
    if (origin[m] !== k) continue;
    head[m] = k;
    origin[m] = drawOrigin(state, m, k, k, stream);
  }
  origin[k] = drawOrigin(state, k, head[k], k, stream);
}

/**
 * Marks the nodes before k that descend from one whose arc passed through k. O(k): every node is visited
 * once.
 */
function splitParts(state: State, k: number): void {
  const { head, origin, part, path } = state;
  part.fill(0, 0, k);
  for (let m = 0; m < k; m++) {
    let at = m;
    let length = 0;
    while (at !== TOP && part[at] === 0 && origin[at] !== k) {
      path[length++] = at;
      at = head[at];
    }
    let side = 1;
    if (at !== TOP) side = origin[at] === k ? 2 : part[at];
    if (at !== TOP) part[at] = side;
    for (let step = 0; step < length; step++) part[path[step]] = side;
  }
}

/** Returns the head of k: the top or one of the nodes before k, of the top's part only if `split`. */
function drawHead(state: State, k: number, split: boolean, stream: Random): number {
  const { count, matrix, topShare, part, terms } = state;
  for (let h = 0; h < k; h++) terms[h] = split && part[h] === 2 ? -Infinity : matrix[k * count + h];
  terms[k] = topShare[k];
  const drawn = drawTerm(terms, k + 1, stream);
  return drawn === k ? TOP : drawn;
}

/**
 * Draws which of the nodes after k the arc from m to head h passed through; `count` when it is a direct arc.
 */
function drawOrigin(state: State, m: number, h: number, k: number, stream: Random): number {
  const { count, weight, topWeight, matrix, topShare, terms } = state;
  terms[0] = h === TOP ? topWeight[m] : weight[m * count + h];
  let length = 1;
  for (let j = k + 1; j < count; j++) {
    const share = h === TOP ? topShare[j] : matrix[j * count + h];
    terms[length++] = matrix[m * count + j] + share;
  }
  const drawn = drawTerm(terms, length, stream);
  return drawn === 0 ? count : k + drawn;
}

/** Draws an index in proportion to exp(terms[index]). Overwrites the terms. */
export function drawTerm(terms: Float64Array, length: number, stream: Random): number {
  let best = -Infinity;
  for (let t = 0; t < length; t++) if (terms[t] > best) best = terms[t];
  for (let t = 0; t < length; t++) terms[t] = exp(terms[t] - best);
  return drawShare(terms, length, stream);
}

/** Draws an index in proportion to shares[index], all >= 0 and one of them above 0. */
export function drawShare(shares: Float64Array, length: number, stream: Random): number {
  let sum = 0;
  for (let t = 0; t < length; t++) sum += shares[t];
  let left = stream.next() * sum;
  let last = 0;
  for (let t = 0; t < length; t++) {
    if (shares[t] === 0) continue;
    last = t;
    left -= shares[t];
    if (left < 0) break;
  }
  return last;
}

import type { IncrementalTreeScore } from "@arcwise/core";
import { VIEW } from "@arcwise/core/features";
import type { GlobalEngine } from "./global-memo.ts";
import { GlobalTree } from "./global-tree.ts";

/**
 * The score of a tree that changes by one head at a time. A change of the head of m affects the modifiers of
 * the old and of the new head, m as a modifier, the arcs that cross its arc, the punctuation that pairs with
 * it, and the spans of the words above m up to the meeting point of the paths from the two heads to the root.
 * All other words keep their scores.
 *
 * `deltas` costs O(depth + modifiers on the path to the root) once, and for each candidate O(path up to the
 * meeting point + modifiers of the candidate + length of the arc). `move` is O(n). No step allocates.
 */
export class GlobalClimb implements IncrementalTreeScore {
  readonly #engine: GlobalEngine;
  readonly #use: () => void;
  readonly #tree: GlobalTree;
  /** Score of each word's views as a head, and as a modifier. */
  readonly #asHead: Float64Array;
  readonly #asModifier: Float64Array;
  /** Score of a crossing of each word's arc, for that arc alone. */
  readonly #crossingScores: Float64Array;
  /** Scores of the shape: by arcs above the last word, arcs to the right, crossings. */
  readonly #shape: readonly [chain: Float64Array, rightward: Float64Array, crossings: Float64Array];
  #knowsShapes = false;
  /** Number of arcs from the last word up to each of its ancestors and itself, -1 for other words. */
  readonly #below: Int32Array;
  #rightward = 0;
  #crossings = 0;
  // The word m whose candidate heads are scored:
  /** Index of each word on the path from its head to the root, -1 for other words. */
  readonly #pathIndex: Int32Array;
  /** By index on the path: the loss of the words before it when m leaves. */
  readonly #loss: Float64Array;
  /** The loss of its head as a modifier when m moves below it. */
  #lossOfMarkers = 0;
  /** The loss of its head as a head, and of everything else that depends on the present arc. */
  #lossOfArc = 0;
  #crossingsOfArc = 0;
  /** Number of arcs that cross an arc. */
  #crossed = 0;

  /**
   * @param use called before anything is scored, to prepare the engine for the sentence
   */
  constructor(n: number, engine: GlobalEngine, use: () => void) {
    const column = () => new Float64Array(n + 2);
    this.#engine = engine;
    this.#use = use;
    this.#tree = new GlobalTree(n, engine.features);
    this.#asHead = column();
    this.#asModifier = column();
    this.#crossingScores = column();
    this.#shape = [column(), column(), new Float64Array(7)];
    this.#below = new Int32Array(n + 1);
    this.#pathIndex = new Int32Array(n + 1).fill(-1);
    this.#loss = column();
  }

  reset(heads: Int32Array): number {
    this.#use();
    const tree = this.#tree;
    const { n } = tree;
    if (n === 0) return 0;
    tree.reset(heads);
    this.#scoreShapes();
    let crossings = 0;
    let rightward = 0;
    for (let x = 0; x <= n; x++) this.#scoreHead(x);
    for (let x = 1; x <= n; x++) this.#scoreModifier(x);
    let score = this.#asHead[0];
    for (let m = 1; m <= n; m++) {
      if (heads[m] < m) rightward++;
      score += this.#asHead[m] + this.#asModifier[m];
      score += this.#pairs(m, heads[m], true) + this.#crossing(m, heads[m]) / 2;
      crossings += this.#crossed;
    }
    this.#crossings = crossings / 2;
    this.#rightward = rightward;
    this.#findChain();
    return score + this.#scoreShape(this.#below[0], this.#rightward, this.#crossings);
  }

  deltas(m: number, candidates: Int32Array, count: number, out: Float64Array): void {
    this.#use();
    const { heads } = this.#tree;
    const old = heads[m];
    this.#leave(m, old);
    for (let k = 0; k < count; k++) {
      const head = candidates[k];
      out[k] = head === old ? 0 : this.#delta(m, old, head);
    }
    for (let x = old; x >= 0; x = heads[x]) this.#pathIndex[x] = -1;
  }

  move(m: number, head: number): void {
    this.#use();
    const tree = this.#tree;
    const old = tree.heads[m];
    if (head === old) return;
    this.#crossing(m, old);
    const before = this.#crossed;
    this.#crossing(m, head);
    this.#crossings += this.#crossed - before;
    this.#rightward += (head < m ? 1 : 0) - (old < m ? 1 : 0);
    tree.move(m, head);
    this.#scoreHead(old);
    this.#scoreHead(head);
    this.#scoreModifier(m);
    // Words above the meeting point keep their scores; looking them up again is as fast as finding it.
    for (let x = old; x > 0; x = tree.heads[x]) this.#scoreModifier(x);
    for (let x = head; x > 0; x = tree.heads[x]) this.#scoreModifier(x);
    if (this.#below[m] >= 0) this.#findChain();
  }

  #scoreHead(x: number): void {
    this.#tree.survey(x, -1, -1);
    this.#asHead[x] = this.#headScore(x);
  }

  #scoreModifier(x: number): void {
    const { heads, left, right } = this.#tree;
    const h = heads[x];
    this.#asModifier[x] = this.#modifierScore(h, x, left[x], right[x]);
    this.#crossingScores[x] = this.#engine.memo.crossing(h, x);
  }

  /** Score of a word as a modifier of h with a given span and its present function words. */
  #modifierScore(h: number, x: number, from: number, to: number): number {
    const { introducer, coordinator } = this.#tree;
    return this.#engine.memo.modifier(h, x, from, to, introducer[x], coordinator[x]);
  }

  /** The same with the function words of the last survey. */
  #surveyedScore(x: number, from: number, to: number): number {
    const { heads, introducing, coordinating } = this.#tree;
    return this.#engine.memo.modifier(heads[x], x, from, to, introducing, coordinating);
  }

  /** Score of a word as a head, with the modifiers of the last survey. */
  #headScore(x: number): number {
    const { lefts, rights, leftCode, rightCode } = this.#tree;
    return this.#engine.memo.head(x, lefts, rights, leftCode, rightCode);
  }

  /**
   * Computes the loss when m leaves its head: the part that is the same for all new heads, and by meeting
   * point of the paths.
   */
  #leave(m: number, old: number): void {
    const tree = this.#tree;
    const { left, right } = tree;
    const crossing = this.#crossing(m, old);
    this.#crossingsOfArc = this.#crossed;
    tree.survey(old, m, -1);
    this.#lossOfArc =
      this.#asHead[old] -
      this.#headScore(old) +
      this.#asModifier[m] +
      crossing +
      this.#pairs(m, old, false) +
      this.#scoreShape(this.#below[0], this.#rightward, this.#crossings);
    this.#lossOfMarkers = 0;
    if (old > 0 && tree.marksChange(old)) {
      this.#lossOfMarkers = this.#asModifier[old] - this.#surveyedScore(old, left[old], right[old]);
    }
    this.#leaveSpans(m, old);
  }

  /**
   * Numbers the words from the head of m to the root, and sums their losses as modifiers when m is no longer
   * below them. The modifiers of the head without m have to be surveyed before.
   */
  #leaveSpans(m: number, old: number): void {
    const tree = this.#tree;
    const { heads, first, next, left, right } = tree;
    let loss = 0;
    let index = 0;
    let below = m;
    // The span of the words below `below` without the words below m.
    let belowLeft = -1;
    let belowRight = -1;
    let changes = true;
    for (let x = old; x >= 0; x = heads[x]) {
      this.#pathIndex[x] = index;
      this.#loss[index++] = loss;
      if (x === 0 || !changes) continue;
      let from = left[x];
      let to = right[x];
      if (from === left[below] || to === right[below]) {
        from = to = x;
        for (let s = first[x]; s >= 0; s = next[s]) {
          if (s === below && belowLeft < 0) continue;
          const sLeft = s === below ? belowLeft : left[s];
          const sRight = s === below ? belowRight : right[s];
          if (sLeft < from) from = sLeft;
          if (sRight > to) to = sRight;
        }
      }
      changes = from !== left[x] || to !== right[x];
      if (x === old) {
        if (changes || tree.marksChange(x)) loss += this.#asModifier[x] - this.#surveyedScore(x, from, to);
      } else if (changes) loss += this.#asModifier[x] - this.#modifierScore(heads[x], x, from, to);
      below = x;
      belowLeft = from;
      belowRight = to;
    }
  }

  /** Returns the gain of the tree when m moves from `old` to `head`. */
  #delta(m: number, old: number, head: number): number {
    const tree = this.#tree;
    const { heads, left, right } = tree;
    tree.survey(head, -1, m);
    const isMarked = head > 0 && tree.marksChange(head);
    let gain = this.#headScore(head) - this.#asHead[head] - this.#lossOfArc;
    gain += this.#modifierScore(head, m, left[m], right[m]);
    gain += this.#crossing(m, head);
    const crossings = this.#crossings - this.#crossingsOfArc + this.#crossed;
    gain += this.#pairs(m, head, false);
    const rightward = this.#rightward + (head < m ? 1 : 0) - (old < m ? 1 : 0);
    gain += this.#scoreShape(this.#chainWith(m, head), rightward, crossings);
    // Up to the meeting point of the paths, spans grow by the span of m.
    const index = this.#pathIndex;
    let x = head;
    let grows = true;
    for (; index[x] < 0; x = heads[x]) {
      if (!grows) continue;
      const from = Math.min(left[x], left[m]);
      const to = Math.max(right[x], right[m]);
      grows = from !== left[x] || to !== right[x];
      if (x === head) {
        if (grows || isMarked) gain += this.#surveyedScore(x, from, to) - this.#asModifier[x];
      } else if (grows) gain += this.#modifierScore(heads[x], x, from, to) - this.#asModifier[x];
    }
    if (x === head && isMarked) gain += this.#surveyedScore(x, left[x], right[x]) - this.#asModifier[x];
    return gain - (x === old ? this.#lossOfMarkers : this.#loss[index[x]]);
  }

  /** Number of arcs from the root to the last word, if the head of m were `head`. */
  #chainWith(m: number, head: number): number {
    const { heads } = this.#tree;
    const below = this.#below[m];
    if (below < 0) return this.#below[0];
    let chain = below + 1;
    for (let x = head; x > 0; x = heads[x]) chain++;
    return chain;
  }

  #findChain(): void {
    const { heads } = this.#tree;
    this.#below.fill(-1);
    let arcs = 0;
    for (let x = this.#engine.features.last; x >= 0; x = heads[x]) this.#below[x] = arcs++;
  }

  /** Scores all shapes that a tree of the sentence can have, once. */
  #scoreShapes(): void {
    if (this.#knowsShapes) return;
    this.#knowsShapes = true;
    const { memo } = this.#engine;
    for (let which = 0; which < 3; which++) {
      const scores = this.#shape[which];
      for (let value = 0; value < scores.length; value++) {
        scores[value] = memo.view(VIEW.shape, which, value, 0, 0);
      }
    }
  }

  #scoreShape(chain: number, rightward: number, crossings: number): number {
    const [byChain, byRightward, byCrossings] = this.#shape;
    return byChain[chain] + byRightward[rightward] + byCrossings[Math.min(crossings, 6)];
  }

  /**
   * Score of the pairs of punctuation that contain m, if its head is h; `openingOnly`: of the pair that it
   * opens.
   */
  #pairs(m: number, h: number, openingOnly: boolean): number {
    const { features, memo } = this.#engine;
    const { heads } = this.#tree;
    const b = features.closing[m];
    const a = features.opening[m];
    let score = b > 0 ? memo.pair(m, b, h, heads[b]) : 0;
    if (a > 0 && !openingOnly) score += memo.pair(a, m, heads[a], h);
    return score;
  }

  /**
   * Score of all crossings of h -> m with arcs of the tree, each for both arcs; counts them in `#crossed`. An
   * arc crosses another if one of its ends is strictly between the ends of that, and the other strictly
   * outside.
   */
  #crossing(m: number, h: number): number {
    const { heads, first, next } = this.#tree;
    const crossingScores = this.#crossingScores;
    const low = h < m ? h : m;
    const high = h < m ? m : h;
    let score = 0;
    let crossed = 0;
    for (let x = low + 1; x < high; x++) {
      const g = heads[x];
      if (g < low || g > high) {
        crossed++;
        score += crossingScores[x];
      }
      for (let s = first[x]; s >= 0; s = next[s]) {
        if (s >= low && s <= high) continue;
        crossed++;
        score += crossingScores[s];
      }
    }
    this.#crossed = crossed;
    return crossed === 0 ? 0 : score + crossed * this.#engine.memo.crossing(h, m);
  }
}

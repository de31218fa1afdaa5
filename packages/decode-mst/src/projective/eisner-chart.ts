import type { Arcs, StepListener } from "@arcwise/core";

/** Kinds of items that a tree is read from: half-trees to the right and to the left of their head. */
const RIGHT = 0;
const LEFT = 1;

/**
 * The chart of Eisner's (1996) dynamic programme over candidate arcs.
 *
 *     right(i, j)  best half-tree of i over i .. j: i, its modifiers to the right, and all below them
 *     left(i, j)   the same of j over i .. j: j and its modifiers to the left
 *     span(h, m)   best trees over the words between h and m with the arc h -> m, modifiers beyond m left out
 *
 *     span(h, m)  = score(h -> m) + max over k of right(i, k) + left(k + 1, j)     i, j = h and m in order
 *     right(i, j) = max over arcs i -> k, i < k <= j, of span(i, k) + right(k, j)
 *     left(i, j)  = max over arcs j -> k, i <= k < j, of left(i, k) + span(j, k)
 *
 * `right` and `left` are stored with both triangles filled, so that all loops read along rows. There are no
 * back-pointers: reading the tree computes n maxima again.
 */
export class EisnerChart {
  #width = 0;
  #right = new Float64Array(0);
  #left = new Float64Array(0);
  /** At head * width + modifier. */
  #span = new Float64Array(0);
  /** Score of h -> m at m * width + h. */
  #scores = new Float64Array(0);
  /** Modifiers of candidate arcs of h: to the right ascending from `h * width`, to the left descending. */
  #rightModifiers = new Int32Array(0);
  #leftModifiers = new Int32Array(0);
  #rightCount = new Int32Array(0);
  #leftCount = new Int32Array(0);
  /**
   * Whether the candidates are dense enough that reading whole rows is faster than reading the cells of
   * candidates.
   */
  #dense = false;
  /** Stack of items still to be read, three entries each: its kind, start and end. */
  #stack = new Int32Array(0);
  #top = 0;

  /**
   * Writes the n + 1 heads of the best projective tree; returns false when there is none. Scores must be
   * finite or -Infinity, and at most 2^1000 in absolute value.
   */
  solve(arcs: Arcs, arcScores: Float64Array, heads: Int32Array, singleRoot: boolean): boolean {
    const { n } = arcs;
    heads[0] = -1;
    if (n === 0) return true;
    this.#prepare(arcs, arcScores);
    const first = singleRoot ? 1 : 0;
    for (let j = first; j <= n; j++) this.#fillColumn(j, first);
    if (!singleRoot) {
      if (this.#right[n] === -Infinity) return false;
      this.#read(heads, 0, n);
      return true;
    }
    const root = this.#bestRoot(n);
    if (root < 0) return false;
    heads[root] = 0;
    this.#push(LEFT, 1, root);
    this.#read(heads, root, n);
    return true;
  }

  /** Reports the spans of two or more words that `solve` has filled, in the order in which it fills them. O(n²). */
  reportSpans(n: number, singleRoot: boolean, onStep: StepListener): void {
    const width = this.#width;
    const first = singleRoot ? 1 : 0;
    for (let to = first; to <= n; to++) {
      for (let from = to - 1; from >= first; from--) {
        onStep({
          kind: "span",
          from,
          to,
          right: this.#right[from * width + to],
          left: this.#left[from * width + to],
          rightArc: this.#span[from * width + to],
          leftArc: this.#span[to * width + from],
        });
      }
    }
  }

  /** Reserves memory, scatters scores into a matrix and lists the modifiers of each head. O(n² + arcs). */
  #prepare(arcs: Arcs, arcScores: Float64Array): void {
    const { n, head, modifier } = arcs;
    const width = n + 1;
    this.#width = width;
    this.#dense = 3 * head.length > n * n;
    if (this.#scores.length < width * width) this.#allocate(width);
    const scores = this.#scores;
    const rightModifiers = this.#rightModifiers;
    const leftModifiers = this.#leftModifiers;
    const rightCount = this.#rightCount;
    const leftCount = this.#leftCount;
    scores.fill(-Infinity, 0, width * width);
    rightCount.fill(0, 0, width);
    leftCount.fill(0, 0, width);
    for (let a = 0; a < head.length; a++) {
      const h = head[a];
      const m = modifier[a];
      if (arcScores[a] === -Infinity) continue;
      scores[m * width + h] = arcScores[a];
      if (m > h) rightModifiers[h * width + rightCount[h]++] = m;
    }
    for (let a = head.length - 1; a >= 0; a--) {
      const h = head[a];
      const m = modifier[a];
      if (m < h && arcScores[a] !== -Infinity) leftModifiers[h * width + leftCount[h]++] = m;
    }
    this.#top = 0;
  }

  #allocate(width: number): void {
    const cells = 2 * width * width;
    this.#right = new Float64Array(cells);
    this.#left = new Float64Array(cells);
    this.#span = new Float64Array(cells);
    this.#scores = new Float64Array(cells);
    this.#rightModifiers = new Int32Array(cells);
    this.#leftModifiers = new Int32Array(cells);
    this.#rightCount = new Int32Array(2 * width);
    this.#leftCount = new Int32Array(2 * width);
    this.#stack = new Int32Array(12 * width + 12);
  }

  /** Fills all items that end at j and start at `first` or after, shortest first. */
  #fillColumn(j: number, first: number): void {
    const width = this.#width;
    const right = this.#right;
    const left = this.#left;
    const span = this.#span;
    const scores = this.#scores;
    const rowJ = j * width;
    right[rowJ + j] = 0;
    left[rowJ + j] = 0;
    for (let i = j - 1; i >= first; i--) {
      const rowI = i * width;
      const toRight = scores[rowJ + i];
      const toLeft = scores[rowI + j];
      const isArc = toRight !== -Infinity || toLeft !== -Infinity;
      const inside = isArc ? maxSum(right, rowI + i, left, rowJ + i + 1, j - i) : -Infinity;
      span[rowI + j] = inside + toRight;
      span[rowJ + i] = inside + toLeft;
      const rightBest = this.#bestRight(i, j);
      right[rowI + j] = rightBest;
      right[rowJ + i] = rightBest;
      const leftBest = this.#bestLeft(i, j);
      left[rowI + j] = leftBest;
      left[rowJ + i] = leftBest;
    }
  }

  #bestRight(i: number, j: number): number {
    const width = this.#width;
    const right = this.#right;
    const span = this.#span;
    const rightModifiers = this.#rightModifiers;
    const rowI = i * width;
    const rowJ = j * width;
    if (this.#dense) return maxSum(span, rowI + i + 1, right, rowJ + i + 1, j - i);
    const end = rowI + this.#rightCount[i];
    let best = -Infinity;
    for (let at = rowI; at < end; at++) {
      const k = rightModifiers[at];
      if (k > j) break;
      const value = span[rowI + k] + right[rowJ + k];
      if (value > best) best = value;
    }
    return best;
  }

  #bestLeft(i: number, j: number): number {
    const width = this.#width;
    const left = this.#left;
    const span = this.#span;
    const leftModifiers = this.#leftModifiers;
    const rowI = i * width;
    const rowJ = j * width;
    if (this.#dense) return maxSum(left, rowI + i, span, rowJ + i, j - i);
    const end = rowJ + this.#leftCount[j];
    let best = -Infinity;
    for (let at = rowJ; at < end; at++) {
      const k = leftModifiers[at];
      if (k < i) break;
      const value = span[rowJ + k] + left[rowI + k];
      if (value > best) best = value;
    }
    return best;
  }

  /**
   * Returns the only modifier of the root in the best tree (the first in ties), or -1 when there is no tree.
   */
  #bestRoot(n: number): number {
    const width = this.#width;
    const right = this.#right;
    const left = this.#left;
    const scores = this.#scores;
    let best = -Infinity;
    let root = -1;
    for (let r = 1; r <= n; r++) {
      const value = scores[r * width] + left[width + r] + right[r * width + n];
      if (value > best) {
        best = value;
        root = r;
      }
    }
    return root;
  }

  /** Reads right(i, n) and all items on the stack. O(n²). */
  #read(heads: Int32Array, i: number, n: number): void {
    const stack = this.#stack;
    this.#push(RIGHT, i, n);
    while (this.#top > 0) {
      const end = stack[--this.#top];
      const start = stack[--this.#top];
      const kind = stack[--this.#top];
      if (kind === RIGHT) this.#readRight(heads, start, end);
      else this.#readLeft(heads, start, end);
    }
  }

  #readRight(heads: Int32Array, i: number, j: number): void {
    const width = this.#width;
    const right = this.#right;
    const span = this.#span;
    const rightModifiers = this.#rightModifiers;
    const rowI = i * width;
    const best = right[rowI + j];
    let at = rowI;
    while (span[rowI + rightModifiers[at]] + right[j * width + rightModifiers[at]] !== best) at++;
    const k = rightModifiers[at];
    heads[k] = i;
    this.#push(RIGHT, k, j);
    this.#readSpan(i, k);
  }

  #readLeft(heads: Int32Array, i: number, j: number): void {
    const width = this.#width;
    const left = this.#left;
    const span = this.#span;
    const leftModifiers = this.#leftModifiers;
    const rowJ = j * width;
    const best = left[rowJ + i];
    let at = rowJ;
    while (span[rowJ + leftModifiers[at]] + left[i * width + leftModifiers[at]] !== best) at++;
    const k = leftModifiers[at];
    heads[k] = j;
    this.#push(LEFT, i, k);
    this.#readSpan(k, j);
  }

  /** Pushes the two half-trees that meet between i and j. */
  #readSpan(i: number, j: number): void {
    const width = this.#width;
    const right = this.#right;
    const left = this.#left;
    const rowI = i * width;
    const rowJ = j * width;
    const best = maxSum(right, rowI + i, left, rowJ + i + 1, j - i);
    let k = i;
    while (right[rowI + k] + left[rowJ + k + 1] !== best) k++;
    this.#push(RIGHT, i, k);
    this.#push(LEFT, k + 1, j);
  }

  #push(kind: number, start: number, end: number): void {
    if (start === end) return;
    this.#stack[this.#top++] = kind;
    this.#stack[this.#top++] = start;
    this.#stack[this.#top++] = end;
  }
}

/**
 * Returns the largest a[at + k] + b[bt + k] for k < count, count >= 1. The two ends, where the maximum often
 * is, come first: later entries are seldom a new maximum, so that branches are predicted well. (Several
 * maxima side by side are slower, because each of them is mispredicted as often as one alone.)
 */
function maxSum(a: Float64Array, at: number, b: Float64Array, bt: number, count: number): number {
  const last = count - 1;
  let best = a[at + last] + b[bt + last];
  const first = a[at] + b[bt];
  if (first > best) best = first;
  for (let k = last - 1; k > 0; k--) {
    const value = a[at + k] + b[bt + k];
    if (value > best) best = value;
  }
  return best;
}

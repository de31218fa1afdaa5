import { ArcwiseError, type ArcwiseErrorOptions } from "@arcwise/core/errors";

/**
 * Interface between scoring and inference: a sequence with its candidate labels and the scores of label
 * k-grams, as flat typed arrays. Only this file documents their layout.
 *
 * `-Infinity` means forbidden. `NaN` and `+Infinity` are not allowed.
 */

/**
 * Candidate labels of each position. Constraints, dictionaries and known labels all reduce the candidates.
 */
export interface Lattice {
  /** Number of positions. */
  readonly n: number;
  /** n + 1 entries; the candidates of position i are `start[i] .. start[i + 1] - 1`, at least one. */
  readonly start: Int32Array;
  /** Label of each candidate, ascending within a position. */
  readonly labels: Int32Array;
}

/**
 * Scores of the labellings of a sequence by label k-grams. With C(i) candidates at position i (1 before the
 * beginning), the table of position i has C(i - 2) C(i - 1) C(i) entries for trigrams and C(i - 1) C(i) for
 * bigrams, the last label running fastest: the entry of candidates a, b, c is `grams[table[i] + (a C(i - 1) +
 * b) C(i) + c]`. Positions whose tables are the same may share one.
 */
export interface ChainProblem {
  /** Number of labels that a score depends on: 1, 2 or 3. */
  readonly order: 1 | 2 | 3;
  readonly lattice: Lattice;
  /** One score per candidate. */
  readonly scores: Float64Array;
  /** Tables of the scores of k-grams. May be longer than needed. */
  readonly grams: Float64Array;
  /** n entries: the offset of the table of each position in `grams`, or -1 if it does not have one. */
  readonly table: Int32Array;
}

/** The best labelling of a sequence, or one of several. */
export interface Labelling {
  /** One label per position. */
  readonly labels: Int32Array;
  readonly score: number;
}

/** No labelling of a sequence is allowed. */
export class NoLabelling extends ArcwiseError {
  override readonly name = "NoLabelling";

  constructor(message: string, options?: ArcwiseErrorOptions) {
    super("no-labelling", message, options);
  }
}

/** Returns the lattice with all of `count` labels at each of n positions. */
export function completeLattice(n: number, count: number): Lattice {
  const start = new Int32Array(n + 1);
  const labels = new Int32Array(n * count);
  for (let i = 0; i < n; i++) {
    start[i + 1] = start[i] + count;
    for (let y = 0; y < count; y++) labels[i * count + y] = y;
  }
  return { n, start, labels };
}

/**
 * Returns the score of a labelling: the sum over positions of the scores of label and k-gram. This defines
 * the objective of all inference. O(n C).
 *
 * @throws RangeError when there is not one label per position
 */
export function scoreLabelling(problem: ChainProblem, labels: ArrayLike<number>): number {
  const { order, lattice, scores, grams, table } = problem;
  const { n, start, labels: candidates } = lattice;
  if (labels.length !== n) throw new RangeError(`expected ${n} labels, got ${labels.length}`);
  let sum = 0;
  let first = 0;
  let second = 0;
  let secondCount = 1;
  for (let i = 0; i < n; i++) {
    const from = start[i];
    const count = start[i + 1] - from;
    let c = 0;
    while (c < count && candidates[from + c] !== labels[i]) c++;
    if (c === count) return -Infinity;
    sum += scores[from + c];
    const a = order === 3 ? first : 0;
    if (order > 1 && table[i] >= 0) sum += grams[table[i] + (a * secondCount + second) * count + c];
    first = second;
    second = c;
    secondCount = count;
  }
  return sum;
}

/** Returns the number of entries of the table of a position. */
export function tableSize(order: number, start: Int32Array, i: number): number {
  const count = start[i + 1] - start[i];
  const before = order > 1 && i > 0 ? start[i] - start[i - 1] : 1;
  const second = order > 2 && i > 1 ? start[i - 1] - start[i - 2] : 1;
  return second * before * count;
}

/**
 * A chain as a trellis. A state consists of the label of its position, and for trigrams the previous label.
 * Position i is entered from `outer[i] * inner[i]` states; of state a * inner + b only b is kept, so that it
 * leads to the states b * count + c. State 0, before the beginning, enters position 0.
 */
export class Trellis {
  n = 0;
  /**
   * Numbers of values of the label that is dropped, of the label that is kept (1 up to order 2), and of the
   * new one.
   */
  outer = new Int32Array(0);
  inner = new Int32Array(0);
  count = new Int32Array(0);
  /** n + 2 entries: the states after position i are `state[i + 1] .. state[i + 2] - 1`; `state[0]` is 0. */
  state = new Int32Array(2);

  /**
   * Sets the shape to the shape of a problem. O(n). Allocates only when the chain is longer than all previous
   * ones.
   */
  reset({ order, lattice: { n, start } }: ChainProblem): void {
    if (this.count.length < n) {
      const capacity = 2 * n;
      this.outer = new Int32Array(capacity);
      this.inner = new Int32Array(capacity);
      this.count = new Int32Array(capacity);
      this.state = new Int32Array(capacity + 2);
    }
    const { outer, inner, count, state } = this;
    this.n = n;
    state[0] = 0;
    state[1] = 1;
    for (let i = 0; i < n; i++) {
      const entering = state[i + 1] - state[i];
      const kept = order === 3 && i > 0 ? count[i - 1] : 1;
      inner[i] = kept;
      outer[i] = entering / kept;
      count[i] = start[i + 1] - start[i];
      state[i + 2] = state[i + 1] + kept * count[i];
    }
  }

  /** Number of states, including the one before the beginning. */
  get states(): number {
    return this.state[this.n + 1];
  }
}

/** Returns an array of at least `size` entries: the given one, or a new one of twice the size. */
export function grown(array: Float64Array<ArrayBuffer>, size: number): Float64Array<ArrayBuffer> {
  return array.length >= size ? array : new Float64Array(2 * size);
}

/** The same for integers. */
export function grownInts(array: Int32Array<ArrayBuffer>, size: number): Int32Array<ArrayBuffer> {
  return array.length >= size ? array : new Int32Array(2 * size);
}

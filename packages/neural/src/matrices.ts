import { LEAK } from "./functions.ts";
import { type IntegerWeights, MAX_INPUT, roundWeights } from "./integer-weights.ts";
import { instantiateKernels, type Kernels, kernelModule } from "./kernel-module.ts";
import type { AdamNumbers, AdamRange, CellStep, HeadTerms, LstmSteps } from "./kernel-steps.ts";
import { type ByteMatrix, LANES, type Matrix, matrix, padded, type RoundedRows } from "./matrix.ts";

const PAGE_BYTES = 2 ** 16;
/** Initial number of entries. */
const INITIAL_LENGTH = 2 ** 18;
/** Maximum number of entries: 2^32 bytes. */
const MAX_LENGTH = 2 ** 30;

/**
 * A growing stack of 32-bit floats in a WebAssembly memory, with kernels that compute four entries at a time,
 * about seven times as fast as JavaScript. Sums are rounded in a fixed order, so that every machine computes
 * the same bits.
 *
 * Allocate from the top; `release(mark)` frees everything allocated since the mark was read.
 */
export class MatrixMemory {
  /**
   * All entries. `allocate` may replace the array when it grows the memory: read it again after each call.
   */
  values: Float32Array;
  /** The same entries as integers. */
  #words: Int32Array;
  readonly #memory: WebAssembly.Memory;
  readonly #kernels: Kernels;
  /** Weights that are rounded to integers, by their offsets. */
  readonly #integers = new Map<number, IntegerWeights>();
  /** Offset after the last of their integers; 0 if there are no integers. */
  #integersEnd = 0;
  #used = 0;
  /** Offset after the last entry that was ever used: from there on, memory is zero. */
  #touched = 0;

  /**
   * @throws ArcwiseError `no-webassembly` where WebAssembly has no 128-bit vectors (engines from before 2021), or a
   *   content security policy lacks 'wasm-unsafe-eval'
   */
  constructor() {
    kernelModule();
    const [initial, maximum] = [INITIAL_LENGTH, MAX_LENGTH].map((length) => (4 * length) / PAGE_BYTES);
    this.#memory = new WebAssembly.Memory({ initial: initial!, maximum: maximum! });
    this.#kernels = instantiateKernels(this.#memory);
    this.values = new Float32Array(this.#memory.buffer);
    this.#words = new Int32Array(this.#memory.buffer);
  }

  /** The offset at which the next allocation begins. */
  get mark(): number {
    return this.#used;
  }

  /** Frees what was allocated since a mark. O(1). */
  release(mark: number): void {
    this.#used = mark;
    if (mark >= this.#integersEnd) return;
    this.#integers.clear();
    this.#integersEnd = 0;
  }

  /** Returns whether two allocations of `length` entries together leave the memory where it is. */
  fits(length: number): boolean {
    return this.#used + length + 2 * LANES <= this.values.length;
  }

  /** Allocates `length` zeros; returns their offset. O(length). @throws RangeError beyond 4 GiB */
  allocate(length: number): number {
    const touched = this.#touched;
    const at = this.#reserve(length);
    this.values.fill(0, at, Math.max(at, Math.min(touched, this.#used)));
    return at;
  }

  /** Allocates `length` entries with any values. */
  #reserve(length: number): number {
    const at = this.#used;
    const end = at + padded(length);
    if (end > this.values.length) this.#grow(end);
    this.#used = end;
    this.#touched = Math.max(this.#touched, end);
    return at;
  }

  /** Allocates a matrix of zeros. */
  matrix(rows: number, columns: number): Matrix {
    return matrix(this.allocate(rows * columns), columns);
  }

  /** Allocates a matrix with any entries, for a caller that sets them all. O(1). */
  unsetMatrix(rows: number, columns: number): Matrix {
    return matrix(this.#reserve(rows * columns), columns);
  }

  #grow(end: number): void {
    const wanted = Math.min(MAX_LENGTH, Math.max(end, 2 * this.values.length));
    if (wanted < end)
      throw new RangeError(`expected a network of at most 4 GiB of memory, got one of ${4 * end} bytes`);
    this.#memory.grow(Math.ceil((4 * wanted) / PAGE_BYTES) - this.#memory.buffer.byteLength / PAGE_BYTES);
    this.values = new Float32Array(this.#memory.buffer);
    this.#words = new Int32Array(this.#memory.buffer);
  }

  /**
   * Adds a product: C += A B, where A has `rows` rows and `inner` columns and B has `columns` columns.
   * `columns` is a multiple of `LANES`, and B and C are stored by rows; A may be a transpose. O(rows ·
   * columns · inner), 10 to 20 products per nanosecond on a machine of 2023; three times as many where B was
   * rounded by `roundWeights`, and A is not transposed.
   */
  multiply(c: Matrix, a: Matrix, b: Matrix, rows: number, columns: number, inner: number): void {
    const integers = this.#integers.get(b.at);
    if (integers?.columns === columns && integers.inner === inner && a.column === 1) {
      this.#multiplyIntegers(c, a, integers, rows);
      return;
    }
    this.#kernels.multiply(
      rows,
      4 * c.at,
      4 * a.at,
      4 * b.at,
      columns,
      inner,
      4 * a.row,
      4 * a.column,
      4 * b.row,
      4 * c.row,
    );
  }

  /**
   * Makes products with a matrix of weights faster, for a network that is only read: from now on `multiply`
   * rounds the weights B, and each row of A, to integers with a scale. Weights have an error of at most some
   * 2^-12 of the largest one of their column, inputs of 2^-14 of the largest one of their row. Later changes
   * of the weights have no effect. The integers are allocated; when the integers of one matrix are released, all
   * matrices are as before. O(inner · columns).
   *
   * @param b `inner` rows of `columns` columns, both multiples of `LANES`
   */
  roundWeights(b: Matrix, columns: number, inner: number): void {
    const pairs = this.allocate((inner * columns) / 2);
    const scales = this.allocate(columns);
    const places = {
      pairs: new Int16Array(this.#memory.buffer, 4 * pairs, inner * columns),
      scales: this.values.subarray(scales, scales + columns),
    };
    roundWeights(this.values, { at: b.at, row: b.row, columns, inner }, places);
    this.#integersEnd = this.mark;
    this.#integers.set(b.at, { columns, inner, pairs, scales });
  }

  /**
   * Rounds rows to integers once, for several products of the same rows with rounded weights: returns the matrix, for
   * `multiply` and `rowFrom`, as long as its entries do not change and memory is not released. O(rows · inner).
   */
  withIntegers(a: Matrix, rows: number, inner: number): Matrix {
    if (this.#integers.size === 0) return a;
    const { at, row, column } = a;
    return { at, row, column, integers: this.#roundedRows(a, rows, inner) };
  }

  #roundedRows(a: Matrix, rows: number, inner: number): RoundedRows {
    const at = 4 * this.#reserve(rows * (inner / 2 + 1));
    const scales = at + 2 * rows * inner;
    this.#kernels.roundRows(at, 4 * a.at, rows, inner, 4 * a.row, scales, MAX_INPUT);
    return { rows: at, scales, inner };
  }

  /** Adds a product with weights that were rounded to integers. */
  #multiplyIntegers(
    c: Matrix,
    a: Matrix,
    { columns, inner, pairs, scales }: IntegerWeights,
    rows: number,
  ): void {
    const { mark } = this;
    const rounded = a.integers?.inner === inner ? a.integers : this.#roundedRows(a, rows, inner);
    this.#kernels.multiplyIntegers(
      rows,
      4 * c.at,
      rounded.rows,
      4 * pairs,
      columns,
      inner / 2,
      2 * inner,
      4 * c.row,
      rounded.scales,
      4 * scales,
    );
    this.release(mark);
  }

  /**
   * Adds to row r of a matrix the rows `entries[start[r]]` to before `entries[start[r + 1]]` of a table, in
   * this order. `columns` is a multiple of `LANES`; both matrices are stored by rows. O(entries · columns).
   */
  sumRows(into: Matrix, table: Matrix, columns: number, start: Int32Array, entries: Int32Array): void {
    const { mark } = this;
    const [starts, at] = [this.#integersAt(start), this.#integersAt(entries)];
    const rows = start.length - 1;
    this.#kernels.sumRows(4 * into.at, 4 * into.row, rows, columns, 4 * table.at, 4 * table.row, starts, at);
    this.release(mark);
  }

  /** Copies bytes, with a scale for each row of `width` of them, for `sumByteRows`. O(length). */
  byteMatrix({
    values,
    scales,
    width,
  }: {
    readonly values: Int8Array;
    readonly scales: Float32Array;
    readonly width: number;
  }): ByteMatrix {
    const at = this.#reserve(values.length / 4);
    new Int8Array(this.#memory.buffer, 4 * at, values.length).set(values);
    const scalesAt = this.#reserve(scales.length);
    this.values.set(scales, scalesAt);
    return { at, scales: scalesAt, columns: width };
  }

  /**
   * `sumRows` of a table of bytes: adds each byte, multiplied by the scale of its row and rounded to 32 bits.
   * O(entries · columns).
   */
  sumByteRows(
    into: Matrix,
    { at: table, scales, columns }: ByteMatrix,
    start: Int32Array,
    entries: Int32Array,
  ): void {
    const { mark } = this;
    const [starts, at] = [this.#integersAt(start), this.#integersAt(entries)];
    this.#kernels.sumByteRows(
      4 * into.at,
      4 * into.row,
      start.length - 1,
      columns,
      4 * table,
      4 * scales,
      columns,
      starts,
      at,
    );
    this.release(mark);
  }

  /** Copies integers; returns their address in bytes. */
  #integersAt(integers: Int32Array): number {
    const at = this.#reserve(integers.length);
    this.#words.set(integers, at);
    return 4 * at;
  }

  /**
   * Writes the sums of `count` rows of 8-bit integers, as 32-bit integers. See `ByteTable`.
   * O(count · columns).
   *
   * @param into offset of the sums; `table`: offset of the integers; `rows`: offset of the 32-bit offsets of
   *   the rows, which are counted in bytes from the table on
   * @param columns a multiple of 8
   */
  sumBytes(into: number, columns: number, table: number, rows: number, count: number): void {
    this.#kernels.sumBytes(4 * into, columns, 4 * table, 4 * rows, 4 * (rows + count));
  }

  /**
   * Makes a step of Adam for a range of parameters, and clears their gradients. O(length), one parameter per
   * nanosecond.
   */
  adam(range: AdamRange, options: AdamNumbers): void {
    const { at, length, gradients, means, squares } = range;
    const { factor, decay, squareDecay, rate, correction, epsilon } = options;
    this.#kernels.adam(
      4 * at,
      length,
      4 * (gradients - at),
      4 * (means - at),
      4 * (squares - at),
      factor,
      decay,
      squareDecay,
      rate,
      correction,
      epsilon,
    );
  }

  /**
   * Makes a step of a long short-term memory for some sequences: replaces the sums of the gates by their
   * values, and writes cells, their hyperbolic tangents and states. Hyperbolic tangents have errors below
   * 1e-6. O(rows · units).
   */
  cell({ gates, before, cells, tangents, states, units, rows, statesRow }: CellStep): void {
    this.#kernels.cell(
      4 * gates,
      before < 0 ? -1 : 4 * before,
      4 * cells,
      4 * tangents,
      4 * states,
      4 * units,
      rows,
      16 * units,
      4 * statesRow,
    );
  }

  /**
   * Goes back over a step of a long short-term memory for one sequence: replaces the gates by the gradients
   * of their sums, and adds to the gradients of the cells before. O(units).
   *
   * @param gradients offsets of the gradients of the step's states and cells, and of the cells before
   */
  cellBack(
    { gates, before, tangents, units }: Pick<CellStep, "gates" | "before" | "tangents" | "units">,
    gradients: { readonly states: number; readonly cells: number; readonly before: number },
  ): void {
    this.#kernels.cellBack(
      4 * gates,
      before < 0 ? -1 : 4 * before,
      4 * tangents,
      4 * gradients.states,
      4 * gradients.cells,
      before < 0 ? 0 : 4 * gradients.before,
      4 * units,
    );
  }

  /**
   * Makes steps of a long short-term memory, whose gates have the sums of the inputs: adds the products of the states
   * before and their weights, and writes states. Each step as `cell`. O(rows · units²).
   */
  lstmSteps({ gates, cells, tangents, states, units, weights, steps, rows }: LstmSteps): void {
    const { mark } = this;
    const integers = this.#integers.get(weights.at);
    const isRounded = integers?.columns === 4 * units && integers.inner === units;
    const rounded = isRounded ? 4 * this.#reserve(rows * (units / 2 + 1)) : 0;
    const at = this.#integersAt(steps);
    this.#kernels.lstmSteps(
      4 * gates,
      4 * cells,
      4 * tangents,
      4 * states.at,
      4 * states.row,
      4 * units,
      at,
      at + 4 * steps.length,
      4 * (isRounded ? integers.pairs : weights.at),
      isRounded ? 4 * integers.scales : 0,
      rounded,
      MAX_INPUT,
    );
    this.release(mark);
  }

  /** Replaces `length` entries, a multiple of `LANES`, by their leaky rectified values. O(length). */
  leakyRelu(at: number, length: number): void {
    this.#kernels.leakyRelu(4 * at, length, LEAK);
  }

  /**
   * Writes the leaky rectified sums of pairs of rows: row p of `into` is of rows `pairs[2 p]` of the first matrix and
   * `pairs[2 p + 1]` of the second, whose rows have the same distance. O(pairs · columns).
   */
  pairRows(into: Matrix, first: Matrix, second: Matrix, pairs: Int32Array): void {
    const { mark } = this;
    const at = this.#integersAt(pairs);
    const end = at + 4 * pairs.length;
    this.#kernels.pairRows(
      4 * into.at,
      4 * first.at,
      4 * second.at,
      4 * first.row,
      4 * into.row,
      at,
      end,
      LEAK,
    );
    this.release(mark);
  }

  /** Copies the first `columns` entries, a multiple of `LANES`, of the listed rows. O(entries · columns). */
  gatherRows(into: Matrix, from: Matrix, columns: number, entries: Int32Array): void {
    const { mark } = this;
    const at = this.#integersAt(entries);
    const end = at + 4 * entries.length;
    this.#kernels.copyRows(4 * into.at, 4 * into.row, 4 * from.at, 4 * from.row, 4 * columns, at, end);
    this.release(mark);
  }

  /** Copies one row to each row of a matrix. `columns` is a multiple of `LANES`. O(rows · columns). */
  fillRows(into: Matrix, row: Matrix, rows: number, columns: number): void {
    this.#kernels.fillRows(4 * into.at, 4 * into.row, 4 * row.at, rows, 4 * columns);
  }

  /** Writes the transpose of a matrix of `rows` rows and `columns` columns. O(rows · columns). */
  transpose(into: Matrix, from: Matrix, rows: number, columns: number): void {
    this.#kernels.transpose(4 * into.at, 4 * into.row, 4 * from.at, 4 * from.row, rows, columns);
  }

  /**
   * Writes the terms of the scores of arcs among `length` positions that depend on the head, and on its distance from the
   * modifier: the score of head h for modifier m is in row m and column h. O(length² + length units).
   *
   * @param heads the units of all heads, a column each, of `padded(length)` columns as the scores
   * @param weights of the units
   */
  headScores(scores: Matrix, heads: Matrix, weights: Matrix, terms: HeadTerms): void {
    const { mark } = this;
    const { length, units, middle, most } = terms;
    const alone = 4 * this.#reserve(2 * padded(length));
    this.#kernels.headScores(
      4 * scores.at,
      4 * scores.row,
      4 * heads.at,
      4 * weights.at,
      units,
      4 * middle,
      most,
      length,
      alone,
    );
    this.release(mark);
  }
}

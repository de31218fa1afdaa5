import { MatrixMemory } from "./matrices.ts";

/** Initial number of rows that can be summed at a time. */
const INITIAL_ROWS = 256;

/**
 * A table of 8-bit integers in a WebAssembly memory, for sums of rows that begin anywhere in it: eight
 * entries are added at a time.
 */
export class ByteTable {
  /** Offsets of the rows to sum, to be written by the caller. `reserve` may replace the array. */
  rows: Int32Array = new Int32Array(0);
  /** The sums of the last `sum`, one for each column. `reserve` may replace the array. */
  sums: Int32Array = new Int32Array(0);
  readonly columns: number;
  readonly #memory = new MatrixMemory();
  readonly #table: number;
  /** Offset after the table. */
  readonly #end: number;
  #sums = 0;
  #rows = 0;

  /**
   * Copies a table. O(length).
   *
   * @param columns length of a row: a multiple of 8
   * @throws RangeError when it is not
   * @throws Error where WebAssembly has no 128-bit vectors
   * @throws WebAssembly.CompileError where a content security policy lacks 'wasm-unsafe-eval'
   */
  constructor(values: Int8Array, columns: number) {
    if (!Number.isSafeInteger(columns) || columns < 8 || columns % 8 !== 0)
      throw new RangeError(`expected rows of a multiple of 8 entries, got ${columns}`);
    this.columns = columns;
    this.#table = this.#memory.unsetMatrix(1, Math.ceil(values.length / 4)).at;
    this.#end = this.#memory.mark;
    new Int8Array(this.#memory.values.buffer, 4 * this.#table, values.length).set(values);
    this.reserve(INITIAL_ROWS);
  }

  /** Makes room for the offsets of `count` rows. Those that were written before are lost. */
  reserve(count: number): void {
    if (this.rows.length >= count) return;
    const length = Math.max(count, 2 * this.rows.length);
    this.#memory.release(this.#end);
    this.#sums = this.#memory.allocate(this.columns);
    this.#rows = this.#memory.allocate(length);
    const { buffer } = this.#memory.values;
    this.sums = new Int32Array(buffer, 4 * this.#sums, this.columns);
    this.rows = new Int32Array(buffer, 4 * this.#rows, length);
  }

  /**
   * Writes the sums of the rows at the first `count` offsets, each at most the length of the table less
   * `columns`. O(count · columns).
   */
  sum(count: number): void {
    this.#memory.sumBytes(this.#sums, this.columns, this.#table, this.#rows, count);
  }
}

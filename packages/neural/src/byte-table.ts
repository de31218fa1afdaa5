import { MatrixMemory } from "./matrices.ts";
import { padded } from "./matrix.ts";

/** Initial number of rows that can be summed at a time. */
const INITIAL_ROWS = 256;

/** Number of 32-bit entries that the memory of `tableEntries` has for rows and sums. */
const SPARE = 2 ** 16;

/** Memories of the tables of `tableEntries` that no `ByteTable` has yet. */
const MEMORIES = new WeakMap<Int8Array, MatrixMemory>();

/**
 * Allocates the zeros of a table for the first `ByteTable` that is made of them, which need not copy them: for
 * tables that are filled once, such as in model files. Without WebAssembly, they are in an ordinary array.
 * O(1).
 */
export function tableEntries(length: number): Int8Array {
  try {
    const memory = new MatrixMemory();
    const table = Math.ceil(length / 4);
    const { at } = memory.unsetMatrix(1, table + SPARE);
    memory.release(at + padded(table));
    const entries = new Int8Array(memory.values.buffer, 4 * at, length);
    MEMORIES.set(entries, memory);
    return entries;
  } catch {
    return new Int8Array(length);
  }
}

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
  #memory: MatrixMemory;
  #table: number;
  /** Offset after the table. */
  #end: number;
  /** The entries, where `tableEntries` allocated them: the memory must not grow, which would move them. */
  #shared: Int8Array | undefined;
  #sums = 0;
  #rows = 0;

  /**
   * Copies a table, unless it is the first one of `tableEntries`, whose later changes it sees. O(length).
   *
   * @param columns length of a row: a multiple of 8
   * @throws RangeError when it is not
   * @throws ArcwiseError `no-webassembly` as `MatrixMemory`
   */
  constructor(values: Int8Array, columns: number) {
    if (!Number.isSafeInteger(columns) || columns < 8 || columns % 8 !== 0)
      throw new RangeError(`expected rows of a multiple of 8 entries, got ${columns}`);
    this.columns = columns;
    const memory = MEMORIES.get(values);
    MEMORIES.delete(values);
    this.#memory = memory ?? new MatrixMemory();
    this.#table = memory === undefined ? copied(values, this.#memory) : values.byteOffset / 4;
    this.#end = this.#memory.mark;
    this.#shared = memory && values;
    this.reserve(INITIAL_ROWS);
  }

  /** Allocates the offsets of `count` rows; earlier rows are lost. */
  reserve(count: number): void {
    if (this.rows.length >= count) return;
    const length = Math.max(count, 2 * this.rows.length);
    this.#memory.release(this.#end);
    if (this.#shared !== undefined && !this.#memory.fits(this.columns + length)) {
      this.#memory = new MatrixMemory();
      this.#table = copied(this.#shared, this.#memory);
      this.#end = this.#memory.mark;
      this.#shared = undefined;
    }
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

/** Copies a table into a memory; returns its offset. */
function copied(values: Int8Array, memory: MatrixMemory): number {
  const { at } = memory.unsetMatrix(1, Math.ceil(values.length / 4));
  new Int8Array(memory.values.buffer, 4 * at, values.length).set(values);
  return at;
}

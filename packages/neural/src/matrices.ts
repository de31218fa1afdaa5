import { KERNELS } from "./kernels.ts";

/** A matrix in a `MatrixMemory`: the number in row i and column j is at `at + i row + j column` of its values. */
export interface Matrix {
  readonly at: number;
  /** From a row to the next. */
  readonly row: number;
  /** From a column to the next: 1, but in the view of a matrix as its transpose. */
  readonly column: number;
}

/** A matrix by rows, of so many columns. */
export function matrix(at: number, columns: number): Matrix {
  return { at, row: columns, column: 1 };
}

/** The transpose of a matrix: another view of the same numbers. */
export function transposed({ at, row, column }: Matrix): Matrix {
  return { at, row: column, column: row };
}

/** Numbers from one row to the next are a multiple of this, and so are columns of what `multiply` adds to. */
export const LANES = 4;

/** The next multiple of `LANES`. */
export function padded(columns: number): number {
  return Math.ceil(columns / LANES) * LANES;
}

type Multiply = (
  c: number,
  a: number,
  b: number,
  rows: number,
  columns: number,
  inner: number,
  aRow: number,
  aColumn: number,
  bRow: number,
  cRow: number,
) => void;

type AdamStep = (
  at: number,
  length: number,
  slopes: number,
  means: number,
  squares: number,
  factor: number,
  decay: number,
  squareDecay: number,
  rate: number,
  correction: number,
  least: number,
) => void;

const PAGE = 2 ** 16;
/** Numbers that a memory has at first. */
const FIRST = 2 ** 18;
/** 2^32 bytes is the most that there can be. */
const MOST = 2 ** 30;

/**
 * Numbers of 32 bits in a memory of WebAssembly, where kernels compute four numbers at a time, some seven times as fast as
 * JavaScript. Sums are rounded in a fixed order, so that every machine computes the same bits.
 *
 * Memory is a stack: what was allocated since a mark goes when the memory is released to it.
 */
export class MatrixMemory {
  /** All numbers. Another array after `allocate` had to make room: hold none of it across a call of that. */
  values: Float32Array;
  readonly #memory: WebAssembly.Memory;
  readonly #multiply: Multiply;
  readonly #adam: AdamStep;
  #used = 0;

  /** @throws Error where WebAssembly has no vectors, as in engines of before 2021 */
  constructor() {
    this.#memory = new WebAssembly.Memory({ initial: (4 * FIRST) / PAGE, maximum: (4 * MOST) / PAGE });
    const { exports } = new WebAssembly.Instance(compiled(), { arcwise: { memory: this.#memory } });
    this.#multiply = exports.multiply as unknown as Multiply;
    this.#adam = exports.adam as unknown as AdamStep;
    this.values = new Float32Array(this.#memory.buffer);
  }

  /** Where the next allocation begins. */
  get mark(): number {
    return this.#used;
  }

  /** Gives back what was allocated since the mark. */
  release(mark: number): void {
    this.#used = mark;
  }

  /** Room for so many numbers, which are 0: the place of the first. @throws RangeError when 4 GiB are used up */
  allocate(length: number): number {
    const at = this.#used;
    const end = at + padded(length);
    if (end > this.values.length) this.#grow(end);
    this.#used = end;
    this.values.fill(0, at, end);
    return at;
  }

  /** Room for a matrix of zeros. */
  matrix(rows: number, columns: number): Matrix {
    return matrix(this.allocate(rows * columns), columns);
  }

  #grow(end: number): void {
    const wanted = Math.min(MOST, Math.max(end, 2 * this.values.length));
    if (wanted < end) throw new RangeError(`a network needs ${4 * end} bytes of memory, and can have 4 GiB`);
    this.#memory.grow(Math.ceil((4 * wanted) / PAGE) - this.#memory.buffer.byteLength / PAGE);
    this.values = new Float32Array(this.#memory.buffer);
  }

  /**
   * C += A B, where A has so many rows and `inner` columns, and B so many columns. Those of C and B follow each other, and their
   * number is a multiple of `LANES`; A may be a transpose. O(rows · columns · inner), some 10 to 18 products a nanosecond.
   */
  multiply(c: Matrix, a: Matrix, b: Matrix, rows: number, columns: number, inner: number): void {
    this.#multiply(
      4 * c.at,
      4 * a.at,
      4 * b.at,
      rows,
      columns,
      inner,
      4 * a.row,
      4 * a.column,
      4 * b.row,
      4 * c.row,
    );
  }

  /**
   * A step of `Adam` for so many parameters, a multiple of `LANES`. O(length), a parameter a nanosecond.
   *
   * @param distances from a parameter to its slope, which is cleared, the mean of its slopes and that of their squares
   */
  adam(
    at: number,
    length: number,
    [slopes, means, squares]: readonly [number, number, number],
    { factor, decay, squareDecay, rate, correction, least }: AdamNumbers,
  ): void {
    const bytes = [4 * at, length, 4 * slopes, 4 * means, 4 * squares] as const;
    this.#adam(...bytes, factor, decay, squareDecay, rate, correction, least);
  }

  /** Writes the transpose of a matrix of so many rows and columns by rows. O(rows · columns). */
  transpose(into: Matrix, from: Matrix, rows: number, columns: number): void {
    const { values } = this;
    for (let i = 0; i < rows; i++) {
      const row = from.at + i * from.row;
      for (let j = 0; j < columns; j++) values[into.at + j * into.row + i] = values[row + j]!;
    }
  }
}

/** What a step of `Adam` depends on. */
export interface AdamNumbers {
  /** What slopes are multiplied by first. */
  readonly factor: number;
  readonly decay: number;
  readonly squareDecay: number;
  readonly rate: number;
  /** What means of squares are multiplied by. */
  readonly correction: number;
  /** Added to their roots. */
  readonly least: number;
}

let known: WebAssembly.Module | undefined;

function compiled(): WebAssembly.Module {
  if (known) return known;
  const bytes = Uint8Array.from(atob(KERNELS), (sign) => sign.charCodeAt(0));
  if (!WebAssembly.validate(bytes)) {
    throw new Error(
      "a model with a network needs WebAssembly with vectors of 128 bits, which this engine lacks",
    );
  }
  known = new WebAssembly.Module(bytes);
  return known;
}

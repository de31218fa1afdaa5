import type { SparseVector } from "@arcwise/core";
import { checkInteger } from "../checks.ts";
import { ascending } from "./ascending.ts";

/**
 * A weight vector with the running sum for its average over all steps, updated lazily by the two-vector trick
 * (Daumé III 2006, section 2.2.1): besides w, u = sum of (step × change), and the average of w over T steps
 * is w - u / T. An update costs its own non-zeros, an average costs the dimension.
 */
export class AveragedWeights {
  readonly values: Float32Array;
  readonly weighted: Float32Array;
  /** Number of steps: examples seen, whether or not they changed the weights. */
  steps = 0;
  /** Records which weights `add` changes, and what they were; undefined if nothing needs it. */
  changes: ChangeLog | undefined;

  constructor(dimension: number) {
    checkInteger("dimension", dimension, 1);
    this.values = new Float32Array(dimension);
    this.weighted = new Float32Array(dimension);
  }

  /** Ends a step without changes. */
  skip(): void {
    this.steps++;
  }

  /** Adds `scale` times a sparse vector, and ends the step. O(its entries). */
  add(change: SparseVector, scale: number): void {
    const { values, weighted, steps } = this;
    const { indices, values: amounts, size } = change;
    this.changes?.note(indices, size, this);
    for (let k = 0; k < size; k++) {
      const amount = scale * amounts[k];
      const index = indices[k];
      values[index] += amount;
      weighted[index] += steps * amount;
    }
    this.steps++;
  }

  /** Returns the average of the weights over all steps. O(dimension). */
  average(into: Float32Array = new Float32Array(this.values.length)): Float32Array {
    const { values, weighted, steps } = this;
    const share = steps === 0 ? 0 : 1 / steps;
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      into[i] = value === 0 && weighted[i] === 0 ? 0 : value - share * weighted[i];
    }
    return into;
  }

  /** Returns the average if the learner averages, otherwise the weights of the last step. O(dimension). */
  result(averaged: boolean, into: Float32Array = new Float32Array(this.values.length)): Float32Array {
    if (averaged) return this.average(into);
    into.set(this.values);
    return into;
  }
}

/** Returns a vector of at least `length` entries that begins with the entries of another one, or that one. */
export function longer<V extends Int32Array<ArrayBuffer> | Float32Array<ArrayBuffer>>(
  vector: V,
  length: number,
  Made: new (length: number) => V,
): V {
  if (length <= vector.length) return vector;
  const made = new Made(Math.max(length, 2 * vector.length));
  made.set(vector);
  return made;
}

/** The vectors of weights. */
type Vectors = Pick<AveragedWeights, "values" | "weighted">;

/** The weights that have changed since the last `undo`, each once, with their entries before. */
export class ChangeLog {
  readonly #marks: Uint8Array;
  #indices = new Int32Array(1024);
  #values = new Float32Array(1024);
  #weighted = new Float32Array(1024);
  #size = 0;

  constructor(dimension: number) {
    this.#marks = new Uint8Array(dimension);
  }

  /** Records the first `size` of these weights, before they change. O(size). */
  note(indices: Int32Array, size: number, { values, weighted }: Vectors): void {
    const marks = this.#marks;
    this.#indices = longer(this.#indices, this.#size + size, Int32Array);
    this.#values = longer(this.#values, this.#size + size, Float32Array);
    this.#weighted = longer(this.#weighted, this.#size + size, Float32Array);
    const noted = this.#indices;
    let count = this.#size;
    for (let k = 0; k < size; k++) {
      const index = indices[k];
      if (marks[index] !== 0) continue;
      marks[index] = 1;
      this.#values[count] = values[index];
      this.#weighted[count] = weighted[index];
      noted[count++] = index;
    }
    this.#size = count;
  }

  /** Returns the weights that changed, ascending, as a new array. O(their number). */
  indices(): Int32Array {
    return ascending(this.#indices.subarray(0, this.#size));
  }

  /** Gives the weights that changed their entries before, and forgets them. O(their number). */
  undo({ values, weighted }: Vectors): void {
    for (let k = 0; k < this.#size; k++) {
      const index = this.#indices[k];
      values[index] = this.#values[k];
      weighted[index] = this.#weighted[k];
      this.#marks[index] = 0;
    }
    this.#size = 0;
  }
}

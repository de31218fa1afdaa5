import type { Random } from "@arcwise/core";
import type { MatrixMemory } from "./matrices.ts";
import type { Matrix } from "./matrix.ts";

/**
 * The parameters of a network: one range of a `MatrixMemory`, in which each layer has an offset, and for
 * training a second range of the same length for their gradients.
 */
export class Parameters {
  readonly memory: MatrixMemory;
  /** Offset of the first parameter, and their number. */
  readonly first: number;
  readonly size: number;
  /** Distance from a parameter to its gradient; 0 without training. */
  readonly gradient: number;

  /** @param learning whether to allocate gradients */
  constructor(memory: MatrixMemory, size: number, learning: boolean) {
    this.memory = memory;
    this.size = size;
    this.first = memory.allocate(size);
    this.gradient = learning ? memory.allocate(size) - this.first : 0;
  }

  /** A view of the parameters: read it again after each allocation, since memory may move. */
  get values(): Float32Array {
    return this.memory.values.subarray(this.first, this.first + this.size);
  }

  /** A view of their gradients. */
  get gradients(): Float32Array {
    const first = this.first + this.gradient;
    return this.memory.values.subarray(first, first + this.size);
  }
}

/** Fills `length` entries of a matrix by rows with normally distributed numbers of mean 0. */
export function fillNormal(
  values: Float32Array,
  { at }: Matrix,
  length: number,
  deviation: number,
  stream: Random,
): void {
  for (let i = at; i < at + length; i++) values[i] = deviation * stream.normal();
}

import type { Weights } from "@arcwise/core/features";
import { ByteTable } from "@arcwise/neural";
import type { ArcLines } from "./arc-lines.ts";

/**
 * Sums lines of quantised weights by a WebAssembly kernel, all entries of a line at a time, where the engine
 * has it: the same sums as in JavaScript, in a fraction of the time. Keeps a copy of the weights.
 */
export class LineSums {
  readonly #length: number;
  /** The weights that `#table` has a copy of. */
  #weights: Weights | undefined;
  #table: ByteTable | undefined;

  /** @param length length of a line */
  constructor(length: number) {
    this.#length = length;
  }

  /** Copies weights, unless it was done for the same ones. O(weights). */
  load(weights: Weights): void {
    if (weights === this.#weights) return;
    this.#weights = weights;
    this.#table = weights instanceof Int8Array ? tableOf(weights, this.#length) : undefined;
  }

  /**
   * Prepares for sums of lines that `lines` finds in the sentence that it uses, which it writes where the
   * kernel reads them. Returns whether the kernel can sum them: weights are bytes, and the engine has
   * WebAssembly with 128-bit vectors. O(1), but for new weights.
   */
  prepare(weights: Weights, lines: ArcLines): boolean {
    this.load(weights);
    const table = this.#table;
    if (table === undefined) return false;
    table.reserve(lines.capacity);
    lines.lines = table.rows;
    return true;
  }

  /** Returns the sums of the entries of `count` lines, just found; valid until the next call. */
  sum(count: number): Int32Array {
    const table = this.#table!;
    table.sum(count);
    return table.sums;
  }
}

/** Returns a table for the kernel; undefined if the engine lacks WebAssembly or a page does not allow it. */
function tableOf(weights: Int8Array, length: number): ByteTable | undefined {
  try {
    return new ByteTable(weights, length);
  } catch {
    return undefined;
  }
}

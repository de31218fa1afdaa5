import type { LocalMaximizer } from "./local-maximizer.ts";
import { RowMaximizer } from "./row-maximizer.ts";

/**
 * Returns the maximizer of a dense table over two variables of a and b values; the additional potential of
 * (i, j) is at i b + j. One maximum takes O(a b).
 */
export function denseMaximizer(a: number, b: number): LocalMaximizer {
  return new DenseMaximizer(a, b);
}

/** A configuration is i, j. */
class DenseMaximizer extends RowMaximizer {
  readonly #a: number;
  readonly #b: number;

  constructor(a: number, b: number) {
    super(a + b, a * b, 2);
    this.#a = a;
    this.#b = b;
  }

  maximize(variable: Float64Array, additional: Float64Array, slot: number): number {
    const a = this.#a;
    const b = this.#b;
    let value = -Infinity;
    let best = 0;
    let at = 0;
    for (let i = 0; i < a; i++) {
      const own = variable[i];
      for (let j = 0; j < b; j++, at++) {
        const sum = own + variable[a + j] + additional[at];
        if (sum <= value) continue;
        value = sum;
        best = at;
      }
    }
    const i = (best / b) | 0;
    this.rows[2 * slot] = i;
    this.rows[2 * slot + 1] = best - i * b;
    return value;
  }

  evaluate(variable: Float64Array, additional: Float64Array, slot: number): number {
    const i = this.rows[2 * slot];
    const j = this.rows[2 * slot + 1];
    return variable[i] + variable[this.#a + j] + additional[i * this.#b + j];
  }

  addPosteriors(slot: number, weight: number, variable: Float64Array, additional: Float64Array): void {
    const i = this.rows[2 * slot];
    const j = this.rows[2 * slot + 1];
    variable[i] += weight;
    variable[this.#a + j] += weight;
    additional[i * this.#b + j] += weight;
  }
}

import type { LocalMaximizer } from "./local-maximizer.ts";

/**
 * Returns the maximizer of a dense table over two variables of a and b values; the additional potential of
 * (i, j) is at i b + j. One maximum takes O(a b).
 */
export function denseMaximizer(a: number, b: number): LocalMaximizer {
  return new DenseMaximizer(a, b);
}

class DenseMaximizer implements LocalMaximizer {
  readonly variables: number;
  readonly additional: number;
  readonly #a: number;
  readonly #b: number;
  /** A configuration is i b + j. */
  #pair = new Int32Array(0);

  constructor(a: number, b: number) {
    this.#a = a;
    this.#b = b;
    this.variables = a + b;
    this.additional = a * b;
  }

  reserve(slots: number): void {
    if (this.#pair.length >= slots) return;
    const grown = new Int32Array(slots);
    grown.set(this.#pair);
    this.#pair = grown;
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
    this.#pair[slot] = best;
    return value;
  }

  evaluate(variable: Float64Array, additional: Float64Array, slot: number): number {
    const pair = this.#pair[slot];
    const i = (pair / this.#b) | 0;
    return variable[i] + variable[this.#a + pair - i * this.#b] + additional[pair];
  }

  addPosteriors(slot: number, weight: number, variable: Float64Array, additional: Float64Array): void {
    const pair = this.#pair[slot];
    const i = (pair / this.#b) | 0;
    variable[i] += weight;
    variable[this.#a + pair - i * this.#b] += weight;
    additional[pair] += weight;
  }

  countCommon(slot: number, other: number): number {
    const b = this.#b;
    const first = this.#pair[slot];
    const second = this.#pair[other];
    const i = (first / b) | 0;
    const k = (second / b) | 0;
    return (i === k ? 1 : 0) + (first - i * b === second - k * b ? 1 : 0);
  }

  same(slot: number, other: number): boolean {
    return this.#pair[slot] === this.#pair[other];
  }

  copy(from: number, to: number): void {
    this.#pair[to] = this.#pair[from];
  }
}

import type { LocalMaximizer } from "./local-maximizer.ts";
import { RowMaximizer } from "./row-maximizer.ts";

/**
 * Returns the maximizer of a chain of variables with the given numbers of states. Variables are the states of
 * the first, of the second, ...; the additional potentials are dense tables, one per two adjacent variables, in
 * sequence. One maximum (Viterbi's algorithm) takes O(sum of the tables' sizes).
 */
export function sequenceMaximizer(states: readonly number[]): LocalMaximizer {
  return new SequenceMaximizer(states);
}

/** A configuration is one state per position. */
class SequenceMaximizer extends RowMaximizer {
  /** States of position p: first[p] .. first[p + 1] - 1; table from p to p + 1 begins at table[p]. */
  readonly #first: Int32Array;
  readonly #table: Int32Array;
  readonly #value: Float64Array;
  readonly #back: Int32Array;

  constructor(states: readonly number[]) {
    const first = new Int32Array(states.length + 1);
    const table = new Int32Array(states.length);
    let tables = 0;
    for (let p = 0; p < states.length; p++) {
      first[p + 1] = first[p] + states[p];
      table[p] = tables;
      tables += states[p] * (states[p + 1] ?? 0);
    }
    super(first[states.length], tables, states.length);
    this.#first = first;
    this.#table = table;
    this.#value = new Float64Array(this.variables);
    this.#back = new Int32Array(this.variables);
  }

  maximize(variable: Float64Array, additional: Float64Array, slot: number): number {
    const length = this.width;
    const first = this.#first;
    const table = this.#table;
    const value = this.#value;
    const back = this.#back;
    const path = this.rows;
    for (let i = 0; i < first[1]; i++) value[i] = variable[i];
    for (let p = 1; p < length; p++) {
      const from = first[p - 1];
      const to = first[p];
      const width = first[p + 1] - to;
      const start = table[p - 1];
      for (let j = 0; j < width; j++) {
        let best = -Infinity;
        let origin = from;
        for (let i = from, at = start + j; i < to; i++, at += width) {
          const sum = value[i] + additional[at];
          if (sum <= best) continue;
          best = sum;
          origin = i;
        }
        value[to + j] = best + variable[to + j];
        back[to + j] = origin;
      }
    }
    let state = first[length - 1];
    for (let i = state + 1; i < first[length]; i++) if (value[i] > value[state]) state = i;
    const result = value[state];
    for (let p = length - 1; p >= 0; p--) {
      path[slot * length + p] = state;
      state = back[state];
    }
    return result;
  }

  /**
   * Returns the index of the additional potential between position p and the next one, in the configuration
   * that starts at `at`.
   */
  #cell(at: number, p: number): number {
    const path = this.rows;
    const first = this.#first;
    const table = this.#table;
    const next = first[p + 1];
    return table[p] + (path[at + p] - first[p]) * (first[p + 2] - next) + path[at + p + 1] - next;
  }

  evaluate(variable: Float64Array, additional: Float64Array, slot: number): number {
    const length = this.width;
    const path = this.rows;
    const at = slot * length;
    let sum = 0;
    for (let p = 0; p < length; p++) {
      sum += variable[path[at + p]];
      if (p < length - 1) sum += additional[this.#cell(at, p)];
    }
    return sum;
  }

  addPosteriors(slot: number, weight: number, variable: Float64Array, additional: Float64Array): void {
    const length = this.width;
    const path = this.rows;
    const at = slot * length;
    for (let p = 0; p < length; p++) {
      variable[path[at + p]] += weight;
      if (p < length - 1) additional[this.#cell(at, p)] += weight;
    }
  }
}

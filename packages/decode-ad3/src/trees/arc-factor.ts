import { ListMaximizer } from "../solver/list-maximizer.ts";
import type { PartSums } from "./part-sums.ts";

/**
 * Base class of factors over arcs. A factor scores its own parts and its share of the arc scores, so that no
 * array of parts is passed around.
 */
export abstract class ArcFactor extends ListMaximizer {
  variables = 0;
  readonly additional = 0;
  readonly ownScores: boolean = true;
  /** The arc that each variable stands for. */
  arcs = new Int32Array(16);
  /** The factor's share of the score of each of its arcs. */
  potentials = new Float64Array(16);
  protected own = new Float64Array(8);
  #sums = new Float64Array(16);
  #slots = 0;

  /**
   * Writes a best configuration to a slot; its own score is the score of the parts alone. -Infinity when
   * there is none.
   */
  protected abstract best(potentials: Float64Array, slot: number): number;

  /**
   * Writes the configuration in which exactly the variables with `on[arc]` are on to a slot. Returns the
   * score of its parts; -Infinity when the factor forbids it.
   */
  abstract configure(on: Uint8Array, slot: number): number;

  /**
   * Adds `weight` to the entries of the parts that the configuration of a slot has. Most factors score no
   * parts.
   */
  addParts(_slot: number, _weight: number, _sums: PartSums): void {}

  /** Returns the maximum under the factor's own potentials: `maximize` without any others. */
  solve(slot: number): number {
    return this.best(this.potentials, slot);
  }

  maximize(variable: Float64Array, _additional: Float64Array, slot: number): number {
    const { potentials, variables, places } = this;
    const sums = this.#sums;
    for (let i = 0; i < variables; i++) sums[i] = potentials[i] + variable[i];
    const value = this.best(sums, slot);
    if (value === -Infinity) return value;
    const from = slot * this.stride + 1;
    const to = from + places[from - 1];
    let share = 0;
    for (let at = from; at < to; at++) share += potentials[places[at]];
    this.own[slot] += share;
    return value;
  }

  override reserve(slots: number): void {
    this.#slots = Math.max(this.#slots, slots);
    // One more slot, for trees that are scored while the others are in use.
    super.reserve(this.#slots + 1);
    if (this.own.length <= this.#slots) {
      const grown = new Float64Array(2 * this.#slots + 2);
      grown.set(this.own);
      this.own = grown;
    }
  }

  /** Returns the score of the parts that are on when these arcs are. */
  scoreOf(on: Uint8Array): number {
    return this.configure(on, this.#slots);
  }

  evaluate(variable: Float64Array, _additional: Float64Array, slot: number): number {
    const { places } = this;
    const from = slot * this.stride + 1;
    const to = from + places[from - 1];
    let sum = this.own[slot];
    for (let at = from; at < to; at++) sum += variable[places[at]];
    return sum;
  }

  addPosteriors(slot: number, weight: number, variable: Float64Array): void {
    const { places } = this;
    const from = slot * this.stride + 1;
    const to = from + places[from - 1];
    for (let at = from; at < to; at++) variable[places[at]] += weight;
  }

  /** Returns the number of variables that are on in one of two slots and off in the other. */
  difference(slot: number, other: number): number {
    const { places, stride } = this;
    return places[slot * stride] + places[other * stride] - 2 * this.countCommon(slot, other);
  }

  /** Flips the marks of the arcs whose variables are on in one of two slots and off in the other. */
  markDifference(slot: number, other: number, marks: Uint8Array): void {
    const { places, stride, arcs } = this;
    const from = slot * stride + 1;
    const to = from + places[from - 1];
    const otherFrom = other * stride + 1;
    const otherTo = otherFrom + places[otherFrom - 1];
    for (let at = from; at < to; at++) marks[arcs[places[at]]] ^= 1;
    for (let at = otherFrom; at < otherTo; at++) marks[arcs[places[at]]] ^= 1;
  }

  /**
   * Takes a subgradient step: where the two slots differ, subtracts `amount` from the potentials of variables
   * that are on in the first, adds it to those that are on in the second, and does the opposite to the arc
   * scores.
   */
  move(slot: number, other: number, amount: number, scores: Float64Array): void {
    const { places, stride, potentials, arcs } = this;
    let i = slot * stride + 1;
    let j = other * stride + 1;
    const iEnd = i + places[i - 1];
    const jEnd = j + places[j - 1];
    while (i < iEnd || j < jEnd) {
      const a = i < iEnd ? places[i] : this.variables;
      const b = j < jEnd ? places[j] : this.variables;
      if (a < b) {
        potentials[a] -= amount;
        scores[arcs[a]] += amount;
      } else if (b < a) {
        potentials[b] += amount;
        scores[arcs[b]] -= amount;
      }
      if (a <= b) i++;
      if (b <= a) j++;
    }
  }

  /** Returns the score of the configuration of a slot without the potentials that the caller passes. */
  ownScore(slot: number): number {
    return this.own[slot];
  }

  /**
   * Resets the factor to `variables` variables, at most `most` of them on, with one slot. All potentials are
   * 0.
   */
  protected start(variables: number, most: number): void {
    this.variables = variables;
    if (this.arcs.length < variables) {
      this.arcs = new Int32Array(2 * variables);
      this.potentials = new Float64Array(2 * variables);
      this.#sums = new Float64Array(2 * variables);
    }
    this.potentials.fill(0, 0, variables);
    this.stride = most + 1;
    this.#slots = 0;
    this.reserve(1);
  }
}

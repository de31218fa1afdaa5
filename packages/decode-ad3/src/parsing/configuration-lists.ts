import type { LocalMaximizer } from "../solver/local-maximizer.ts";

/**
 * A local maximizer whose configurations are ascending lists of the variables that are on, each with a score of its own:
 * the parts that it pays for. That score is one additional potential of coefficient 1, so that a factor has the same
 * configurations, and no array of parts, however many parts it scores.
 */
export abstract class ConfigurationLists implements LocalMaximizer {
  variables = 0;
  readonly additional: number;
  /** `places[s * stride]` variables are on in slot s; they follow in ascending order. */
  protected places = new Int32Array(64);
  protected own = new Float64Array(8);
  protected stride = 1;
  private slots = 0;

  /** @param additional - 1 when configurations have a score of their own, else 0 */
  constructor(additional: 0 | 1) {
    this.additional = additional;
  }

  abstract maximize(variable: Float64Array, additional: Float64Array, slot: number): number;

  reserve(slots: number): void {
    this.slots = Math.max(this.slots, slots);
    const end = this.slots * this.stride;
    if (this.places.length < end) {
      const grown = new Int32Array(2 * end);
      grown.set(this.places);
      this.places = grown;
    }
    if (this.own.length < this.slots) {
      const grown = new Float64Array(2 * this.slots);
      grown.set(this.own);
      this.own = grown;
    }
  }

  evaluate(variable: Float64Array, additional: Float64Array, slot: number): number {
    const { places } = this;
    const from = slot * this.stride + 1;
    const to = from + places[from - 1]!;
    let sum = this.additional === 0 ? 0 : additional[0]! * this.own[slot]!;
    for (let at = from; at < to; at++) sum += variable[places[at]!]!;
    return sum;
  }

  addPosteriors(slot: number, weight: number, variable: Float64Array, additional: Float64Array): void {
    const { places } = this;
    const from = slot * this.stride + 1;
    const to = from + places[from - 1]!;
    for (let at = from; at < to; at++) variable[places[at]!]! += weight;
    if (this.additional > 0) additional[0]! += weight * this.own[slot]!;
  }

  countCommon(slot: number, other: number): number {
    const { places, stride } = this;
    let i = slot * stride + 1;
    let j = other * stride + 1;
    const iEnd = i + places[i - 1]!;
    const jEnd = j + places[j - 1]!;
    let count = 0;
    while (i < iEnd && j < jEnd) {
      const difference = places[i]! - places[j]!;
      if (difference === 0) count++;
      if (difference <= 0) i++;
      if (difference >= 0) j++;
    }
    return count;
  }

  same(slot: number, other: number): boolean {
    const { places, stride } = this;
    const i = slot * stride;
    const j = other * stride;
    const count = places[i]!;
    for (let k = 0; k <= count; k++) if (places[i + k] !== places[j + k]) return false;
    return true;
  }

  copy(from: number, to: number): void {
    const { places, stride, own } = this;
    const i = from * stride;
    const j = to * stride;
    const count = places[i]!;
    for (let k = 0; k <= count; k++) places[j + k] = places[i + k]!;
    own[to] = own[from]!;
  }

  /** The score of the parts that the configuration of a slot pays for. */
  ownScore(slot: number): number {
    return this.own[slot]!;
  }

  /** Whether the variable is on in the slot. O(variables that are on). */
  isOn(slot: number, variable: number): boolean {
    const { places } = this;
    const from = slot * this.stride + 1;
    const to = from + places[from - 1]!;
    for (let at = from; at < to; at++) if (places[at] === variable) return true;
    return false;
  }

  /** Forgets all configurations: from now on there are `variables` variables, at most `most` of them on, and one slot. */
  protected start(variables: number, most: number): void {
    this.variables = variables;
    this.stride = most + 1;
    this.slots = 0;
    this.reserve(1);
  }
}

import type { LocalMaximizer } from "./local-maximizer.ts";

/**
 * Base class of maximizers whose configurations are determined by the variables that are on: each slot is an
 * ascending list of them.
 */
export abstract class ListMaximizer implements LocalMaximizer {
  abstract readonly variables: number;
  abstract readonly additional: number;
  /**
   * `places[s * stride]` is the number of variables that are on in slot s; their indices follow in ascending
   * order.
   */
  protected places: Int32Array = new Int32Array(64);
  protected stride = 1;

  abstract maximize(variable: Float64Array, additional: Float64Array, slot: number): number;

  abstract evaluate(variable: Float64Array, additional: Float64Array, slot: number): number;

  abstract addPosteriors(
    slot: number,
    weight: number,
    variable: Float64Array,
    additional: Float64Array,
  ): void;

  reserve(slots: number): void {
    const end = slots * this.stride;
    if (this.places.length >= end) return;
    const grown = new Int32Array(2 * end);
    grown.set(this.places);
    this.places = grown;
  }

  countCommon(slot: number, other: number): number {
    const { places, stride } = this;
    let i = slot * stride + 1;
    let j = other * stride + 1;
    const iEnd = i + places[i - 1];
    const jEnd = j + places[j - 1];
    let count = 0;
    while (i < iEnd && j < jEnd) {
      const difference = places[i] - places[j];
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
    const count = places[i];
    for (let k = 0; k <= count; k++) if (places[i + k] !== places[j + k]) return false;
    return true;
  }
}

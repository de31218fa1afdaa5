import type { LocalMaximizer } from "./local-maximizer.ts";

/**
 * Base class of maximizers whose configurations have one variable that is on in each of a fixed number of
 * groups: each slot is a row of numbers, one per group.
 */
export abstract class RowMaximizer implements LocalMaximizer {
  readonly variables: number;
  readonly additional: number;
  /** Slot s is at s width .. s width + width - 1. */
  protected rows: Int32Array = new Int32Array(0);
  protected readonly width: number;

  constructor(variables: number, additional: number, width: number) {
    this.variables = variables;
    this.additional = additional;
    this.width = width;
  }

  abstract maximize(variable: Float64Array, additional: Float64Array, slot: number): number;

  abstract evaluate(variable: Float64Array, additional: Float64Array, slot: number): number;

  abstract addPosteriors(
    slot: number,
    weight: number,
    variable: Float64Array,
    additional: Float64Array,
  ): void;

  reserve(slots: number): void {
    if (this.rows.length >= slots * this.width) return;
    const grown = new Int32Array(slots * this.width);
    grown.set(this.rows);
    this.rows = grown;
  }

  countCommon(slot: number, other: number): number {
    const { rows, width } = this;
    let count = 0;
    // Whether two entries are equal is unpredictable: no branch.
    for (let i = 0, a = slot * width, b = other * width; i < width; i++) {
      const difference = rows[a + i] - rows[b + i];
      count += (difference | -difference) >>> 31;
    }
    return width - count;
  }

  same(slot: number, other: number): boolean {
    return this.countCommon(slot, other) === this.width;
  }
}

/**
 * Bins of the positive integers by ascending upper bounds: `[1, 2, 5]` gives 1, 2, 3-5 and all above 5, one
 * bin more than bounds.
 */
export class Bins {
  readonly #bounds: readonly number[];
  /** Names of the bins: `1`, `3-5`, `>5`. */
  readonly names: readonly string[];

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    const from = [0, ...bounds].map((bound) => bound + 1);
    const ranges = bounds.map((bound, i) => (from[i] === bound ? `${bound}` : `${from[i]}-${bound}`));
    this.names = [...ranges, `>${bounds.at(-1)}`];
  }

  /** Returns the index of the bin of a value. */
  of(value: number): number {
    let bin = 0;
    while (bin < this.#bounds.length && value > this.#bounds[bin]!) bin++;
    return bin;
  }
}

/**
 * Bins of the positive integers by ascending upper bounds: `[1, 2, 5]` gives 1, 2, 3-5 and all above 5, one
 * bin more than bounds.
 */
export class Bins {
  readonly #bounds: readonly number[];
  /** Names of the bins: `1`, `3-5`, `>5`. */
  readonly names: readonly string[];

  /** @throws RangeError unless the bounds are ascending integers >= 1 */
  constructor(bounds: readonly number[], what: string) {
    for (let i = 0; i < bounds.length; i++) {
      const least = i === 0 ? 1 : bounds[i - 1]! + 1;
      if (!(Number.isInteger(bounds[i]) && bounds[i]! >= least)) {
        throw new RangeError(`${what}: expected ascending integers >= 1, got ${bounds.join(", ")}`);
      }
    }
    this.#bounds = bounds;
    this.names = [
      ...bounds.map((bound, i) => stretch((bounds[i - 1] ?? 0) + 1, bound)),
      `>${bounds.at(-1) ?? 0}`,
    ];
  }

  /** Returns the index of the bin of a value. */
  of(value: number): number {
    let bin = 0;
    while (bin < this.#bounds.length && value > this.#bounds[bin]!) bin++;
    return bin;
  }
}

function stretch(from: number, to: number): string {
  return from === to ? `${from}` : `${from}-${to}`;
}

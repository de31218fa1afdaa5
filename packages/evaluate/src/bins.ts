import { satisfying } from "@arcwise/core/options";

/** Accepts upper bounds of bins. */
export const bounds = satisfying<readonly number[]>(
  "ascending integers of at least 1",
  (value) =>
    Array.isArray(value) && value.every((bound, i) => Number.isInteger(bound) && bound > (value[i - 1] ?? 0)),
);

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

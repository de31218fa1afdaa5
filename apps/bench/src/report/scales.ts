/** Multiples of powers of ten at which logarithmic axes have ticks, the densest last. */
const MULTIPLES = [[1], [1, 3], [1, 2, 5], [1, 2, 3, 5], [1, 1.5, 2, 3, 4, 5, 7]];

/**
 * Returns ticks of a logarithmic axis, round numbers from `low` to `high`: the densest set of at most
 * `count`, whole decades where there are many. None for an axis that is not positive and finite.
 */
export function logTicks(low: number, high: number, count: number): number[] {
  if (!(low > 0 && high < Infinity)) return [];
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const within = (multiples: readonly number[], every = 1): number[] => {
    const ticks: number[] = [];
    for (let decade = first; decade <= last; decade += every) {
      for (const multiple of multiples) ticks.push(Number(`${multiple}e${decade}`));
    }
    return ticks.filter((tick) => tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9));
  };
  const fitting = MULTIPLES.map((multiples) => within(multiples)).filter(({ length }) => length <= count);
  if (fitting.length > 0) return fitting.at(-1)!;
  let every = 2;
  while (within([1], every).length > count) every++;
  return within([1], every);
}

/** Returns the values whose marks on a logarithmic axis are at least `ratio` apart, the first included. */
export function spreadValues(values: readonly number[], ratio: number): number[] {
  const kept: number[] = [];
  for (const value of values) if (kept.length === 0 || value / kept.at(-1)! >= ratio) kept.push(value);
  return kept;
}

/** Formats a count in few characters: `950`, `1.5k`, `20k`, `3M`. */
export function shortCount(value: number): string {
  const units = [
    { limit: 1e9, unit: "G" },
    { limit: 1e6, unit: "M" },
    { limit: 1e3, unit: "k" },
  ];
  for (const { limit, unit } of units) {
    if (value >= limit * (1 - 1e-9)) return `${Number((value / limit).toPrecision(3))}${unit}`;
  }
  return `${Number(value.toPrecision(3))}`;
}

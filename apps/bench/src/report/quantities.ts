import { type Speed, unclearOrder } from "../measures/in-turn.ts";
import { formatInteger, formatMegabytes, formatPercent, threeDigits } from "../results/format.ts";
import type { Contestant, Measure } from "../results/results.ts";
import { left, right, type Table } from "./report.ts";

/** A quantity of compared items: a column of their table, and a measure of files of results, which `diff` compares. */
export interface Quantity<Item> {
  /** The name of the column; none: only files have it. */
  readonly name?: string;
  readonly hint?: string;
  /** The name of the measure; none: only tables have it. */
  readonly measure?: string;
  readonly unit: Measure["unit"];
  /** Returns the value, with its range over repetitions if there were any; undefined if it was not measured. */
  readonly of: (item: Item) => number | Pick<Speed, "value" | "low" | "high" | "samples"> | undefined;
  /** The format of the column; by default as of the unit. */
  readonly format?: (value: number) => string;
}

const UNITS: Readonly<Record<Measure["unit"], Pick<Measure, "better"> & { format(value: number): string }>> =
  {
    share: { better: "higher", format: formatPercent },
    "words/s": { better: "higher", format: formatInteger },
    s: { better: "lower", format: threeDigits },
    ms: { better: "lower", format: threeDigits },
    bytes: { better: "lower", format: formatMegabytes },
    score: { better: "lower", format: (value) => value.toFixed(4) },
    count: { better: "lower", format: formatInteger },
  };

const measureOf =
  (unit: Measure["unit"]) =>
  (value: number): Measure => ({ value, unit, better: UNITS[unit].better });

/** Returns a share of right answers, from 0 to 1. */
export const share = measureOf("share");
/** Returns a time in seconds, of which less is better. */
export const seconds = measureOf("s");
/** Returns a speed that was measured once. */
export const words = measureOf("words/s");
/** Returns a number of repetitions or parts, of which fewer are better. */
export const count = measureOf("count");
/** Returns the value of an objective. */
export const lower = measureOf("score");

/** Returns an item as a contestant, by the quantities that have a measure. */
export function contestant<Item>(
  about: Omit<Contestant, "measures">,
  item: Item,
  quantities: readonly Quantity<Item>[],
): Contestant {
  const measures = quantities.flatMap(({ measure, unit, of }): [string, Measure][] => {
    const found = of(item);
    if (measure === undefined || found === undefined) return [];
    if (typeof found === "number") return [[measure, measureOf(unit)(found)]];
    const { value, low, high, samples } = found;
    return [[measure, { ...measureOf(unit)(value), low, high, samples }]];
  });
  return { ...about, measures: Object.fromEntries(measures) };
}

/** Returns the table of items, by the quantities that have a name and that some item has. */
export function quantityTable<Item>(
  { title, note }: Pick<Table, "title" | "note">,
  [label, nameOf]: readonly [string, (item: Item) => string],
  items: readonly Item[],
  quantities: readonly Quantity<Item>[],
): Table {
  const columns = quantities.flatMap(({ name, hint, unit, of, format = UNITS[unit].format }) => {
    const values = items.map(of);
    if (name === undefined || values.every((value) => value === undefined)) return [];
    // Values with ranges are speeds.
    const speeds = speedCells(values.filter((value) => typeof value === "object")).values();
    const cells = values.map((value) => {
      if (value === undefined) return "–";
      return typeof value === "number" ? format(value) : speeds.next().value!;
    });
    return [{ column: right(name, hint), cells }];
  });
  return {
    title,
    columns: [left(label), ...columns.map(({ column }) => column)],
    rows: items.map((item, i) => [nameOf(item), ...columns.map(({ cells }) => cells[i]!)]),
    note,
  };
}

/** Formats speeds with their ranges below; ≈ marks those whose order is unclear. */
function speedCells(speeds: readonly Pick<Speed, "value" | "low" | "high">[]): string[] {
  const unclear = unclearOrder(speeds);
  return speeds.map(
    ({ value, low, high }, i) =>
      `${unclear[i] ? "≈ " : ""}${formatInteger(value)}\n${formatInteger(low)}–${formatInteger(high)}`,
  );
}

/* Options of readings, and checks of what their methods take. */
import { isTree, type Sentence } from "@arcwise/core";
import { counted, invalidArgument } from "@arcwise/core/errors";
import { checkArgument, checkOptions, integer, satisfying, words } from "@arcwise/core/options";
import { ANALYSIS_OPTIONS, MARGINAL_OPTIONS } from "../decoding/constraints.ts";
import type { GivenColumns } from "../scoring/network/given-columns.ts";
import type { MarginalOptions, ReadingOptions } from "../types.ts";

const NONE: ReadingOptions = {};

/** Returns the options of a method of a reading. */
export function readingOptions(options: ReadingOptions | undefined, method: string): ReadingOptions {
  return options === undefined ? NONE : checkOptions(ANALYSIS_OPTIONS, options, method);
}

/** Returns the options of `marginals`. */
export function marginalOptions(options: MarginalOptions | undefined): MarginalOptions {
  return options === undefined ? NONE : checkOptions(MARGINAL_OPTIONS, options, "marginals");
}

const COUNT = integer(1, Number.MAX_SAFE_INTEGER);

export function checkCount(k: number): void {
  checkArgument(COUNT, k, "kBest: k");
}

export function checkWords(given: Sentence, length: number): void {
  checkArgument(words, given, "withWords: words");
  if (given.length !== length)
    throw invalidArgument("withWords: words", counted(length, "word"), String(given.length));
}

export function checkHeads(heads: Int32Array, length: number): void {
  const isTreeOfWords = (value: unknown) =>
    value instanceof Int32Array && value.length === length + 1 && isTree(value, { singleRoot: false });
  checkArgument(
    satisfying(`the ${counted(length + 1, "head")} of a tree`, isTreeOfWords),
    heads,
    "shares: heads",
  );
}

const COLUMNS = satisfying("labels and trust by the name of a column", (value) => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.values(value).every(
    (column: unknown) =>
      typeof column === "object" &&
      column !== null &&
      "labels" in column &&
      Array.isArray(column.labels) &&
      column.labels.every((label) => typeof label === "string") &&
      "trust" in column &&
      typeof column.trust === "number",
  );
});

export function checkColumns(given: GivenColumns, length: number): void {
  checkArgument(COLUMNS, given, "columns: given");
  for (const [name, { labels }] of Object.entries(given)) {
    if (labels.length !== length)
      throw invalidArgument(`columns: ${name}`, counted(length, "label"), String(labels.length));
  }
}

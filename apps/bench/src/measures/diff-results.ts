import type { Contestant, Measure, ResultFile, SentenceRights } from "../results/results.ts";
import { difference, holm } from "./decoder-differences.ts";

/** A measure of a contestant in two files. */
export interface MeasureDifference {
  readonly group: string;
  readonly name: string;
  readonly measure: string;
  readonly unit: Measure["unit"];
  readonly first: number;
  readonly second: number;
  /** `second / first`; NaN if both are 0. */
  readonly ratio: number;
  /** Paired bootstrap over sentences, corrected by Holm over all tests of the comparison. */
  readonly p?: number | undefined;
  /** How it is known whether the measure changed; `none` for figures without repetitions. */
  readonly test: "paired bootstrap" | "ranges" | "none";
  /** Whether the test shows that the second is better or worse. */
  readonly verdict: "better" | "worse" | "same" | "unknown";
}

/** The comparison of two files of results. */
export interface ResultDifference {
  readonly rows: readonly MeasureDifference[];
  /** Contestants that are in one file only. */
  readonly onlyFirst: readonly string[];
  readonly onlySecond: readonly string[];
}

/** Level of significance of corrected p-values. */
const LEVEL = 0.05;
/** Which right words a paired test of a measure compares. */
const COUNTED: Readonly<Record<string, "heads" | "arcs">> = { UAS: "heads", LAS: "arcs" };

/**
 * Compares the measures that contestants of the same group and name have in both files: accuracy by a paired
 * bootstrap test over sentences where both counted the same ones, repeated measurements by their ranges.
 */
export function diffResults(first: ResultFile, second: ResultFile, seed: number): ResultDifference {
  const keyOf = ({ group, name }: Contestant): string => `${group}: ${name}`;
  const others = new Map(second.contestants.map((one) => [keyOf(one), one]));
  const known = new Set(first.contestants.map(keyOf));
  const rows = first.contestants.flatMap((one) => {
    const other = others.get(keyOf(one));
    return other === undefined ? [] : differences(one, other, seed);
  });
  return {
    rows: corrected(rows),
    onlyFirst: [...known].filter((key) => !others.has(key)),
    onlySecond: [...others.keys()].filter((key) => !known.has(key)),
  };
}

function differences(one: Contestant, other: Contestant, seed: number): MeasureDifference[] {
  return Object.entries(one.measures).flatMap(([measure, first]): MeasureDifference[] => {
    const second = other.measures[measure];
    if (second === undefined || second.unit !== first.unit) return [];
    const { group, name } = one;
    const values = { first: first.value, second: second.value, ratio: second.value / first.value };
    const about = { group, name, measure, unit: first.unit, ...values };
    const verdict = verdictOf(first, second);
    const p = pairedP(one.sentences, other.sentences, COUNTED[measure], seed);
    if (p !== undefined) return [{ ...about, p, test: "paired bootstrap", verdict }];
    const apart = areApart(first, second);
    if (apart === undefined) {
      return [{ ...about, test: "none", verdict: verdict === "same" ? verdict : "unknown" }];
    }
    return [{ ...about, test: "ranges", verdict: apart ? verdict : "same" }];
  });
}

function verdictOf(first: Measure, second: Measure): MeasureDifference["verdict"] {
  if (first.value === second.value) return "same";
  return second.value > first.value === (first.better === "higher") ? "better" : "worse";
}

/** Whether two ranges do not overlap; undefined where one of them is missing. */
function areApart(first: Measure, second: Measure): boolean | undefined {
  if (first.low === undefined || first.high === undefined) return undefined;
  if (second.low === undefined || second.high === undefined) return undefined;
  return first.high < second.low || second.high < first.low;
}

function pairedP(
  first: SentenceRights | undefined,
  second: SentenceRights | undefined,
  which: "heads" | "arcs" | undefined,
  seed: number,
): number | undefined {
  if (which === undefined || first === undefined || first.data !== second?.data) return undefined;
  return difference([first, second], which, { seed }).pValue;
}

/** Corrects the p-values of all tests, and calls differences that are not significant the same. */
function corrected(rows: readonly MeasureDifference[]): MeasureDifference[] {
  const tested = rows.filter(({ p }) => p !== undefined);
  const pValues = holm(tested.map(({ p }) => p!));
  const byRow = new Map(tested.map((row, i) => [row, pValues[i]!]));
  return rows.map((row) => {
    const p = byRow.get(row);
    if (p === undefined) return row;
    return { ...row, p, verdict: p < LEVEL ? row.verdict : "same" };
  });
}

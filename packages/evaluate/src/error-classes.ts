import type { ErrorAnalysis } from "./error-analysis.ts";
import type { ClassRow, ScoreRow } from "./tallies.ts";

/** The accuracy of a parser on the words or arcs of one class. */
export interface ClassAccuracy {
  readonly key: string;
  /** Number of gold words or arcs. */
  readonly count: number;
  /** From 0 to 1. */
  readonly score: number;
}

/** Classes of words or arcs by which errors are counted, for tables and figures. */
export interface ErrorClasses {
  readonly title: string;
  /** The title of the names of the classes. */
  readonly classes: string;
  readonly metric: "LAS" | "labelled F1";
  /** How the classes are scored. */
  readonly note: string;
  /** Returns the classes of an analysis. O(classes). */
  scores(errors: ErrorAnalysis): readonly ClassAccuracy[];
}

const labelled = (rows: readonly ClassRow[]): ClassAccuracy[] =>
  rows.map(({ key, gold, labelled: { f1 } }) => ({ key, count: gold, score: f1 }));

const attached = (rows: readonly ScoreRow[]): ClassAccuracy[] =>
  rows.map(({ key, words, las }) => ({ key, count: words, score: las }));

const SHARE = "Share of words with the right head and label.";

/** The classes of `ErrorAnalysis` that reports show (McDonald and Nivre 2007), in the order of reports. */
export const ERROR_CLASSES = {
  sentenceLength: {
    title: "By length of the sentence",
    classes: "words in the sentence",
    metric: "LAS",
    note: SHARE,
    scores: ({ sentenceLength }) => attached(sentenceLength),
  },
  arcLength: {
    title: "By length of the arc",
    classes: "positions from head to modifier",
    metric: "labelled F1",
    note: "Harmonic mean of precision over predicted arcs and recall over gold arcs of a length.",
    scores: ({ arcLength }) => labelled(arcLength),
  },
  depth: {
    title: "By depth",
    classes: "arcs from the root to the word",
    metric: "labelled F1",
    note: "Precision and recall by the depths in the predicted and in the gold tree.",
    scores: ({ depth }) => labelled(depth),
  },
  label: {
    title: "By label",
    classes: "label",
    metric: "labelled F1",
    note: "The most frequent labels, the most frequent first.",
    scores: ({ label }) => labelled(label),
  },
  tag: {
    title: "By tag",
    classes: "gold tag of the word",
    metric: "LAS",
    note: SHARE,
    scores: ({ tag }) => attached(tag),
  },
} as const satisfies Readonly<Record<string, ErrorClasses>>;

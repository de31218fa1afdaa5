import type { Sentence, Word } from "../sentence.ts";

/** What a training found in its data that most users do not intend. Training goes on. */
export interface TrainingWarning {
  /**
   * "several-roots", "non-projective": trees that the decoder cannot find; "self-loops": graphs that decoders
   * cannot find; "distinct-values": a column with nearly as many values as words.
   */
  readonly code: "several-roots" | "non-projective" | "self-loops" | "distinct-values";
  /** One sentence: what was found, and what to do. */
  readonly message: string;
  /** Number of sentences or values that the warning is about. */
  readonly count: number;
  /** Number of all sentences, or of the words with a value. */
  readonly total: number;
}

/** A column of words. */
type Column = Exclude<keyof Word, "form">;

/** Minimum number of different values that a warning is about: a few sentences have few words of each value. */
const MIN_VALUES = 50;
/** Minimum share of different values among the words that have one. */
const MIN_SHARE = 0.5;

/** Returns a warning for each column of sentences that has nearly as many values as words. O(words). */
export function columnWarnings(
  sentences: readonly Sentence[],
  columns: readonly Column[],
): TrainingWarning[] {
  return columns.flatMap((name) => {
    const values = sentences.flatMap((words) => words.map((word) => word[name] ?? ""));
    return distinctValues(name.toUpperCase(), values);
  });
}

/**
 * Returns a warning when there are nearly as many different values as values, as of identifiers: nothing can
 * be learned from them, and training takes long. O(values).
 *
 * @param name the name of the column, for the message
 * @param values a value for each word; empty ones do not count
 * @param units what has the values, for the message
 */
export function distinctValues(
  name: string,
  values: readonly string[],
  units: "words" | "edges" = "words",
): TrainingWarning[] {
  const present = values.filter((value) => value !== "");
  const count = new Set(present).size;
  const total = present.length;
  if (count < MIN_VALUES || count < MIN_SHARE * total) return [];
  const message =
    units === "words"
      ? `${name} has ${count} different values in ${total} words: expected categories that several words ` +
        "share, such as tags; check the column, or leave it empty"
      : `${name} have ${count} different values in ${total} edges: expected categories that several edges share`;
  return [{ code: "distinct-values", message, count, total }];
}

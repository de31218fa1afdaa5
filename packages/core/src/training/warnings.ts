import { counted } from "../errors/counted.ts";
import type { Sentence, Word } from "../sentence.ts";

/** A property of training data that most users do not intend. Training goes on. */
export interface TrainingWarning {
  /**
   * "several-roots", "non-projective": trees that the decoder cannot find; "self-loops": graphs that decoders
   * cannot find; "distinct-values": a column with nearly as many values as words; "missing-vectors": the development set is
   * not scored from raw text, since vectors of other sentences would be needed.
   */
  readonly code: "several-roots" | "non-projective" | "self-loops" | "distinct-values" | "missing-vectors";
  /** One sentence: what was found, and what to do. */
  readonly message: string;
  /** Number of sentences or values that the warning is about. */
  readonly count: number;
  /** Number of all sentences, or of the words with a value. */
  readonly total: number;
}

/** A column of words. */
type Column = Exclude<keyof Word, "form" | "vector">;

/** Minimum number of different values that a warning is about: a few sentences have few words of each value. */
const MIN_VALUES = 50;
/** Minimum share of different values among the words that have one. */
const MIN_SHARE = 0.5;

/** Returns a warning for each column of sentences that has identifiers: see `identifiersOf`. O(words). */
export function columnWarnings(
  sentences: readonly Sentence[],
  columns: readonly Column[],
): TrainingWarning[] {
  return columns.flatMap((name): TrainingWarning[] => {
    if (identifiersOf(sentences, name).size === 0) return [];
    const values = sentences.flatMap((words) => words.map((word) => word[name] ?? "")).filter(Boolean);
    const count = new Set(values).size;
    const message =
      `${name.toUpperCase()} has ${count} different values in ${counted(values.length, "word")}, most of them in one sentence ` +
      "only: expected categories that sentences share, such as tags; check the column, or leave it empty (taggers " +
      "do not learn values of one sentence)";
    return [{ code: "distinct-values", message, count, total: values.length }];
  });
}

/**
 * Returns the values of a column that are in one sentence only, where at least half of the words have such a value,
 * as with identifiers of words or sentences: nothing can be learned from them, and the time to learn labels grows
 * with their number. Empty for other columns. O(words).
 */
export function identifiersOf(sentences: readonly Sentence[], column: Column): ReadonlySet<string> {
  const places = new Map<string, { readonly sentence: number; words: number; isShared: boolean }>();
  let total = 0;
  for (const [s, words] of sentences.entries()) {
    for (const { [column]: value = "" } of words) {
      if (value === "") continue;
      total++;
      const known = places.get(value);
      if (known === undefined) places.set(value, { sentence: s, words: 1, isShared: false });
      else {
        known.words++;
        if (known.sentence !== s) known.isShared = true;
      }
    }
  }
  const own = [...places].filter(([, { isShared }]) => !isShared);
  const words = own.reduce((sum, [, place]) => sum + place.words, 0);
  const isFew = own.length < MIN_VALUES || words < MIN_SHARE * total;
  return new Set(isFew ? [] : own.map(([value]) => value));
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
      ? `${name} has ${count} different values in ${counted(total, "word")}: expected categories that several words ` +
        "share, such as tags; check the column, or leave it empty"
      : `${name} have ${count} different values in ${total} edges: expected categories that several edges share`;
  return [{ code: "distinct-values", message, count, total }];
}

import { type ConlluSentence, sentenceCheck } from "@arcwise/conllu";
import type { Sentence } from "@arcwise/core";
import { checkArgument, flag, number, shaped } from "@arcwise/core/options";
import type { InputColumn, InputProfile } from "@arcwise/parser";

const COLUMNS: readonly InputColumn[] = ["upos", "xpos", "feats", "lemma"];

/** Counts of the words that a pipeline was given, to be compared with the words of its training. Plain data. */
export interface InputCounts {
  words: number;
  /** Words that have each column. */
  readonly having: Record<InputColumn, number>;
  /**
   * Words of letters alone that do not begin with a capital, and words of other scripts than the training words; those of
   * them whose form was not frequent in training; and those of other scripts.
   */
  letterWords: number;
  unknownForms: number;
  otherScript: number;
  /** Number of forms that were frequent in training. */
  knownForms: number;
  /** Words whose universal tag was not in the training data. */
  unknownTags: number;
  /** Words whose DEPS, and empty nodes, were left out or replaced: the graph of another tree. */
  replacedDeps: number;
  replacedNodes: number;
}

/** Returns counts of no words. */
export function noInput(): InputCounts {
  return {
    words: 0,
    having: { upos: 0, xpos: 0, feats: 0, lemma: 0 },
    ...{ letterWords: 0, unknownForms: 0, otherScript: 0, knownForms: 0, unknownTags: 0 },
    ...{ replacedDeps: 0, replacedNodes: 0 },
  };
}

/** Numbers, marks and names are in texts of all languages. */
const LETTERS = /^[\p{Ll}\p{Lo}\p{M}][\p{L}\p{M}]*$/u;

/** Counts the words of a sentence. */
export function countInput(counts: InputCounts, sentence: Sentence, profile: InputProfile | undefined): void {
  counts.knownForms = profile?.forms ?? 0;
  for (const word of sentence) {
    counts.words++;
    for (const column of COLUMNS) if ((word[column] ?? "") !== "") counts.having[column]++;
    if (profile === undefined) continue;
    const isOther = profile.isOtherScript(word.form);
    if (isOther) counts.otherScript++;
    if (isOther || LETTERS.test(word.form)) {
      counts.letterWords++;
      if (!profile.knowsForm(word.form)) counts.unknownForms++;
    }
    if ((word.upos ?? "") !== "" && !profile.knowsTag(word.upos!)) counts.unknownTags++;
  }
}

const COUNT = number(0);
const COUNTS = shaped<InputCounts>("counts of words", {
  words: COUNT,
  having: shaped<Record<InputColumn, number>>("counts by column", {
    upos: COUNT,
    xpos: COUNT,
    feats: COUNT,
    lemma: COUNT,
  }),
  letterWords: COUNT,
  unknownForms: COUNT,
  otherScript: COUNT,
  knownForms: COUNT,
  unknownTags: COUNT,
  replacedDeps: COUNT,
  replacedNodes: COUNT,
});

/** Adds counts to a total. @throws ArcwiseError `invalid-argument` */
export function addCounts(total: InputCounts, counts: InputCounts): void {
  checkArgument(COUNTS, total, "addCounts: total");
  checkArgument(COUNTS, counts, "addCounts: counts");
  total.words += counts.words;
  for (const column of COLUMNS) total.having[column] += counts.having[column];
  for (const count of SUMS) total[count] += counts[count];
  total.knownForms = Math.max(total.knownForms, counts.knownForms);
}
const SUMS = [
  ...(["letterWords", "unknownForms", "otherScript"] as const),
  ...(["unknownTags", "replacedDeps", "replacedNodes"] as const),
];

/** The number of `letterWords` below which a text is too short to tell. */
const MIN_LETTER_WORDS = 5;

/**
 * Returns whether a model does not know most words of a text: the text may be in another language. More than half of the
 * `letterWords` are in another script or, of five or more, unknown: up to three quarters if the model knows few forms, as
 * most words of any text are unknown then.
 *
 * @throws ArcwiseError `invalid-argument`
 */
export function isMostlyUnknown(counts: InputCounts): boolean {
  checkArgument(COUNTS, counts, "isMostlyUnknown: counts");
  const { letterWords, unknownForms, otherScript, knownForms } = counts;
  if (otherScript > 0.5 * letterWords) return true;
  const limit = 0.5 + Math.min(0.25, 500 / knownForms);
  return letterWords >= MIN_LETTER_WORDS && unknownForms > limit * letterWords;
}

/** Calls a function at the end of a text of which the model does not know most words. */
export class UnknownWatch {
  readonly #total = noInput();
  readonly #call: ((counts: InputCounts) => void) | undefined;

  constructor(call: ((counts: InputCounts) => void) | undefined) {
    this.#call = call;
  }

  add(counts: InputCounts): void {
    if (this.#call !== undefined) addCounts(this.#total, counts);
  }

  end(): void {
    if (this.#call !== undefined && isMostlyUnknown(this.#total)) this.#call(this.#total);
  }
}

/**
 * Counts the graph of a sentence whose DEPS are left out, or made anew: empty nodes that no DEPS mention are left out
 * only if DEPS are made anew.
 */
export function addReplacedGraph(counts: InputCounts, { rows }: ConlluSentence, isNew: boolean): void {
  let [words, emptyNodes] = [0, 0];
  for (const row of rows)
    if (row.kind === "empty") emptyNodes++;
    else if (row.kind === "word" && row.deps !== "_") words++;
  counts.replacedDeps += words;
  if (words > 0 || isNew) counts.replacedNodes += emptyNodes;
}

/** Counts a graph as `addReplacedGraph`. @throws ArcwiseError `invalid-argument` */
export function countReplacedGraph(counts: InputCounts, sentence: ConlluSentence, isNew: boolean): void {
  checkArgument(COUNTS, counts, "countReplacedGraph: counts");
  checkArgument(sentenceCheck, sentence, "countReplacedGraph: sentence");
  checkArgument(flag, isNew, "countReplacedGraph: isNew");
  addReplacedGraph(counts, sentence, isNew);
}

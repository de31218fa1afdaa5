import type { Sentence, Word } from "@arcwise/core";
import { type Complete, defineOptions, flag, type OptionsOf, oneOf } from "@arcwise/core/options";
import type { TreePair } from "./pairs.ts";
import { universalRelation } from "./ud-inventory.ts";

/**
 * Which words a score leaves out. `keep`: none. `conllx`, the rule of the CoNLL shared tasks of 2006 and
 * 2007: words whose characters are all of a Unicode category P* (`$` and `+` are not). `upos`: words with the
 * gold tag PUNCT.
 */
export type PunctuationRule = "keep" | "conllx" | "upos";

/** The options that select the words to be scored and the comparison of labels. */
export const SCORING = defineOptions({
  punctuation: { check: oneOf("keep", "conllx", "upos"), help: "words that are left out", default: "keep" },
  subtypes: { check: flag, help: "whether `nmod:poss` and `nmod` are different labels", default: true },
});

/** Options that select the words to be scored and the comparison of labels. */
export interface ScoringOptions extends OptionsOf<typeof SCORING> {}

/** `ScoringOptions` after a check. */
export type Scoring = Complete<typeof SCORING>;

const PUNCTUATION = /^\p{P}+$/u;

/** Returns whether a word is left out. */
export function isLeftOut(word: Word, rule: PunctuationRule): boolean {
  switch (rule) {
    case "keep":
      return false;
    case "conllx":
      return PUNCTUATION.test(word.form);
    case "upos":
      return word.upos === "PUNCT";
  }
}

/** Correctness flags of a sentence, one entry per position (0 included). */
export interface Judgement {
  /** 1 for words that are scored. */
  readonly scored: Uint8Array;
  /** 1 for words with the right head, scored or not. */
  readonly head: Uint8Array;
  /** 1 for words with the right label, scored or not. */
  readonly label: Uint8Array;
  /** Labels as they are compared. */
  readonly goldLabels: readonly string[];
  readonly predictedLabels: readonly string[];
}

/** Compares two trees word by word. O(n). */
export function judge(pair: TreePair, options: Scoring): Judgement {
  const { words, gold, predicted } = pair;
  const goldLabels = comparedLabels(gold.labels, options);
  const predictedLabels = comparedLabels(predicted.labels, options);
  const length = words.length + 1;
  const head = new Uint8Array(length);
  const label = new Uint8Array(length);
  for (let m = 1; m < length; m++) {
    if (gold.heads[m] === predicted.heads[m]) head[m] = 1;
    if (goldLabels[m] === predictedLabels[m]) label[m] = 1;
  }
  return { scored: scoredWords(words, options), head, label, goldLabels, predictedLabels };
}

function scoredWords(words: Sentence, { punctuation }: Scoring): Uint8Array {
  const scored = new Uint8Array(words.length + 1);
  for (let m = 1; m <= words.length; m++) scored[m] = isLeftOut(words[m - 1]!, punctuation) ? 0 : 1;
  return scored;
}

function comparedLabels(labels: readonly string[], { subtypes }: Scoring): readonly string[] {
  return subtypes ? labels : labels.map(universalRelation);
}

/** Returns `part / whole`, or 0 when `whole` is 0. */
export function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

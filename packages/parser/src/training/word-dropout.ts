import { random } from "@arcwise/core";
import { ATTRIBUTES, codeOf, type EncodedSentence, PADDING } from "@arcwise/core/features";

/** The attributes that identify a word, and are unknown for rare words in parsing. */
const LEXICAL = [ATTRIBUTES.indexOf("word"), ATTRIBUTES.indexOf("lemma")] as const;

/** What has each of them in place of an unknown word. */
const UNKNOWN = LEXICAL.map((column) => codeOf(column, 0));

/** What decides which words are made unknown. */
export interface WordDropoutSettings {
  /** A word that was seen c times is made unknown with the probability rate / (rate + c). */
  readonly rate: number;
  readonly seed: number;
}

/**
 * Makes words unknown at random in training, rare ones more often than frequent ones (Iyyer et al. 2015;
 * Kiperwasser and Goldberg 2016), so that a model learns from the other features of a word as well, and what
 * an unknown word does: in a treebank of twenty thousand words most forms come once, and weights of their own
 * would explain every sentence. What is made unknown is form and lemma together; tags, morphology and affixes
 * stay.
 */
export class WordDropout {
  readonly #settings: WordDropoutSettings;
  readonly #counts: readonly ReadonlyMap<number, number>[];

  /** Counts the words of all sentences. O(words). */
  constructor(sentences: Iterable<EncodedSentence>, settings: WordDropoutSettings) {
    const counts = LEXICAL.map(() => new Map<number, number>());
    for (const { n, columns } of sentences) {
      for (const [k, column] of LEXICAL.entries()) {
        const codes = columns[column]!;
        for (let i = 1; i <= n; i++) {
          const code = codes[i + PADDING]!;
          counts[k]!.set(code, (counts[k]!.get(code) ?? 0) + 1);
        }
      }
    }
    this.#settings = settings;
    this.#counts = counts;
  }

  /**
   * A copy of a sentence in which some words are unknown: which, the seed and the number of the step decide.
   * O(n).
   */
  apply(sentence: EncodedSentence, step: number): EncodedSentence {
    const { rate, seed } = this.#settings;
    const stream = random(seed).fork(step);
    const columns = [...sentence.columns];
    for (const column of LEXICAL) columns[column] = columns[column]!.slice();
    for (let i = 1; i <= sentence.n; i++) {
      const draw = stream.next();
      for (const [k, column] of LEXICAL.entries()) {
        const codes = columns[column]!;
        const count = this.#counts[k]!.get(codes[i + PADDING]!) ?? 0;
        if (draw * (rate + count) < rate) codes[i + PADDING] = UNKNOWN[k]!;
      }
    }
    return { ...sentence, columns };
  }
}

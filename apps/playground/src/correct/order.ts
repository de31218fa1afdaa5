import type { ConlluSentence } from "@arcwise/conllu";
import { arcProbability } from "@arcwise/evaluate";
import { wordsOf } from "../shared/sentences.ts";
import { contentOf, type EditDocument, type EditSentence } from "./document.ts";
import { errorsOf } from "./findings.ts";

/** The orders in which sentences are listed. */
export const ORDERS = {
  file: "as in the file",
  doubt: "most uncertain first",
  findings: "most findings first",
  disagreement: "least agreement first",
  length: "shortest first",
} as const;
/** A name of `ORDERS`. */
export type OrderName = keyof typeof ORDERS;

/**
 * Returns the probabilities of the heads of words that MISC gives (`ArcP=0.9731`), as `arcwise parse --marginals`
 * writes them; undefined unless each word has one.
 */
export function statedProbabilities(sentence: ConlluSentence): number[] | undefined {
  const probabilities = wordsOf(sentence).map((word) => arcProbability(word));
  return probabilities.every((one) => one !== undefined) ? probabilities : undefined;
}

/** Returns how uncertain a sentence is: the expected share of wrong heads, from 0 to 1. */
export function doubtOf(probabilities: readonly number[]): number {
  const sum = probabilities.reduce((total, one) => total + 1 - one, 0);
  return probabilities.length === 0 ? 0 : sum / probabilities.length;
}

/** Facts of a sentence that orders compare. */
export interface OrderFacts {
  /** The probabilities of the heads of its words; undefined while they are unknown. */
  readonly probabilities: (sentence: EditSentence) => readonly number[] | undefined;
  /** Number of words on which two annotations differ, by the key of the sentence. */
  readonly differences: (key: number) => number;
}

/** Returns the keys of sentences in an order; sentences that are equal in it are as in the file. O(n log n). */
export function orderedKeys({ sentences }: EditDocument, order: OrderName, facts: OrderFacts): number[] {
  if (order === "file") return sentences.map(({ key }) => key);
  const ranks = sentences.map((one) => ({ key: one.key, rank: rankOf(one, order, facts) }));
  return ranks.sort((a, b) => b.rank - a.rank).map(({ key }) => key);
}

function rankOf(sentence: EditSentence, order: Exclude<OrderName, "file">, facts: OrderFacts): number {
  if (order === "findings") return errorsOf(sentence).length;
  if (order === "disagreement") return facts.differences(sentence.key);
  const { sentence: content } = contentOf(sentence);
  if (order === "length") return -(content?.rows.length ?? 0);
  const probabilities = facts.probabilities(sentence);
  // A sentence that cannot be read needs a look before any other.
  if (content === undefined) return 1;
  return probabilities === undefined ? -1 : doubtOf(probabilities);
}

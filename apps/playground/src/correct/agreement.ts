import type { ConlluSentence } from "@arcwise/conllu";
import { hasCode } from "@arcwise/core/errors";
import { evaluateConllu, type UdEvaluation } from "@arcwise/evaluate";
import { wordsOf } from "../shared/sentences.ts";
import { contentOf, type EditDocument, idOfSentence } from "./document.ts";

/** Columns that two annotations are compared in. */
export const COMPARED = ["lemma", "upos", "xpos", "feats", "head", "deprel", "deps"] as const;
/** A column of `COMPARED`. */
export type ComparedColumn = (typeof COMPARED)[number];

/** Returns the sentences that a second annotation has as well, by `sent_id`, or by their number without IDs. O(n). */
export function pairSentences(own: EditDocument, other: EditDocument): Map<number, ConlluSentence> {
  const byId = new Map<string, ConlluSentence>();
  for (const one of other.sentences) {
    const id = idOfSentence(one);
    if (id !== undefined) byId.set(id, contentOf(one).sentence!);
  }
  const pairs = new Map<number, ConlluSentence>();
  for (const [i, one] of own.sentences.entries()) {
    if (contentOf(one).sentence === undefined) continue;
    const id = idOfSentence(one);
    const place = other.sentences[i];
    const found = id === undefined ? place && contentOf(place).sentence : byId.get(id);
    if (found !== undefined) pairs.set(one.key, found);
  }
  return pairs;
}

/** Whether two sentences have the same words. */
export function sameWords(a: ConlluSentence, b: ConlluSentence): boolean {
  const [own, other] = [wordsOf(a), wordsOf(b)];
  return own.length === other.length && own.every(({ form }, i) => form === other[i]!.form);
}

/** A word on which two annotations differ, and the columns in which they do. */
export interface WordDifference {
  readonly word: number;
  readonly columns: readonly ComparedColumn[];
}

/** Returns the columns that words have in both annotations: a column that one of them lacks is not a difference. O(words). */
export function commonColumns(
  pairs: Iterable<readonly [own: ConlluSentence, other: ConlluSentence]>,
): readonly ComparedColumn[] {
  const all = [...pairs];
  const isUsed = (side: 0 | 1, column: ComparedColumn) =>
    all.some((pair) => wordsOf(pair[side]).some((row) => row[column] !== "_" && row[column] !== -1));
  return COMPARED.filter((column) => isUsed(0, column) && isUsed(1, column));
}

/** Returns the words on which two annotations of the same words differ; undefined for other words. O(n). */
export function differencesOf(
  own: ConlluSentence,
  other: ConlluSentence,
  compared: readonly ComparedColumn[] = COMPARED,
): WordDifference[] | undefined {
  if (!sameWords(own, other)) return undefined;
  const others = wordsOf(other);
  return wordsOf(own).flatMap((row, i) => {
    const columns = compared.filter((column) => row[column] !== others[i]![column]);
    return columns.length === 0 ? [] : [{ word: i + 1, columns }];
  });
}

/** Says how two annotations of a word differ: `nmod of implications / piece`, `upos NOUN / PROPN`. */
export function describeDifference(
  own: ConlluSentence,
  other: ConlluSentence,
  { word, columns }: WordDifference,
): string {
  const [a, b] = [wordsOf(own)[word - 1]!, wordsOf(other)[word - 1]!];
  const headOf = ({ head }: typeof a) =>
    head === 0 ? "the root" : (wordsOf(own)[head - 1]?.form ?? "no head");
  const both = (one: string, two: string) => (one === two ? one : `${one} / ${two}`);
  const isArc = (column: ComparedColumn) => column === "head" || column === "deprel";
  const arc = columns.some(isArc) ? [`${both(a.deprel, b.deprel)} of ${both(headOf(a), headOf(b))}`] : [];
  const others = columns.filter((column) => !isArc(column));
  return [...arc, ...others.map((column) => `${column} ${a[column]} / ${b[column]}`)].join(", ");
}

/** How far two annotations agree. */
export interface Agreement {
  /** Sentences that both have, and those whose characters and trees can be compared. */
  readonly sentences: number;
  readonly compared: number;
  /** Words of the compared sentences. */
  readonly words: number;
  /** The metrics of the CoNLL 2018 shared task. */
  readonly metrics: UdEvaluation["metrics"];
  /** Cohen's kappa of tags, and of relations of words with the same head; NaN if it is undefined. */
  readonly kappa: { readonly upos: number; readonly deprel: number };
}

/** Returns how far two annotations agree over the sentences that both have. O(words). */
export function agreementOf(
  pairs: Iterable<readonly [own: ConlluSentence, other: ConlluSentence]>,
): Agreement {
  const all = [...pairs];
  const compared = all.filter(([own, other]) => isComparable(own, other));
  const { metrics } = evaluateConllu(
    compared.map(([own]) => own),
    compared.map(([, other]) => other),
    { singleRoot: false },
  );
  const same = compared.filter(([own, other]) => sameWords(own, other));
  const words = same.flatMap(([own, other]) => {
    const others = wordsOf(other);
    return wordsOf(own).map((row, i) => [row, others[i]!] as const);
  });
  const attached = words.filter(([a, b]) => a.head === b.head);
  return {
    sentences: all.length,
    compared: compared.length,
    words: words.length,
    metrics,
    kappa: {
      upos: cohensKappa(words.map(([a, b]) => [a.upos, b.upos])),
      deprel: cohensKappa(attached.map(([a, b]) => [a.deprel, b.deprel])),
    },
  };
}

/** Whether the texts of two sentences have the same characters, and both are trees. */
function isComparable(own: ConlluSentence, other: ConlluSentence): boolean {
  try {
    evaluateConllu([own], [other], { singleRoot: false });
    return true;
  } catch (error) {
    if (hasCode(error, "text-mismatch") || hasCode(error, "invalid-sentence")) return false;
    throw error;
  }
}

/**
 * Returns Cohen's kappa of two classifications of the same items: agreement beyond chance. NaN when both use one and
 * the same class. O(items).
 *
 * Cohen 1960, A coefficient of agreement for nominal scales.
 */
export function cohensKappa(pairs: readonly (readonly [string, string])[]): number {
  const [first, second] = [new Map<string, number>(), new Map<string, number>()];
  let same = 0;
  for (const [a, b] of pairs) {
    if (a === b) same++;
    first.set(a, (first.get(a) ?? 0) + 1);
    second.set(b, (second.get(b) ?? 0) + 1);
  }
  const n = pairs.length;
  let chance = 0;
  for (const [value, count] of first) chance += (count * (second.get(value) ?? 0)) / (n * n);
  return (same / n - chance) / (1 - chance);
}

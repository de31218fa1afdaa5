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
  /** Words whose form, or whose universal tag, was not in the training data. */
  unknownForms: number;
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
    ...{ unknownForms: 0, unknownTags: 0, replacedDeps: 0, replacedNodes: 0 },
  };
}

/** Counts the words of a sentence. */
export function countInput(counts: InputCounts, sentence: Sentence, profile: InputProfile | undefined): void {
  for (const word of sentence) {
    counts.words++;
    for (const column of COLUMNS) if ((word[column] ?? "") !== "") counts.having[column]++;
    if (profile === undefined) continue;
    if (!profile.knowsForm(word.form)) counts.unknownForms++;
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
  unknownForms: COUNT,
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
  for (const count of ["unknownForms", "unknownTags", "replacedDeps", "replacedNodes"] as const)
    total[count] += counts[count];
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

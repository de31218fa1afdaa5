import { type ConlluSentence, type SentenceView, viewSentence } from "@arcwise/conllu";
import { ArcwiseError } from "@arcwise/core/errors";
import type { AnalysisSettings, InputCounts, RunOptions, SentenceFailure } from "@arcwise/pipeline";
import { countWords } from "./pieces.ts";
import type { PieceContext } from "./route.ts";

/** Sentences of a request, in order, and of sentences that could not be analysed their failures. */
export type Analysed = SentenceView | SentenceFailure;

/** Returns whether a sentence could not be analysed. */
export function isFailure(analysed: Analysed): analysed is SentenceFailure {
  return "error" in analysed;
}

/** Analyses the sentences of a piece: a list for each, of its trees, or of its failure; and the counts of its words. */
export function analyse(
  { pipeline, sentences, from, vectors, isLost }: PieceContext,
  { constraints, ...settings }: AnalysisSettings & Pick<RunOptions, "constraints">,
): { readonly found: Analysed[][]; readonly input?: InputCounts | undefined } {
  const failure = (k: number, error: unknown): SentenceFailure => ({
    ...{ sentence: viewSentence(sentences[k]!), index: from + k, error },
  });
  if (isLost === true)
    return { found: sentences.map((_, k) => [failure(k, new ArcwiseError("thread-lost", "lost"))]) };
  const tasks = sentences.map((sentence, k) => ({
    sentence,
    constraints: constraints?.(viewSentence(sentence), from + k),
    vectors: vectors?.[k],
  }));
  const { results, counts } = pipeline.analyse(tasks, settings);
  const found = results.map(({ sentences: trees, error }, k): Analysed[] =>
    trees === undefined ? [failure(k, error)] : trees.map(viewSentence),
  );
  return { found, input: counts };
}

/** Returns the counts of sentences that were analysed. */
export function countsOf(analysed: readonly Analysed[]): { sentences: number; words: number } {
  const done = analysed.filter((one): one is SentenceView => !isFailure(one));
  return {
    sentences: done.length,
    words: done.reduce((sum, { rows }: ConlluSentence) => sum + countWords(rows), 0),
  };
}

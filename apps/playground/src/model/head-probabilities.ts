import { type ConlluSentence, sentenceWords } from "@arcwise/conllu";
import { arcIndex } from "@arcwise/core";
import type { Pipeline } from "@arcwise/pipeline";

/**
 * Returns the probability that the parser gives to the head that each word of each sentence has; 0 for words without
 * one. Sentences without tags are tagged. Runs in the worker.
 */
export function headProbabilities(
  pipeline: Pipeline,
  { sentences }: { readonly sentences: readonly ConlluSentence[] },
): number[][] {
  return sentences.map((sentence) => {
    const isTagged = sentenceWords(sentence).every(({ upos }) => upos !== undefined && upos !== "");
    const [reading] = pipeline.read([sentence], { tags: isTagged ? "given" : "predicted" });
    const { arcs, arcProbabilities } = reading!.marginals();
    const heads = sentence.rows.flatMap((row) => (row.kind === "word" ? [row.head] : []));
    return heads.map((head, i) => {
      const arc = head < 0 || head > heads.length ? -1 : arcIndex(arcs, head, i + 1);
      return arc < 0 ? 0 : Math.min(1, arcProbabilities[arc]!);
    });
  });
}

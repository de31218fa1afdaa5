import { type ConlluSentence, enhance } from "@arcwise/conllu";
import { hasGraph, plainSentence } from "./sentences.ts";

/** Returns sentences with graphs: sentences without one get one by rules. */
export function withRuleGraphs(sentences: readonly ConlluSentence[]): readonly ConlluSentence[] {
  return sentences.map((one) => (hasGraph(one) ? one : plainSentence(enhance(one))));
}

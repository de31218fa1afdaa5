import type { ConlluSentence } from "@arcwise/conllu";
import { type DecodingStep, requireCapability } from "@arcwise/core";
import type { Pipeline, PipelineReading } from "@arcwise/pipeline";
import { headProbabilities } from "../correct/worker-calls.ts";
import { decoderNamed } from "./decoders.ts";
import { type ExplainInput, explainArc } from "./explain.ts";
import type { Explanation } from "./explanation.ts";
import type { OtherTree, PlainTree, Ranking } from "./trees.ts";

/** Returns what a worker offers in addition to its pipeline, by name. Sentences keep their tags. */
export function callsOf(pipeline: Pipeline) {
  const readingOf = (sentence: ConlluSentence): PipelineReading =>
    pipeline.read([sentence], { tags: "given" })[0]!;
  return {
    headProbabilities: (input: Parameters<typeof headProbabilities>[1]) => headProbabilities(pipeline, input),
    /** Returns the k best trees and the probabilities of arcs. */
    rank({ sentence, k }: { readonly sentence: ConlluSentence; readonly k: number }): Ranking {
      const reading = readingOf(sentence);
      const { arcs, arcProbabilities } = reading.marginals();
      return {
        trees: reading.kBest(k).map(plainTree),
        probabilities: { arcs: { head: arcs.head, modifier: arcs.modifier }, arcProbabilities },
      };
    },
    /** Returns the tree of another decoder on the same scores. @throws UnsupportedPart, RangeError, NoTree */
    decode({
      sentence,
      decoder,
    }: {
      readonly sentence: ConlluSentence;
      readonly decoder: string;
    }): OtherTree {
      const reading = readingOf(sentence);
      const { heads, score, bound } = decoderNamed(decoder).decode(reading.problem());
      return { ...treeOf(reading, heads), score, bound };
    },
    /** Explains the arc of a word against a rival. @throws NoTree when every tree has the arc */
    explain: (input: ExplainInput): Explanation => explainArc(pipeline, input),
    /** Returns the steps of a decoder. @throws UnsupportedCapability, and what `decode` throws */
    watch({
      sentence,
      decoder,
    }: {
      readonly sentence: ConlluSentence;
      readonly decoder: string;
    }): DecodingStep[] {
      const watched = requireCapability(decoderNamed(decoder), "decodeWithSteps");
      const steps: DecodingStep[] = [];
      watched.decodeWithSteps(readingOf(sentence).problem(), (step) => steps.push(step));
      return steps;
    },
  };
}

/** The functions of `callsOf`. */
export type PlaygroundCalls = ReturnType<typeof callsOf>;

/** Returns the tree of these heads, each arc with its best label. */
function treeOf(reading: PipelineReading, heads: Int32Array): PlainTree {
  return plainTree(reading.best({ constraints: { heads } }));
}

function plainTree({ heads, labels, score }: PlainTree): PlainTree {
  return { heads, labels: [...labels], score };
}

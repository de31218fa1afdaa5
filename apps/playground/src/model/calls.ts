import type { ConlluSentence } from "@arcwise/conllu";
import type { Pipeline } from "@arcwise/pipeline";
import { headProbabilities } from "../correct/worker-calls.ts";

/** A tree as plain data: heads and labels by position, of which entry 0 is the root. */
export interface PlainTree {
  readonly heads: Int32Array;
  readonly labels: readonly string[];
  readonly score: number;
}

/** The k best trees of a sentence, and the probability of each candidate arc. */
export interface Analysis {
  readonly trees: readonly PlainTree[];
  /** Undefined for parsers without probabilities. */
  readonly probabilities: {
    readonly heads: Int32Array;
    readonly modifiers: Int32Array;
    readonly values: Float64Array;
  };
}

/** Returns what a worker offers besides its pipeline, by name. */
export function callsOf(pipeline: Pipeline) {
  return {
    headProbabilities: (input: Parameters<typeof headProbabilities>[1]) => headProbabilities(pipeline, input),
    /** Returns the k best trees of a sentence with tags, and the probabilities of its arcs. */
    analyse({ sentence, k }: { readonly sentence: ConlluSentence; readonly k: number }): Analysis {
      const [reading] = pipeline.read([sentence], { tags: "given" });
      const { arcs, arcProbabilities } = reading!.marginals();
      return {
        trees: reading!.kBest(k).map(({ heads, labels, score }) => ({ heads, labels, score })),
        probabilities: { heads: arcs.head, modifiers: arcs.modifier, values: arcProbabilities },
      };
    },
  };
}

/** The functions of `callsOf`. */
export type PlaygroundCalls = ReturnType<typeof callsOf>;

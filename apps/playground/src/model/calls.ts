import type { ConlluSentence } from "@arcwise/conllu";
import { type DecodingStep, requireCapability } from "@arcwise/core";
import type { Pipeline, PipelineReading } from "@arcwise/pipeline";
import { countLines, type LineCounts } from "@arcwise/tokenize";
import type { ExplainInput, Explanation } from "./explain.ts";
import type { headProbabilities } from "./head-probabilities.ts";

/** A tree as plain data: heads and labels by position, of which entry 0 is the root. */
export interface PlainTree {
  readonly heads: Int32Array;
  readonly labels: readonly string[];
  readonly score: number;
}

/** A tree of another decoder on the scores of the parser, with the decoder's bound of all scores. */
export interface OtherTree extends PlainTree {
  readonly bound: number;
}

/** Candidate arcs and their probabilities, as `withProbabilities` of @arcwise/draw takes them. */
export interface PlainProbabilities {
  readonly arcs: { readonly head: Int32Array; readonly modifier: Int32Array };
  readonly arcProbabilities: Float64Array;
}

/** The k best trees of a sentence, best first, and the probability of each candidate arc. */
export interface Ranking {
  readonly trees: readonly PlainTree[];
  readonly probabilities: PlainProbabilities;
}

/** A sentence, and the name of a decoder for its scores. */
interface DecodeInput {
  readonly sentence: ConlluSentence;
  readonly decoder: string;
}

/**
 * Returns what a worker offers in addition to its pipeline, by name. Sentences keep their tags. The code of a view is
 * loaded by its first call.
 */
export function callsOf(pipeline: Pipeline) {
  const readingOf = (sentence: ConlluSentence): PipelineReading =>
    pipeline.read([sentence], { tags: "given" })[0]!;
  return {
    async headProbabilities(input: Parameters<typeof headProbabilities>[1]) {
      return (await import("./head-probabilities.ts")).headProbabilities(pipeline, input);
    },
    async semanticGraphs({ sentences }: { readonly sentences: readonly ConlluSentence[] }) {
      return (await import("./semantic-graphs.ts")).withSemanticGraphs(pipeline, sentences);
    },
    /** Counts the lines of a text that the tokeniser recognises as sentences. */
    lineCounts({ text }: { readonly text: string }): LineCounts {
      const counter = countLines();
      counter.push(text);
      return counter.end();
    },
    /** Returns the k best trees and the probabilities of arcs. */
    rank({ sentence, k }: { readonly sentence: ConlluSentence; readonly k: number }): Ranking {
      const reading = readingOf(sentence);
      const { arcs, arcProbabilities } = reading.marginals();
      return {
        trees: reading.kBest(k).map(plainTree),
        probabilities: { arcs: { head: arcs.head, modifier: arcs.modifier }, arcProbabilities },
      };
    },
    /** Returns the tree of another decoder on the same scores. */
    async decode({ sentence, decoder }: DecodeInput): Promise<OtherTree> {
      const { decoderNamed } = await import("./decoders.ts");
      const chosen = await decoderNamed(decoder);
      const reading = readingOf(sentence);
      const { heads, score, bound } = chosen.decode(reading.problem());
      return { ...treeOf(reading, heads), score, bound };
    },
    /** Explains the arc of a word against a rival. */
    async explain(input: ExplainInput): Promise<Explanation> {
      return (await import("./explain.ts")).explainArc(pipeline, input);
    },
    /** Returns the steps of a decoder. */
    async watch({ sentence, decoder }: DecodeInput): Promise<DecodingStep[]> {
      const { decoderNamed } = await import("./decoders.ts");
      const watched = requireCapability(await decoderNamed(decoder), "decodeWithSteps");
      const steps: DecodingStep[] = [];
      watched.decodeWithSteps(readingOf(sentence).problem(), (step) => steps.push(step));
      return steps;
    },
  };
}

/** The functions of `callsOf`. */
export type PlaygroundCalls = ReturnType<typeof callsOf>;

/** A call of one of the functions. */
export interface PageCall {
  readonly name: keyof PlaygroundCalls;
  readonly input: unknown;
}

/** Calls one of the functions. Rejects with its error, or with the reason of the signal. */
export type Call = <Name extends keyof PlaygroundCalls>(
  name: Name,
  input: Parameters<PlaygroundCalls[Name]>[0],
  signal?: AbortSignal,
) => Promise<Awaited<ReturnType<PlaygroundCalls[Name]>>>;

/** Returns the tree of these heads, each arc with its best label. */
function treeOf(reading: PipelineReading, heads: Int32Array): PlainTree {
  return plainTree(reading.best({ constraints: { heads } }));
}

function plainTree({ heads, labels, score }: PlainTree): PlainTree {
  return { heads, labels: [...labels], score };
}

import type { Arcs, Decoder } from "@arcwise/core";
import type { EncodedSentence, SentenceEncoder } from "@arcwise/core/features";
import { countErrors, decodeSentence } from "../decoding/decode.ts";
import type { LabelSet } from "../model/model.ts";
import { type Dimensions, trainingWeights } from "../scoring/model-weights.ts";
import { NetworkScorer } from "../scoring/network/network-scorer.ts";
import type { QuantizedNetwork } from "../scoring/network/quantized-network.ts";
import { rememberedTerm } from "../scoring/score-term.ts";
import type { Scorers } from "../scoring/scorers.ts";
import { SentenceScorer } from "../scoring/sentence-scorer.ts";
import type { TrainingExample } from "../types.ts";

/** The scorers and the decoder for parsing during training. */
interface Parsing {
  readonly encoder: SentenceEncoder;
  readonly labels: LabelSet;
  readonly scorers: Scorers;
  readonly decoder: Decoder;
  readonly dimensions: Dimensions;
  readonly candidatesOf: (sentence: EncodedSentence) => Arcs;
  readonly network: QuantizedNetwork | undefined;
}

/** Returns attachment scores of weights on examples, in percent; undefined if these have no words. */
export type TreeEvaluation = (
  weights: () => Float32Array,
) => { readonly uas: number; readonly las: number } | undefined;

/** Prepares examples for parsing with several weights. Arcs have their best labels by sparse features. */
export function evaluation(parsing: Parsing, examples: readonly TrainingExample[]): TreeEvaluation {
  const { encoder, labels, scorers, decoder, dimensions, candidatesOf } = parsing;
  const network = parsing.network && new NetworkScorer(parsing.network, decoder.trees);
  const scorer = new SentenceScorer(scorers, candidatesOf);
  const prepared = examples.map(({ sentence, tree }) => {
    const encoded = encoder.encode(sentence);
    const reading = network?.read(encoded);
    const arcs = scorer.candidates(encoded, reading ? [reading] : []);
    const terms = reading ? [rememberedTerm(reading, arcs)] : [];
    return { encoded, gold: labels.encode(tree), arcs, terms };
  });
  const total = prepared.reduce((words, { encoded }) => words + encoded.n, 0);
  return (weightsOf) => {
    if (total === 0) return undefined;
    const weights = trainingWeights(weightsOf(), dimensions);
    let heads = 0;
    let labelled = 0;
    for (const { encoded, gold, arcs, terms } of prepared) {
      const scored = scorer.score(encoded, weights, { arcs, terms });
      const errors = countErrors(gold, decodeSentence(scored, decoder));
      heads += errors.heads;
      labelled += errors.labelled;
    }
    return { uas: 100 * (1 - heads / total), las: 100 * (1 - labelled / total) };
  };
}

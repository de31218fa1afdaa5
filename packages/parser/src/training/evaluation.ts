import type { Arcs, Decoder } from "@arcwise/core";
import type { EncodedSentence, SentenceEncoder } from "@arcwise/core/features";
import { familyOf } from "../decoding/decoders.ts";
import type { LabelSet } from "../model/model.ts";
import type { NetworkAtRest } from "../model/network-model.ts";
import { NetworkScorer } from "../scoring/network/network-scorer.ts";
import type { TrainingExample } from "../types.ts";
import {
  countErrors,
  type Dimensions,
  decodeProblem,
  type Scorers,
  scoreSentence,
  trainingWeights,
} from "./parsing-task.ts";

/** What parses in training. */
interface Parsing {
  readonly encoder: SentenceEncoder;
  readonly labels: LabelSet;
  readonly scorers: Scorers;
  readonly decoder: Decoder;
  readonly dimensions: Dimensions;
  readonly candidatesOf: (sentence: EncodedSentence) => Arcs;
  readonly network: NetworkAtRest | undefined;
}

/** Attachment scores of weights on examples, in percent; undefined where these have no words. */
export type Evaluation = (
  weights: () => Float32Array,
) => { readonly uas: number; readonly las: number } | undefined;

/** Reads examples once, to parse them with other weights each time: arcs have their best labels, without a labeller. */
export function evaluation(
  { encoder, labels, scorers, decoder, dimensions, candidatesOf, network }: Parsing,
  examples: readonly TrainingExample[],
): Evaluation {
  const scorer = network && new NetworkScorer(network, familyOf(decoder));
  const prepared = examples.map(({ sentence, tree }) => {
    const encoded = encoder.encode(sentence);
    scorer?.read(encoded);
    const likely = candidatesOf(encoded);
    const arcs = scorer ? scorer.keep(likely) : likely;
    const ofNetwork = new Float64Array(arcs.head.length);
    scorer?.addScores(arcs, ofNetwork);
    return { encoded, gold: labels.encode(tree), arcs, ofNetwork };
  });
  const total = prepared.reduce((words, { encoded }) => words + encoded.n, 0);
  return (weightsOf) => {
    if (total === 0) return undefined;
    const weights = trainingWeights(weightsOf(), dimensions);
    let heads = 0;
    let labelled = 0;
    for (const { encoded, gold, arcs, ofNetwork } of prepared) {
      const problem = scoreSentence(scorers, encoded, arcs, weights);
      for (const [a, score] of ofNetwork.entries()) problem.arcScores[a]! += score;
      const errors = countErrors(gold, decodeProblem(problem, scorers.arcs, decoder));
      heads += errors.heads;
      labelled += errors.labelled;
    }
    return { uas: 100 * (1 - heads / total), las: 100 * (1 - labelled / total) };
  };
}

import { countErrors, decodeSentence } from "../decoding/decode.ts";
import { trainingWeights } from "../scoring/model-weights.ts";
import { NetworkScorer } from "../scoring/network/network-scorer.ts";
import type { QuantizedNetwork } from "../scoring/network/quantized-network.ts";
import { rememberedTerm } from "../scoring/score-term.ts";
import { SentenceScorer } from "../scoring/sentence-scorer.ts";
import type { TrainingExample } from "../types.ts";
import type { TrainingContext } from "./context.ts";
import type { Pruning } from "./stages/prune.ts";

/** Returns attachment scores of weights on examples, in percent; undefined if these have no words. */
type TreeEvaluation = (
  weights: () => Float32Array,
) => { readonly uas: number; readonly las: number } | undefined;

/**
 * Prepares the development set, or other examples, for parsing with several weights. Arcs have their best labels by sparse
 * features.
 */
export function evaluator(
  { encoder, labels, scorers, settings: { decoder }, dimensions, run }: TrainingContext,
  { candidates }: Pruning,
  trained: QuantizedNetwork | undefined,
  examples: readonly TrainingExample[] = run.dev,
): TreeEvaluation {
  const network = trained && new NetworkScorer(trained, decoder.trees);
  const scorer = new SentenceScorer(scorers, candidates);
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

import type { Arcs } from "@arcwise/core";
import type { QuantizedWeights } from "@arcwise/core/container";
import type { EncodedSentence } from "@arcwise/core/features";
import type { TrainedModel } from "../../model/model.ts";
import { crossFitPruner } from "../../pruning/prune-training.ts";
import { candidates, type PruneOptions, Pruner } from "../../pruning/pruner.ts";
import type { Reach } from "../../pruning/reach.ts";
import type { EncodedTree } from "../../scoring/arcs/label-filter.ts";
import type { ParserModel } from "../../types.ts";
import type { ParserStage } from "../context.ts";
import type { Order, Settings } from "../settings.ts";

const PRUNER_RECALL: Readonly<Record<Order, number>> = { 1: 0.994, 2: 0.996, 3: 0.996 };
/**
 * Recall of the pruner in parsing, at which accuracy on development data is the same as with all candidates
 * of training.
 */
const PARSING_RECALL: Readonly<Record<Order, number>> = { 1: 0.98, 2: 0.996, 3: 0.996 };

/** Maximum number of candidate heads per word. */
const MOST = 16;

/** Estimated microseconds per word of a pruner, and pruners of the cross-fitting. */
const WORK = 110;
const PRUNERS = 5;

/** The candidate arcs of a training run, and the pruner of other sentences. */
export interface Pruning {
  /** Candidates of the training sentences, which include the arcs of their gold trees. */
  readonly arcs: readonly Arcs[];
  /**
   * Trees of the training sentences by the pruner, so that the labeller learns in trees with errors;
   * undefined without a pruner.
   */
  readonly trees: readonly Int32Array[] | undefined;
  readonly options: PruneOptions | false;
  readonly description: ParserModel["description"]["pruning"];
  readonly weights: QuantizedWeights;
  readonly reach: Reach;
  candidates(sentence: EncodedSentence): Arcs;
}

/** Trains the pruner, unless all arcs are candidates. A network alone does not need candidates. */
export const pruneStage: ParserStage<object, Pruning | undefined> = {
  work: (words, { prune }) => (prune ? PRUNERS * words * WORK : 0),
  async run({ sentences, golds, configuration, settings, run, base }) {
    if (!settings.terms.includes("features")) return undefined;
    if (base !== undefined && base.configuration.pruning !== false)
      return prunedAsBefore(base, base.configuration.pruning, sentences, golds);
    if (!settings.prune) {
      const all = candidates(undefined, false);
      return {
        arcs: sentences.map(all),
        trees: undefined,
        options: false,
        description: false,
        weights: { values: new Int8Array(0), scale: 1 },
        reach: new Int32Array(0),
        candidates: all,
      };
    }
    const { pruner, pruning, arcs, trees, ...measured } = await crossFitPruner({
      ...{ sentences, golds, configuration },
      most: MOST,
      recall: recallsOf(settings),
      seed: settings.seed,
      place: run.place,
      onProgress: (at) => run.reporter.report("prune", at),
      signal: run.signal,
    });
    return {
      arcs,
      trees,
      options: pruning,
      description: { ...pruning, ...measured },
      weights: { values: pruner.table.values as Int8Array, scale: pruner.table.scale },
      reach: pruner.reach,
      candidates: candidates(pruner, pruning),
    };
  },
};

/** Prunes by the pruner of a model that is continued. The arcs of gold trees are candidates in any case. */
function prunedAsBefore(
  { prunerWeights, reach, configuration, description }: TrainedModel,
  options: PruneOptions,
  sentences: readonly EncodedSentence[],
  golds: readonly EncodedTree[],
): Pruning {
  const pruner = new Pruner({ ...prunerWeights, first: 0 }, reach, configuration);
  const pruned = sentences.map((sentence, i) => pruner.prune(sentence, options, golds[i].heads));
  return {
    arcs: pruned.map(({ arcs }) => arcs),
    trees: pruned.map(({ tree }) => tree),
    options,
    description: description.pruning,
    weights: prunerWeights,
    reach,
    candidates: candidates(pruner, options),
  };
}

/** Recalls in training and parsing; probabilities need the unlikely heads too. */
function recallsOf({ order, learner }: Settings): { training: number; parsing: number } {
  const training = PRUNER_RECALL[order];
  return { training, parsing: learner.unit === "log-probability" ? training : PARSING_RECALL[order] };
}

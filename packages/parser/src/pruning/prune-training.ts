import type { Arcs } from "@arcwise/core";
import { exp } from "@arcwise/core/arithmetic";
import { quantize } from "@arcwise/core/container";
import type { EncodedTree } from "../scoring/arcs/label-filter.ts";
import { type CrossFit, candidateHistogram, crossFit, eachSentence } from "./cross-fit.ts";
import { type PruneOptions, Pruner, type PrunerConfiguration } from "./pruner.ts";
import { type TrainedFold, treeFoldJob } from "./tree-pruner-jobs.ts";

/** Maximum mean number of candidates per word for the required recall. */
const CANDIDATES = 5.5;

export interface PrunerTrainingOptions
  extends Omit<CrossFit<EncodedTree, PrunerConfiguration, TrainedFold>, "job"> {
  /** Maximum number of heads per word. */
  readonly most: number;
  /** Share of the gold heads within reach to keep, for training and for parsing. */
  readonly recall: { readonly training: number; readonly parsing: number };
}

/** A trained pruner, its thresholds, and the candidate arcs of the training sentences. */
export interface TrainedPruner {
  readonly pruner: Pruner;
  /** The thresholds of parsing. */
  readonly pruning: PruneOptions;
  /** One a sentence; with the arcs of its gold tree. */
  readonly arcs: readonly Arcs[];
  /** The best projective tree of each training sentence by a pruner that was not trained on it. */
  readonly trees: readonly Int32Array[];
  /**
   * Share of gold heads kept in parsing, and candidates a word, in sentences that the pruner was not trained
   * on.
   */
  readonly recall: number;
  readonly candidates: number;
}

/**
 * Trains a pruner by cross-fitting. The candidates of each fold of the training sentences come from a pruner
 * trained on the others, so that they resemble the candidates of unseen sentences. The thresholds are chosen
 * on them too: the narrowest that keeps a share of the gold heads within reach, but no more than 5.5 heads a
 * word. Training uses more candidates than parsing: arcs that the model never chooses improve its weights,
 * but only cost time in parsing.
 */
export async function crossFitPruner({
  most,
  recall: wanted,
  ...fit
}: PrunerTrainingOptions): Promise<TrainedPruner> {
  const { golds, configuration } = fit;
  const { folds, whole } = await crossFit({ ...fit, job: treeFoldJob });
  const table = ({ weights }: TrainedFold) => ({ values: weights, first: 0, scale: 1 });
  const { values, scale } = quantize(whole.weights);
  const pruner = new Pruner({ values, first: 0, scale }, whole.reach, configuration);
  // A single sentence is not left out: the pruner is the one of all sentences, and thresholds are not measured.
  const isOne = folds.length === 1;
  const pruners = isOne ? [pruner] : folds.map((fold) => new Pruner(table(fold), fold.reach, configuration));
  const gaps = candidateHistogram(BINS);
  const words = await eachSentence(isOne ? { ...fit, sentences: [] } : fit, pruners, (own, sentence, i) => {
    const { arcs, scores } = own.score(sentence);
    addGaps(gaps, arcs, scores, golds[i].heads);
  });
  const chosen = (share: number) => {
    const { bin, gold, all } = gaps.choose(share, CANDIDATES * words);
    const pruning: PruneOptions = { ratio: exp(-(bin + 1) * BIN), most };
    return { pruning, recall: gold / words, candidates: all / words };
  };
  const { pruning: inTraining } = chosen(wanted.training);
  const arcs: Arcs[] = [];
  const trees: Int32Array[] = [];
  await eachSentence(fit, pruners, (own, sentence, i) => {
    const pruned = own.prune(sentence, inTraining, golds[i].heads);
    arcs.push(pruned.arcs);
    trees.push(pruned.tree);
  });
  return { pruner, arcs, trees, ...chosen(wanted.parsing) };
}

const BINS = 400;
const BIN = 0.05;

/** Counts the differences of the scores of heads from the best one of their word. */
function addGaps(
  gaps: ReturnType<typeof candidateHistogram>,
  { n, start, head }: Arcs,
  scores: Float64Array,
  gold: Int32Array,
): void {
  for (let m = 1; m <= n; m++) {
    let best = -Infinity;
    for (let a = start[m]; a < start[m + 1]; a++) best = Math.max(best, scores[a]);
    for (let a = start[m]; a < start[m + 1]; a++)
      gaps.add(Math.floor((best - scores[a]) / BIN), head[a] === gold[m]);
  }
}

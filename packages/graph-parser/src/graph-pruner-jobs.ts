import type { Arcs } from "@arcwise/core";
import { exp } from "@arcwise/core/arithmetic";
import type { EncodedSentence } from "@arcwise/core/features";
import {
  type CrossFit,
  candidateHistogram,
  crossFit,
  eachSentence,
  type FoldJob,
  foldJob,
  type PrunerGradient,
} from "@arcwise/parser/shared";
import { type EncodedGraph, goldLabels } from "./encoded-graph.ts";
import { GraphPruner, type GraphPrunerConfiguration, type Pairs } from "./graph-pruner.ts";

/** Entries of the gradient below this are not applied. */
const NEGLIGIBLE = 0.005;

/** Trains the pruner of graphs of a fold. */
export const graphFoldJob: FoldJob<EncodedGraph, GraphPrunerConfiguration, Float32Array> = foldJob({
  name: "graph-prune-fold",
  module: import.meta.url,
  stream: 2 ** 21,
  rate: 0.05,
  averagedFrom: 0,
  bits: ({ bits }) => bits,
  gradient: () => new EntryList(),
  create(table, _sentences, _golds, configuration) {
    const pruner = new GraphPruner(table, configuration);
    return {
      addGradient: (sentence, gold, into) => addGradient(pruner, sentence, gold, into),
      finish: (weights) => weights,
    };
  },
});

/** Adds the gradient of the log-probability of the gold arcs, by head. */
function addGradient(
  pruner: GraphPruner,
  sentence: EncodedSentence,
  gold: EncodedGraph,
  into: PrunerGradient,
): void {
  const { arcs, scores } = pruner.score(sentence);
  const labels = goldLabels(arcs, gold);
  const features = pruner.features(sentence);
  const first = pruner.root ? 0 : 1;
  for (let h = first; h <= sentence.n; h++) {
    for (let m = 1; m <= sentence.n; m++) {
      if (h === m) continue;
      const arc = arcs.start[m] + h - first - (h > m ? 1 : 0);
      const derivative = (labels[arc] < 0 ? 0 : 1) - 1 / (1 + exp(-scores[arc]));
      if (Math.abs(derivative) >= NEGLIGIBLE) features.addFeatures(h, m, -1, derivative, into);
    }
  }
}

/** Entries of a gradient. Those of one weight are not summed: each is a step. */
class EntryList implements PrunerGradient {
  indices = new Int32Array(1 << 12);
  values = new Float64Array(1 << 12);
  size = 0;

  add(index: number, value: number): void {
    if (this.size === this.indices.length) {
      const [indices, values] = [this.indices, this.values];
      this.indices = new Int32Array(2 * this.size);
      this.values = new Float64Array(2 * this.size);
      this.indices.set(indices);
      this.values.set(values);
    }
    this.indices[this.size] = index;
    this.values[this.size++] = value;
  }

  clear(): void {
    this.size = 0;
  }
}

/** A trained pruner, and the candidates of the training sentences by pruners that were not trained on them. */
export interface TrainedGraphPruner {
  readonly weights: Float32Array;
  readonly threshold: number;
  readonly arcs: readonly Arcs[];
  /** Share of gold edges that are kept, and candidates per word, by pruners that were not trained on the sentence. */
  readonly recall: number;
  readonly candidates: number;
}

export interface GraphPrunerTraining
  extends Omit<CrossFit<EncodedGraph, GraphPrunerConfiguration, Float32Array>, "job"> {
  /** Share of the gold edges to keep. */
  readonly recall: number;
  /** Maximum number of candidates per word for that share. */
  readonly most: number;
  /** Further candidates of each sentence, if there are any. */
  readonly also?: readonly Pairs[] | undefined;
}

/** Trains a pruner by cross-fitting, like the pruner of trees: see `crossFit`. */
export async function crossFitGraphPruner({
  recall: share,
  most,
  also,
  ...fit
}: GraphPrunerTraining): Promise<TrainedGraphPruner> {
  const { golds, configuration } = fit;
  const { folds, whole } = await crossFit({ ...fit, job: graphFoldJob });
  const pruners = folds.map((values) => new GraphPruner({ values, first: 0, scale: 1 }, configuration));
  const odds = candidateHistogram(BINS);
  const words = await eachSentence(fit, pruners, (pruner, sentence, i) =>
    addOdds(odds, pruner.score(sentence), golds[i]),
  );
  const { bin, gold, total, all } = odds.choose(share, most * words);
  const threshold = LOWEST + (BINS - 1 - bin) * BIN;
  const arcs: Arcs[] = [];
  await eachSentence(fit, pruners, (pruner, sentence, i) => {
    arcs.push(pruner.prune(sentence, threshold, [golds[i], ...(also?.slice(i, i + 1) ?? [])]));
  });
  return {
    weights: whole,
    threshold,
    arcs,
    recall: gold / Math.max(1, total),
    candidates: all / words,
  };
}

const BINS = 600;
const BIN = 0.05;
const LOWEST = -15;

/** Counts the log-odds of all pairs of a sentence and of its gold edges, the highest in the first bin. */
function addOdds(
  odds: ReturnType<typeof candidateHistogram>,
  { arcs, scores }: ReturnType<GraphPruner["score"]>,
  gold: EncodedGraph,
): void {
  const labels = goldLabels(arcs, gold);
  for (const [a, score] of scores.entries())
    odds.add(BINS - 1 - Math.floor((score - LOWEST) / BIN), labels[a] >= 0);
}

import type { Arcs } from "@arcwise/core";
import { yieldToEventLoop } from "@arcwise/learn";
import { CandidateHistogram, type CrossFit, crossFit } from "../pruning/cross-fit.ts";
import type { EncodedGraph } from "./encoded-graph.ts";
import { GraphPruner, type GraphPrunerConfiguration, type Pairs } from "./graph-pruner.ts";

/** A trained pruner, and the candidates of the training sentences by pruners that were not trained on them. */
export interface TrainedGraphPruner {
  readonly pruner: GraphPruner;
  readonly threshold: number;
  readonly arcs: readonly Arcs[];
  /** Share of gold edges that are kept, and candidates per word, by pruners that were not trained on the sentence. */
  readonly recall: number;
  readonly candidates: number;
}

export interface GraphPrunerTraining extends CrossFit<EncodedGraph, GraphPrunerConfiguration, Float32Array> {
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
  const { sentences, golds, configuration, signal } = fit;
  const { folds, whole } = await crossFit(fit);
  const [pruner, ...pruners] = [whole, ...folds].map((values) => new GraphPruner(values, 1, configuration));
  const pause = yieldToEventLoop(signal);
  const unseen = (i: number) => pruners[i % pruners.length]!;
  const odds = new CandidateHistogram(BINS);
  let words = 0;
  for (const [i, sentence] of sentences.entries()) {
    unseen(i).score(sentence);
    addOdds(odds, unseen(i), golds[i]!);
    words += sentence.n;
    await pause();
  }
  const { bin, gold, total, all } = odds.choose(share, most * Math.max(1, words));
  const threshold = LOWEST + (BINS - 1 - bin) * BIN;
  const arcs: Arcs[] = [];
  for (const [i, sentence] of sentences.entries()) {
    arcs.push(unseen(i).prune(sentence, threshold, [golds[i]!, ...(also?.slice(i, i + 1) ?? [])]));
    await pause();
  }
  return {
    pruner: pruner!,
    threshold,
    arcs,
    recall: gold / Math.max(1, total),
    candidates: all / Math.max(1, words),
  };
}

const BINS = 600;
const BIN = 0.05;
const LOWEST = -15;

/** Counts the log-odds of all pairs of a sentence and of its gold edges, the highest in the first bin. */
function addOdds(odds: CandidateHistogram, pruner: GraphPruner, { n, start, head }: EncodedGraph): void {
  for (let m = 1; m <= n; m++) {
    const gold = new Set(head.subarray(start[m]!, start[m + 1]!));
    for (let h = pruner.root ? 0 : 1; h <= n; h++) {
      if (h === m) continue;
      const bin = Math.floor((pruner.scores[h * (n + 1) + m]! - LOWEST) / BIN);
      odds.add(BINS - 1 - bin, gold.has(h));
    }
  }
}

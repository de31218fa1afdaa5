import type { Arcs } from "@arcwise/core";
import type { EncodedSentence } from "@arcwise/core/features";
import { jobReports, type StepProgress } from "@arcwise/core/training";
import { yieldToEventLoop } from "@arcwise/learn";
import { doAll, type Place, share } from "@arcwise/work";
import type { EncodedGraph } from "./encoded-graph.ts";
import { graphPruneFoldJob } from "./graph-prune-jobs.ts";
import { GraphPruner, type GraphPrunerConfiguration, type Pairs } from "./graph-pruner.ts";

/** Each fold of the training sentences is pruned by a pruner trained on the others. */
const FOLDS = 4;

/**
 * A trained pruner, and the candidates of the training sentences by pruners that were trained on other
 * sentences.
 */
export interface TrainedGraphPruner {
  readonly pruner: GraphPruner;
  readonly threshold: number;
  readonly arcs: readonly Arcs[];
  /**
   * Share of gold edges that are kept, and candidates a word, in sentences that the pruner was not trained
   * on.
   */
  readonly recall: number;
  readonly candidates: number;
}

export interface GraphPrunerTraining {
  readonly configuration: GraphPrunerConfiguration;
  /** Share of the gold edges to keep. */
  readonly recall: number;
  /** Maximum number of candidates a word for that share. */
  readonly most: number;
  readonly seed: number;
  /** Further candidates of each sentence, if there are any. */
  readonly also?: readonly Pairs[] | undefined;
  readonly place: Place;
  readonly onProgress: (at: StepProgress) => void;
  readonly signal: AbortSignal | undefined;
}

/**
 * Trains a pruner by cross-fitting, like the pruner of trees: the candidates of each fold come from a pruner
 * trained on the other folds. O((folds + 1) epochs n² templates) a sentence.
 */
export async function crossFitGraphPruner(
  sentences: readonly EncodedSentence[],
  golds: readonly EncodedGraph[],
  options: GraphPrunerTraining,
): Promise<TrainedGraphPruner> {
  const { configuration, place, onProgress, seed, signal, also } = options;
  const folds = Math.min(FOLDS, sentences.length);
  const work = { sentences: share(sentences), golds: share(golds), configuration, seed, folds };
  const jobs = Array.from({ length: folds + 1 }, (_, fold) => ({ ...work, fold }));
  const report = jobReports(jobs.length, onProgress);
  const weights = await doAll(place, graphPruneFoldJob, jobs, { onProgress: report, signal });
  const pruners = weights.map((values) => new GraphPruner(values, 1, configuration));
  const pause = yieldToEventLoop(signal);
  const everything = [...sentences.keys()];
  const unseen = (i: number) => pruners[i % folds]!;
  const odds = new OddsHistogram();
  for (const i of everything) {
    unseen(i).score(sentences[i]!);
    odds.add(unseen(i), sentences[i]!.n, golds[i]!);
    await pause();
  }
  const { threshold, recall, candidates } = odds.choose(options.recall, options.most);
  const arcs: Arcs[] = [];
  for (const i of everything) {
    arcs.push(unseen(i).prune(sentences[i]!, threshold, [golds[i]!, ...(also?.slice(i, i + 1) ?? [])]));
    await pause();
  }
  return { pruner: pruners[folds]!, threshold, arcs, recall, candidates };
}

const BINS = 600;
const BIN = 0.05;
const LOWEST = -15;

/** A histogram of the log-odds of all pairs and of gold edges. */
class OddsHistogram {
  readonly #all = new Float64Array(BINS);
  readonly #gold = new Float64Array(BINS);
  #words = 0;

  add(pruner: GraphPruner, n: number, gold: EncodedGraph): void {
    const bin = (at: number) =>
      Math.max(0, Math.min(BINS - 1, Math.floor((pruner.scores[at]! - LOWEST) / BIN)));
    for (let h = pruner.root ? 0 : 1; h <= n; h++) {
      for (let m = 1; m <= n; m++) if (h !== m) this.#all[bin(h * (n + 1) + m)]!++;
    }
    for (let e = 0; e < gold.head.length; e++)
      this.#gold[bin(gold.head[e]! * (n + 1) + gold.modifier[e]!)]!++;
    this.#words += n;
  }

  /** Returns the highest threshold that keeps a share of the gold edges, or else `most` candidates a word. */
  choose(share: number, most: number): { threshold: number; recall: number; candidates: number } {
    const words = Math.max(1, this.#words);
    const total = Math.max(
      1,
      this.#gold.reduce((sum, count) => sum + count, 0),
    );
    let gold = 0;
    let all = 0;
    for (let bin = BINS - 1; ; bin--) {
      all += this.#all[bin]!;
      gold += this.#gold[bin]!;
      if (gold >= share * total || all >= most * words || bin === 0) {
        return { threshold: LOWEST + bin * BIN, recall: gold / total, candidates: all / words };
      }
    }
  }
}

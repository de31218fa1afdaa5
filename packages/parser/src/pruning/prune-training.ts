import { type Arcs, filterArcs } from "@arcwise/core";
import { exp } from "@arcwise/core/arithmetic";
import { quantize } from "@arcwise/core/container";
import type { EncodedSentence } from "@arcwise/core/features";
import { jobReports, type StepProgress } from "@arcwise/core/training";
import { yieldToEventLoop } from "@arcwise/learn";
import { doAll, type Place, share } from "@arcwise/work";
import type { EncodedTree } from "../scoring/arcs/label-filter.ts";
import { pruneFoldJob, type TrainedFold } from "./prune-jobs.ts";
import { type PruneOptions, Pruner, type PrunerConfiguration } from "./pruner.ts";

/** Number of folds: the sentences of each fold are pruned by a pruner that is trained on the others. */
const FOLDS = 4;
/** Maximum mean number of candidates a word for the required recall. */
const CANDIDATES = 5.5;

export interface PrunerTrainingOptions {
  readonly configuration: PrunerConfiguration;
  /** Maximum number of heads per word. */
  readonly most: number;
  /** Share of the gold heads within reach to keep, for training and for parsing. */
  readonly recall: { readonly training: number; readonly parsing: number };
  readonly seed: number;
  readonly place: Place;
  readonly onProgress: (at: StepProgress) => void;
  readonly signal: AbortSignal | undefined;
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
 *
 * Cost: (folds + 1) · epochs · n² templates a sentence.
 */
export async function crossFitPruner(
  sentences: readonly EncodedSentence[],
  golds: readonly EncodedTree[],
  options: PrunerTrainingOptions,
): Promise<TrainedPruner> {
  const { configuration, most, seed, place, onProgress, signal } = options;
  const pause = yieldToEventLoop(signal);
  const folds = Math.min(FOLDS, sentences.length);
  const work = { sentences: share(sentences), golds: share(golds), configuration, seed, folds };
  // A single sentence is not left out.
  const jobs = Array.from({ length: folds + 1 }, (_, fold) => ({ ...work, fold })).slice(folds === 1 ? 1 : 0);
  const report = jobReports(jobs.length, onProgress);
  const trained = await doAll(place, pruneFoldJob, jobs, { onProgress: report, signal });
  const prunerOf = ({ weights, reach }: TrainedFold) =>
    new Pruner({ values: weights, first: 0, scale: 1 }, reach, configuration);
  const pruners = trained.slice(0, -1).map(prunerOf);
  const gaps = new Gaps();
  for (const [index, sentence] of pruners.length === 0 ? [] : sentences.entries()) {
    const { arcs, scores } = pruners[index % folds]!.score(sentence);
    gaps.add(arcs, scores, golds[index]!.heads);
    await pause();
  }
  const last = trained.at(-1)!;
  const { values, scale } = quantize(last.weights);
  const pruner = new Pruner({ values, first: 0, scale }, last.reach, configuration);
  const pruningFor = (margin: number): PruneOptions => ({ ratio: exp(-margin), most });
  const { margin, recall, candidates } = gaps.choose(options.recall.parsing);
  const inTraining = pruningFor(gaps.choose(options.recall.training).margin);
  const arcs: Arcs[] = [];
  const trees: Int32Array[] = [];
  for (const [index, sentence] of sentences.entries()) {
    const unseen = (pruners[index % folds] ?? pruner).prune(sentence, inTraining, golds[index]!.heads);
    arcs.push(unseen.arcs);
    trees.push(unseen.tree);
    await pause();
  }
  return { pruner, pruning: pruningFor(margin), arcs, trees, recall, candidates };
}

const BINS = 400;
const BIN = 0.05;

/**
 * Differences of the scores of heads from the best one of their word: histograms of all candidates and of the
 * gold heads.
 */
class Gaps {
  readonly #all = new Float64Array(BINS);
  readonly #gold = new Float64Array(BINS);
  #words = 0;

  add({ n, start, head }: Arcs, scores: Float64Array, gold: Int32Array): void {
    for (let m = 1; m <= n; m++) {
      let best = -Infinity;
      for (let a = start[m]!; a < start[m + 1]!; a++) best = Math.max(best, scores[a]!);
      for (let a = start[m]!; a < start[m + 1]!; a++) {
        const bin = Math.min(BINS - 1, Math.floor((best - scores[a]!) / BIN));
        this.#all[bin]!++;
        if (head[a] === gold[m]) this.#gold[bin]!++;
      }
      this.#words++;
    }
  }

  /**
   * Returns the smallest margin that keeps a share of the gold heads within reach, or else `CANDIDATES` heads
   * a word. The recall counts all gold heads.
   */
  choose(share: number): { margin: number; recall: number; candidates: number } {
    const words = Math.max(1, this.#words);
    const reachable = this.#gold.reduce((sum, count) => sum + count, 0);
    let all = 0;
    let gold = 0;
    for (let bin = 0; ; bin++) {
      all += this.#all[bin]!;
      gold += this.#gold[bin]!;
      if (gold >= share * reachable || all >= CANDIDATES * words || bin === BINS - 1) {
        return { margin: (bin + 1) * BIN, recall: gold / words, candidates: all / words };
      }
    }
  }
}

/** Returns all arcs of the sentences, for training without a pruner. O(n²) a sentence. */
export function unprunedArcs(sentences: readonly EncodedSentence[]): Arcs[] {
  return sentences.map(({ n }) => filterArcs(n, () => true));
}

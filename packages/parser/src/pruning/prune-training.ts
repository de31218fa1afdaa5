import { type Arcs, filterArcs, type Random, random, SparseVector } from "@arcwise/core";
import { exp } from "@arcwise/core/arithmetic";
import { quantize } from "@arcwise/core/container";
import type { EncodedSentence } from "@arcwise/core/features";
import { AdaGrad, AveragedWeights, yieldToEventLoop } from "@arcwise/learn";
import { PRUNER_LINE, type PruneOptions, Pruner, type PrunerConfiguration } from "./pruner.ts";
import { measureReach } from "./reach.ts";

const EPOCHS = 3;
/** Step size and damping of AdaGrad. */
const RATE = 0.03;
const DAMPING = 1e-6;
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
  readonly onProgress?: ((pruner: number, pruners: number, done: number, total: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
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
  golds: readonly Int32Array[],
  options: PrunerTrainingOptions,
): Promise<TrainedPruner> {
  const { configuration, most, seed, onProgress, signal } = options;
  const pause = yieldToEventLoop(signal);
  const folds = Math.min(FOLDS, sentences.length);
  const gaps = new Gaps();
  const pruners: Pruner[] = [];

  async function train(indices: readonly number[], fold: number): Promise<Pruner> {
    return trainPruner(
      indices.map((index) => sentences[index]!),
      indices.map((index) => golds[index]!),
      configuration,
      random(seed).fork(2 ** 20 + fold),
      async (done, total) => {
        if ((await pause()) || done === total) onProgress?.(fold + 1, folds + 1, done, total);
      },
    );
  }

  const everything = [...sentences.keys()];
  const foldOf = (index: number) => index % folds;
  for (let fold = 0; fold < folds && folds > 1; fold++) {
    const others = everything.filter((index) => foldOf(index) !== fold);
    const pruner = await train(others, fold);
    pruners.push(pruner);
    for (let index = fold; index < sentences.length; index += folds) {
      const { arcs, scores } = pruner.score(sentences[index]!);
      gaps.add(arcs, scores, golds[index]!);
      await pause();
    }
  }
  const last = await train(everything, folds);
  const { values, scale } = quantize(last.table.values as Float32Array);
  const pruner = new Pruner({ values, first: 0, scale }, last.reach, configuration);
  if (folds === 1) pruners.push(pruner);
  const pruningFor = (margin: number): PruneOptions => ({ ratio: exp(-margin), most });
  const { margin, recall, candidates } = gaps.choose(options.recall.parsing);
  const inTraining = pruningFor(gaps.choose(options.recall.training).margin);
  const arcs: Arcs[] = [];
  const trees: Int32Array[] = [];
  for (const index of everything) {
    const unseen = pruners[foldOf(index)]!.prune(sentences[index]!, inTraining, golds[index]!);
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

/**
 * Trains the weights of a pruner. Each word chooses its head by a log-linear model, whose likelihood is
 * maximised by AdaGrad (Duchi, Hazan and Singer 2011); the weights are averaged from the second epoch on.
 * O(epochs · n² templates) a sentence.
 */
async function trainPruner(
  sentences: readonly EncodedSentence[],
  golds: readonly Int32Array[],
  configuration: PrunerConfiguration,
  stream: Random,
  onSentence: (done: number, total: number) => void | Promise<void>,
): Promise<Pruner> {
  const size = PRUNER_LINE * 2 ** configuration.prunerBits;
  const weights = new AveragedWeights(size);
  const steps = new AdaGrad(weights, { rate: RATE, damping: DAMPING });
  const table = { values: weights.values, first: 0, scale: 1 };
  const pruner = new Pruner(table, measureReach(sentences, golds), configuration);
  const gradient = new SparseVector(1 << 14);
  const order = Int32Array.from(sentences.keys());
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    stream.shuffle(order);
    if (epoch === 1) {
      weights.weighted.fill(0);
      weights.steps = 0;
    }
    for (let k = 0; k < order.length; k++) {
      gradient.clear();
      addGradient(pruner, sentences[order[k]!]!, golds[order[k]!]!, gradient);
      steps.step(gradient);
      const pause = onSentence(epoch * order.length + k + 1, EPOCHS * order.length);
      if (pause instanceof Promise) await pause;
    }
  }
  const { values, weighted } = weights;
  for (let i = 0; i < size; i++) values[i]! -= weighted[i]! / weights.steps;
  return pruner;
}

/** Entries of the gradient below this are not applied. */
const NEGLIGIBLE = 0.002;

/** Adds the gradient of the log-probability of the gold heads to `gradient`. */
function addGradient(
  pruner: Pruner,
  sentence: EncodedSentence,
  gold: Int32Array,
  gradient: SparseVector,
): void {
  const { arcs, scores } = pruner.score(sentence, gold);
  const { start, head } = arcs;
  const features = pruner.features(sentence);
  for (let m = 1; m <= sentence.n; m++) {
    const from = start[m]!;
    const to = start[m + 1]!;
    let best = -Infinity;
    for (let a = from; a < to; a++) best = Math.max(best, scores[a]!);
    let sum = 0;
    for (let a = from; a < to; a++) sum += exp(scores[a]! - best);
    for (let a = from; a < to; a++) {
      const h = head[a]!;
      const derivative = (gold[m] === h ? 1 : 0) - exp(scores[a]! - best) / sum;
      if (Math.abs(derivative) > NEGLIGIBLE) features.addFeatures(h, m, -1, derivative, gradient);
    }
  }
}

/** Returns all arcs of the sentences, for training without a pruner. O(n²) a sentence. */
export function unprunedArcs(sentences: readonly EncodedSentence[]): Arcs[] {
  return sentences.map(({ n }) => filterArcs(n, () => true));
}

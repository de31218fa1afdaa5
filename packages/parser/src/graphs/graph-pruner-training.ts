import { type Arcs, random } from "@arcwise/core";
import { exp } from "@arcwise/core/arithmetic";
import type { EncodedSentence } from "@arcwise/core/features";
import { yieldToEventLoop } from "@arcwise/learn";
import type { EncodedGraph } from "./encoded-graph.ts";
import { GraphPruner, type GraphPrunerConfiguration, LINE, type Pairs } from "./graph-pruner.ts";

const EPOCHS = 3;
/** Step size of AdaGrad (Duchi, Hazan and Singer 2011). */
const RATE = 0.05;
/** Each fold of the training sentences is pruned by a pruner trained on the others. */
const FOLDS = 4;
/** Gradients below this are not applied. */
const NEGLIGIBLE = 0.005;

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

/** What the pruners of a training are trained on. Plain data. */
export interface GraphPrunerWork {
  readonly sentences: readonly EncodedSentence[];
  readonly golds: readonly EncodedGraph[];
  readonly configuration: GraphPrunerConfiguration;
  readonly seed: number;
  /** Number of folds: each pruner but the last leaves out one of them. */
  readonly folds: number;
}

/** Called with the number of sentences done by a pruner (from 1), and the number in all its epochs. */
export type GraphPrunerProgress = (pruner: number, pruners: number, done: number, total: number) => void;

/** What follows the training of pruners, and ends it. */
export interface GraphPrunerRun {
  readonly onProgress?: GraphPrunerProgress | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Trains all pruners, which do not depend on each other. Returns the weights of each. */
export type TrainGraphPruners = (work: GraphPrunerWork, run: GraphPrunerRun) => Promise<Float32Array[]>;

export interface GraphPrunerTraining {
  readonly configuration: GraphPrunerConfiguration;
  /** Share of the gold edges to keep. */
  readonly recall: number;
  /** Maximum number of candidates a word for that share. */
  readonly most: number;
  readonly seed: number;
  /** Further candidates of each sentence, if there are any. */
  readonly also?: readonly Pairs[] | undefined;
  readonly onProgress?: GraphPrunerProgress | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Default: one after the other, in this thread. */
  readonly trainAll?: TrainGraphPruners | undefined;
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
  const { configuration, onProgress, seed, signal, also, trainAll = trainGraphPruners } = options;
  const folds = Math.min(FOLDS, sentences.length);
  const work = { sentences, golds, configuration, seed, folds };
  const weights = await trainAll(work, { onProgress, signal });
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

/** Trains all pruners one after the other. */
async function trainGraphPruners(work: GraphPrunerWork, run: GraphPrunerRun): Promise<Float32Array[]> {
  const weights: Float32Array[] = [];
  for (let fold = 0; fold <= work.folds; fold++) weights.push(await trainGraphPruner(work, fold, run));
  return weights;
}

/**
 * Trains the pruner that leaves out a part of the sentences, the last one on all of them. Returns its
 * weights.
 *
 * @throws the reason of the signal, between two sentences, when that is aborted
 */
export async function trainGraphPruner(
  { sentences, golds, configuration, seed, folds }: GraphPrunerWork,
  fold: number,
  { onProgress, signal }: GraphPrunerRun,
): Promise<Float32Array> {
  const pause = yieldToEventLoop(signal);
  const stream = random(seed).fork(2 ** 21 + fold);
  const weights = new Float32Array(LINE * 2 ** configuration.bits);
  const trainer = new PrunerTrainer(new GraphPruner(weights, 1, configuration));
  const isOwn = (i: number) => fold === folds || folds === 1 || i % folds !== fold;
  const order = Int32Array.from([...sentences.keys()].filter(isOwn));
  const total = EPOCHS * order.length;
  for (let done = 0; done < total; done++) {
    if (done % order.length === 0) stream.shuffle(order);
    const i = order[done % order.length]!;
    trainer.learn(sentences[i]!, golds[i]!);
    if ((await pause()) || done + 1 === total) onProgress?.(fold + 1, folds + 1, done + 1, total);
  }
  trainer.finish();
  return weights;
}

/** Maximises the likelihood of arcs by AdaGrad. */
class PrunerTrainer {
  readonly #pruner: GraphPruner;
  readonly #weights: Float32Array;
  readonly #squares: Float32Array;
  readonly #sums: Float32Array;
  #step = 0;

  constructor(pruner: GraphPruner) {
    this.#pruner = pruner;
    this.#weights = pruner.weights as Float32Array;
    this.#squares = new Float32Array(this.#weights.length);
    this.#sums = new Float32Array(this.#weights.length);
  }

  learn(sentence: EncodedSentence, gold: EncodedGraph): void {
    const { n } = sentence;
    const pruner = this.#pruner;
    pruner.score(sentence);
    const isGold = new Uint8Array((n + 1) * (n + 1));
    for (let e = 0; e < gold.head.length; e++) isGold[gold.head[e]! * (n + 1) + gold.modifier[e]!] = 1;
    const [weights, squares, sums] = [this.#weights, this.#squares, this.#sums];
    const step = this.#step++;
    for (let h = pruner.root ? 0 : 1; h <= n; h++) {
      for (let m = 1; m <= n; m++) {
        if (h === m) continue;
        const at = h * (n + 1) + m;
        const gradient = isGold[at]! - 1 / (1 + exp(-pruner.scores[at]!));
        if (Math.abs(gradient) < NEGLIGIBLE) continue;
        pruner.eachWeight(h, m, (i) => {
          squares[i]! += gradient * gradient;
          const change = (RATE * gradient) / (1e-6 + Math.sqrt(squares[i]!));
          weights[i]! += change;
          sums[i]! += step * change;
        });
      }
    }
  }

  /** Replaces the weights by their average over all steps. */
  finish(): void {
    for (let i = 0; i < this.#weights.length; i++)
      this.#weights[i]! -= this.#sums[i]! / Math.max(1, this.#step);
  }
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

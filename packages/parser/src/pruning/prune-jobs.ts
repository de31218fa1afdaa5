import { type Random, random, SparseVector } from "@arcwise/core";
import { exp } from "@arcwise/core/arithmetic";
import type { EncodedSentence } from "@arcwise/core/features";
import type { StepProgress } from "@arcwise/core/training";
import { AdaGrad, AveragedWeights, yieldToEventLoop } from "@arcwise/learn";
import type { Job, Shared } from "@arcwise/work";
import type { EncodedTree } from "../scoring/arcs/label-filter.ts";
import { PRUNER_LINE, Pruner, type PrunerConfiguration } from "./pruner.ts";
import { measureReach, type Reach } from "./reach.ts";

const EPOCHS = 3;
/** Step size and damping of AdaGrad. */
const RATE = 0.03;
const DAMPING = 1e-6;

/** What the pruner of a fold is trained on. */
interface FoldWork {
  readonly sentences: Shared<readonly EncodedSentence[]>;
  readonly golds: Shared<readonly EncodedTree[]>;
  readonly configuration: PrunerConfiguration;
  readonly seed: number;
  /** The fold that is left out, from 0; the last pruner leaves out none. */
  readonly fold: number;
  readonly folds: number;
}

/** A trained pruner. */
export interface TrainedFold {
  readonly weights: Float32Array;
  readonly reach: Reach;
}

/** Trains the pruner of a fold. */
export const pruneFoldJob: Job<FoldWork, TrainedFold> = {
  name: "prune-fold",
  module: import.meta.url,
  async run({ sentences, golds, configuration, seed, fold, folds }, { onProgress, signal }) {
    const pause = yieldToEventLoop(signal);
    const indices = [...sentences.keys()].filter((index) => fold === folds || index % folds !== fold);
    const own = {
      sentences: indices.map((index) => sentences[index]!),
      golds: indices.map((index) => golds[index]!.heads),
    };
    return trainPruner(own, configuration, random(seed).fork(2 ** 20 + fold), async (done, total) => {
      if (!(await pause()) && done < total) return;
      const at: StepProgress = {
        ...{ step: "prune", epoch: fold + 1, epochs: folds + 1, epochDone: done === total },
        share: done / total,
      };
      onProgress(at);
    });
  },
};

/**
 * Trains the weights of a pruner. Each word chooses its head by a log-linear model, whose likelihood is
 * maximised by AdaGrad (Duchi, Hazan and Singer 2011); the weights are averaged from the second epoch on.
 * O(epochs · n² templates) a sentence.
 */
async function trainPruner(
  {
    sentences,
    golds,
  }: { readonly sentences: readonly EncodedSentence[]; readonly golds: readonly Int32Array[] },
  configuration: PrunerConfiguration,
  stream: Random,
  onSentence: (done: number, total: number) => Promise<void>,
): Promise<TrainedFold> {
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
      await onSentence(epoch * order.length + k + 1, EPOCHS * order.length);
    }
  }
  const { values, weighted } = weights;
  for (let i = 0; i < size; i++) values[i]! -= weighted[i]! / weights.steps;
  return { weights: values, reach: pruner.reach };
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

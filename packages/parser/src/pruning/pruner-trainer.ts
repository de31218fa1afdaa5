import { SparseVector } from "@arcwise/core";
import { exp } from "@arcwise/core/arithmetic";
import type { EncodedSentence } from "@arcwise/core/features";
import { AdaGrad, AveragedWeights } from "@arcwise/learn";
import type { EncodedTree } from "../scoring/arcs/label-filter.ts";
import { PRUNER_LINE, Pruner, type PrunerConfiguration } from "./pruner.ts";
import { measureReach, type Reach } from "./reach.ts";

/** Step size and damping of AdaGrad. */
const RATE = 0.03;
const DAMPING = 1e-6;

/** A trained pruner of trees. */
export interface TrainedFold {
  readonly weights: Float32Array;
  readonly reach: Reach;
}

/**
 * Trains the weights of a pruner. Each word chooses its head by a log-linear model, whose likelihood is
 * maximised by AdaGrad (Duchi, Hazan and Singer 2011); the weights are averaged from the second epoch on.
 */
export class PrunerTrainer {
  readonly #sentences: readonly EncodedSentence[];
  readonly #golds: readonly EncodedTree[];
  readonly #weights: AveragedWeights;
  readonly #steps: AdaGrad;
  readonly #pruner: Pruner;
  readonly #gradient = new SparseVector(1 << 14);

  constructor(
    sentences: readonly EncodedSentence[],
    golds: readonly EncodedTree[],
    configuration: PrunerConfiguration,
  ) {
    this.#sentences = sentences;
    this.#golds = golds;
    this.#weights = new AveragedWeights(PRUNER_LINE * 2 ** configuration.prunerBits);
    this.#steps = new AdaGrad(this.#weights, { rate: RATE, damping: DAMPING });
    const heads = golds.map((gold) => gold.heads);
    const table = { values: this.#weights.values, first: 0, scale: 1 };
    this.#pruner = new Pruner(table, measureReach(sentences, heads), configuration);
  }

  beginEpoch(epoch: number): void {
    if (epoch !== 1) return;
    this.#weights.weighted.fill(0);
    this.#weights.steps = 0;
  }

  learn(index: number): void {
    this.#gradient.clear();
    addGradient(this.#pruner, this.#sentences[index]!, this.#golds[index]!.heads, this.#gradient);
    this.#steps.step(this.#gradient);
  }

  finish(): TrainedFold {
    const { values, weighted, steps } = this.#weights;
    for (let i = 0; i < values.length; i++) values[i]! -= weighted[i]! / steps;
    return { weights: values, reach: this.#pruner.reach };
  }
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

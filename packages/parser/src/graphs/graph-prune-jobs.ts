import { random } from "@arcwise/core";
import { exp } from "@arcwise/core/arithmetic";
import type { EncodedSentence } from "@arcwise/core/features";
import type { StepProgress } from "@arcwise/core/training";
import { yieldToEventLoop } from "@arcwise/learn";
import type { Job, Shared } from "@arcwise/work";
import type { EncodedGraph } from "./encoded-graph.ts";
import { GraphPruner, type GraphPrunerConfiguration, LINE } from "./graph-pruner.ts";

const EPOCHS = 3;
/** Step size of AdaGrad (Duchi, Hazan and Singer 2011). */
const RATE = 0.05;
/** Gradients below this are not applied. */
const NEGLIGIBLE = 0.005;

/** What the pruner of a fold is trained on. */
interface GraphFoldWork {
  readonly sentences: Shared<readonly EncodedSentence[]>;
  readonly golds: Shared<readonly EncodedGraph[]>;
  readonly configuration: GraphPrunerConfiguration;
  readonly seed: number;
  /** The fold that is left out, from 0; the last pruner leaves out none. */
  readonly fold: number;
  readonly folds: number;
}

/** Trains the pruner of a fold; returns its weights. */
export const graphPruneFoldJob: Job<GraphFoldWork, Float32Array> = {
  name: "graph-prune-fold",
  module: import.meta.url,
  async run({ sentences, golds, configuration, seed, fold, folds }, { onProgress, signal }) {
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
      if (!(await pause()) && done + 1 < total) continue;
      const at: StepProgress = {
        ...{ step: "prune", epoch: fold + 1, epochs: folds + 1, epochDone: done + 1 === total },
        share: (done + 1) / total,
      };
      onProgress(at);
    }
    trainer.finish();
    return weights;
  },
};

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

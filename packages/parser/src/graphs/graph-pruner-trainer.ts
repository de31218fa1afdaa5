import { exp } from "@arcwise/core/arithmetic";
import type { EncodedSentence } from "@arcwise/core/features";
import { foldJob } from "../pruning/prune-jobs.ts";
import type { EncodedGraph } from "./encoded-graph.ts";
import { GraphPruner, type GraphPrunerConfiguration, LINE } from "./graph-pruner.ts";

/** Step size of AdaGrad. */
const RATE = 0.05;
/** Gradients below this are not applied. */
const NEGLIGIBLE = 0.005;

/** Trains a pruner of graphs: maximises the likelihood of arcs by AdaGrad (Duchi, Hazan and Singer 2011). */
export class GraphPrunerTrainer {
  readonly #sentences: readonly EncodedSentence[];
  readonly #golds: readonly EncodedGraph[];
  readonly #pruner: GraphPruner;
  readonly #weights: Float32Array;
  readonly #squares: Float32Array;
  readonly #sums: Float32Array;
  #step = 0;

  constructor(
    sentences: readonly EncodedSentence[],
    golds: readonly EncodedGraph[],
    configuration: GraphPrunerConfiguration,
  ) {
    this.#sentences = sentences;
    this.#golds = golds;
    this.#weights = new Float32Array(LINE * 2 ** configuration.bits);
    this.#pruner = new GraphPruner(this.#weights, 1, configuration);
    this.#squares = new Float32Array(this.#weights.length);
    this.#sums = new Float32Array(this.#weights.length);
  }

  learn(index: number): void {
    const [sentence, gold] = [this.#sentences[index]!, this.#golds[index]!];
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

  /** Returns the average of the weights over all steps. */
  finish(): Float32Array {
    const weights = this.#weights;
    for (let i = 0; i < weights.length; i++) weights[i]! -= this.#sums[i]! / Math.max(1, this.#step);
    return weights;
  }
}

/** Trains the pruner of graphs of a fold. */
export const graphFoldJob = foldJob({
  name: "graph-prune-fold",
  module: import.meta.url,
  stream: 2 ** 21,
  create: (
    sentences: readonly EncodedSentence[],
    golds: readonly EncodedGraph[],
    configuration: GraphPrunerConfiguration,
  ) => new GraphPrunerTrainer(sentences, golds, configuration),
});

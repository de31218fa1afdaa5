import type { Arcs } from "@arcwise/core";
import type { EncodedSentence } from "@arcwise/core/features";
import { logisticLoss, type Matrix, softmaxLoss } from "@arcwise/neural";
import type { ArcNetwork } from "../scoring/network/arc-network.ts";
import { NetworkReader } from "../scoring/network/network-reader.ts";
import { type QuantizedNetwork, restoreNetworks } from "../scoring/network/quantized-network.ts";
import { type NetworkTargets, type NetworkTask, taskOf } from "../training/network-training.ts";
import type { EncodedGraph } from "./encoded-graph.ts";
import type { AddedScores } from "./graph-task.ts";

/** Minimum of log-odds and log-shares, which limits the effect of a network that is certain but wrong. */
const LOWEST = -12;

/**
 * Returns the task of learning a network for graphs: whether there is an arc between each two words
 * (logistic), the label of each arc (softmax), and whether each word is a predicate: one more column of
 * labels, for a word and itself (logistic).
 *
 * @param labels number of labels; the network has one more
 */
export function graphNetworkTask(
  sentences: readonly EncodedSentence[],
  golds: readonly EncodedGraph[],
  { units, labels }: { readonly units: number; readonly labels: number },
): NetworkTask {
  return taskOf(sentences, { units, labels: labels + 1 }, (batch) =>
    graphTargets(
      batch.map((i) => golds[i]!),
      labels,
    ),
  );
}

function graphTargets(golds: readonly EncodedGraph[], labels: number): NetworkTargets {
  const pairs: { sentence: number; head: number; modifier: number }[] = [];
  const targets: number[] = [];
  for (const [sentence, gold] of golds.entries()) {
    for (let e = 0; e < gold.head.length; e++) {
      pairs.push({ sentence, head: gold.head[e]!, modifier: gold.modifier[e]! });
      targets.push(gold.label[e]!);
    }
    for (let w = 1; w <= gold.n; w++) {
      pairs.push({ sentence, head: w, modifier: w });
      targets.push(-1 - gold.predicates[w]!);
    }
  }
  return {
    pairs,
    heads: (values, s, scores, gradients) => arcLoss(values, golds[s]!, scores, gradients),
    labels: (values, scores, gradients) => {
      let loss = 0;
      for (const [r, target] of targets.entries()) {
        const at = scores.at + r * scores.row;
        const into = gradients.at + r * gradients.row;
        loss +=
          target >= 0
            ? softmaxLoss(values, { scores: at, gradients: into, choices: labels, target })
            : logisticLoss(values, at + labels, into + labels, target === -2 ? 1 : 0);
      }
      return loss;
    },
  };
}

/** The logistic loss of all pairs of words: the score of h -> m is in row m, column h. O(n²). */
function arcLoss(values: Float32Array, gold: EncodedGraph, scores: Matrix, gradients: Matrix): number {
  let loss = 0;
  for (let m = 1; m <= gold.n; m++) {
    let e = gold.start[m]!;
    for (let h = 0; h <= gold.n; h++) {
      const isGold = e < gold.start[m + 1]! && gold.head[e] === h;
      if (isGold) e++;
      if (h === m) continue;
      const at = m * scores.row + h;
      loss += logisticLoss(values, scores.at + at, gradients.at + m * gradients.row + h, isGold ? 1 : 0);
    }
  }
  return loss;
}

/** Scores graphs by a network that was trained for them. One instance holds the scratch memory. */
export class GraphNetworkScorer {
  readonly #network: ArcNetwork;
  readonly #reader: NetworkReader;
  readonly #weight: number;
  readonly #labelWeight: number;
  readonly #labels: number;
  readonly #mark: number;

  constructor(network: QuantizedNetwork) {
    const { configuration, codes } = network;
    this.#network = restoreNetworks(network)[0]!;
    this.#reader = new NetworkReader(configuration.templates, codes);
    this.#weight = configuration.weight;
    this.#labelWeight = configuration.labelWeight;
    this.#labels = configuration.labels - 1;
    this.#mark = this.#network.memory.mark;
  }

  /**
   * The scores of candidate arcs, of their labels and of predicates: log-odds, and logarithms of the labels'
   * probabilities less that of the likeliest one, times the weights of the network. O(n units² + n² units +
   * arcs units labels).
   */
  scores(sentence: EncodedSentence, arcs: Arcs): AddedScores {
    const { memory } = this.#network;
    memory.release(this.#mark);
    const trace = this.#network.read(this.#reader.read([sentence]));
    const { scores } = trace.sentences[0]!;
    const { n } = sentence;
    const count = arcs.head.length;
    const labels = this.#labels;
    const pairs = Array.from(arcs.head, (head, a) => ({ first: head, second: arcs.modifier[a]! }));
    for (let w = 1; w <= n; w++) pairs.push({ first: w, second: w });
    const own = this.#network.labelScores(trace.labels, pairs);
    const { values } = memory;
    const result = {
      predicates: new Float64Array(n + 1),
      arcs: new Float64Array(count),
      labels: new Float64Array(count * labels),
    };
    for (let w = 1; w <= n; w++) {
      const odds = values[own.at + (count + w - 1) * own.row + labels]!;
      result.predicates[w] = this.#weight * bounded(odds);
    }
    for (let a = 0; a < count; a++) {
      const odds = values[scores.at + arcs.modifier[a]! * scores.row + arcs.head[a]!]!;
      result.arcs[a] = this.#weight * bounded(odds);
      const row = own.at + a * own.row;
      let best = -Infinity;
      for (let l = 0; l < labels; l++) best = Math.max(best, values[row + l]!);
      for (let l = 0; l < labels; l++) {
        result.labels[a * labels + l] = this.#labelWeight * Math.max(LOWEST, values[row + l]! - best);
      }
    }
    return result;
  }
}

function bounded(odds: number): number {
  return Math.max(LOWEST, Math.min(-LOWEST, odds));
}

import { type Arcs, filterArcs } from "@arcwise/core";
import type { EncodedSentence, SentenceEncoder } from "@arcwise/core/features";
import { logisticLoss, type Matrix, softmaxLoss } from "@arcwise/neural";
import {
  logSoftmax,
  MIN_SCORE,
  type NetworkTask,
  type NetworkWork,
  networkEpochJob,
  type QuantizedNetwork,
  SentenceNetworks,
  taskOf,
  writeLabelScores,
} from "@arcwise/parser/shared";
import type { EncodedGraph } from "./encoded-graph.ts";
import type { AddedScores } from "./graph-task.ts";

/** Trains a network of graphs for an epoch. */
export const graphEpochJob: NetworkTask["epochJob"] = networkEpochJob(
  "graph-network-epoch",
  import.meta.url,
  graphNetworkTask,
);

/**
 * Returns the task of learning a network for graphs: whether there is an arc between each two words
 * (logistic), the label of each arc (softmax), and whether each word is a predicate: one more column of
 * labels, for a word and itself (logistic).
 */
export function graphNetworkTask(work: NetworkWork<EncodedGraph>): NetworkTask {
  const { golds, shape } = work;
  return taskOf(work, {
    epochJob: graphEpochJob,
    targets: (batch) =>
      graphTargets(
        batch.map((i) => golds[i]),
        shape.labels - 1,
      ),
  });
}

function graphTargets(golds: readonly EncodedGraph[], labels: number): ReturnType<NetworkTask["targets"]> {
  const pairs: { sentence: number; head: number; modifier: number }[] = [];
  const targets: number[] = [];
  for (const [sentence, gold] of golds.entries()) {
    for (let e = 0; e < gold.head.length; e++) {
      pairs.push({ sentence, head: gold.head[e], modifier: gold.modifier[e] });
      targets.push(gold.label[e]);
    }
    for (let w = 1; w <= gold.n; w++) {
      pairs.push({ sentence, head: w, modifier: w });
      targets.push(-1 - gold.predicates[w]);
    }
  }
  return {
    pairs,
    heads: (values, s, scores, gradients) => arcLoss(values, golds[s], scores, gradients),
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
    let e = gold.start[m];
    for (let h = 0; h <= gold.n; h++) {
      const isGold = e < gold.start[m + 1] && gold.head[e] === h;
      if (isGold) e++;
      if (h === m) continue;
      const at = m * scores.row + h;
      loss += logisticLoss(values, scores.at + at, gradients.at + m * gradients.row + h, isGold ? 1 : 0);
    }
  }
  return loss;
}

/** Returns a function that reads sentences by networks that were trained for graphs, several sentences at a time. */
export function graphNetworkReader(
  network: QuantizedNetwork,
  encoder: SentenceEncoder,
): (sentences: readonly EncodedSentence[]) => GraphNetworkReading[] {
  const networks = new SentenceNetworks(network, encoder);
  return (sentences) =>
    networks.readAll(sentences).map((reading) => graphReading(networks, network, reading));
}

/** The output of networks for one sentence. It owns its memory: other sentences do not change it. */
export interface GraphNetworkReading {
  /** Returns the arcs whose log-odds are at least a threshold. @param root whether the root is a head O(n²) */
  candidates(threshold: number, root: boolean): Arcs;
  /**
   * Returns the scores of candidate arcs, of their labels and of predicates. Of a network alone: log-odds, and
   * log-probabilities of the labels of each arc. Next to features: log-odds, and log-probabilities less the logarithm of the
   * likeliest one, within limits and times the weights of the network. O(arcs units labels).
   */
  scores(arcs: Arcs, isAlone: boolean): AddedScores;
}

function graphReading(
  { ensemble }: SentenceNetworks,
  { configuration: { weight, labelWeight, labels: outputs } }: QuantizedNetwork,
  reading: ReturnType<SentenceNetworks["readAll"]>[number],
): GraphNetworkReading {
  const { arcs: odds, length } = reading;
  const labels = outputs - 1;
  return {
    candidates: (threshold, root) =>
      filterArcs(length - 1, (h, m) => (h > 0 || root) && odds[m * length + h] >= threshold),
    scores({ head, modifier }, isAlone) {
      // Arcs, then each word with itself, of which the last output is the predicate.
      const pairs = Array.from(head, (first, a) => ({ first, second: modifier[a] }));
      for (let w = 1; w < length; w++) pairs.push({ first: w, second: w });
      const { values, row } = ensemble.labelScores(reading, pairs);
      const scored = (own: number) =>
        isAlone ? own : weight * Math.max(MIN_SCORE, Math.min(-MIN_SCORE, own));
      const scores = {
        predicates: new Float64Array(length),
        arcs: Float64Array.from(head, (h, a) => scored(odds[modifier[a] * length + h])),
        labels: new Float64Array(head.length * labels),
      };
      for (let w = 1; w < length; w++)
        scores.predicates[w] = scored(values[(head.length + w - 1) * row + labels]);
      for (let a = 0; a < head.length; a++) {
        if (isAlone) scores.labels.set(logSoftmax(values.subarray(a * row, a * row + labels)), a * labels);
        else writeLabelScores(values, a * row, { labels, weight: labelWeight }, scores.labels, a * labels);
      }
      return scores;
    },
  };
}

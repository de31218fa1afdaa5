import { type Matrix, softmaxLoss, softmaxLosses } from "@arcwise/neural";
import type { EncodedTree } from "../scoring/arcs/label-filter.ts";
import { networkEpochJob } from "./network-learner.ts";
import { type NetworkTargets, type NetworkTask, type NetworkWork, taskOf } from "./network-task.ts";

/** Trains a network of trees for an epoch. */
export const treeEpochJob = networkEpochJob("network-epoch", import.meta.url, treeNetworkTask);

/** Returns the task to learn a network for trees: the head and label of each word. O(words). */
export function treeNetworkTask(work: NetworkWork<EncodedTree>): NetworkTask {
  const { golds, shape, columns = [] } = work;
  return taskOf(work, {
    epochJob: treeEpochJob,
    targets: (batch) => ({
      ...treeTargets(
        batch.map((i) => golds[i]),
        shape.labels,
      ),
      columns: columns.map((column) => batch.map((i) => column[i])),
    }),
  });
}

/** Returns the targets of trees. Words whose head is -1 are not annotated. */
function treeTargets(golds: readonly EncodedTree[], choices: number): NetworkTargets {
  const pairs = golds.flatMap(({ heads }, sentence) =>
    Array.from(heads.subarray(1), (head, k) => ({ sentence, head, modifier: k + 1 })).filter(
      ({ head }) => head >= 0,
    ),
  );
  const labels = Int32Array.from(pairs, ({ sentence, modifier }) => golds[sentence].labels[modifier]);
  return {
    pairs,
    heads: (values, s, scores, gradients) => headLoss(values, golds[s].heads, scores, gradients),
    labels: (values, scores, gradients) => softmaxLosses(values, scores, gradients, labels, choices),
    pairLabels: labels,
  };
}

/**
 * Returns the negative log-likelihood of the heads of a sentence, each separately among all positions except
 * the word's own; writes the gradients of the scores. A word whose head is -1 has neither loss nor gradients. O(n²).
 */
export function headLoss(values: Float32Array, heads: Int32Array, scores: Matrix, gradients: Matrix): number {
  let loss = 0;
  for (let m = 1; m < heads.length; m++) {
    if (heads[m] < 0) continue;
    loss += softmaxLoss(values, {
      scores: scores.at + m * scores.row,
      gradients: gradients.at + m * gradients.row,
      choices: heads.length,
      target: heads[m],
      excluded: m,
    });
  }
  return loss;
}

import type { RowPair } from "@arcwise/neural";
import type { SentenceLabels } from "../sentence-labels.ts";
import type { NetworkReading } from "./network-scorer.ts";

/** The labels of the arcs of a sentence, by the log-probabilities of each arc. */
export interface NetworkLabels extends SentenceLabels {
  /** Returns the log-probability of each label of an arc. */
  row(h: number, m: number): Float64Array;
}

/**
 * Returns the labels of the arcs of a sentence by a network alone: log-probabilities given the arc. The score of an arc is
 * the log-probability of the head. Rows of arcs are remembered.
 *
 * @param all the labels of the model, by index
 */
export function networkLabels(reading: NetworkReading, all: Int32Array): NetworkLabels {
  const rows = new Map<number, Float64Array>();
  const keyOf = (h: number, m: number) => m * reading.length + h;
  const add = (arcs: readonly RowPair[]) => {
    for (const [k, row] of reading.labelLogProbabilities(arcs).entries())
      rows.set(keyOf(arcs[k].first, arcs[k].second), row);
  };
  const row = (h: number, m: number) => {
    if (!rows.has(keyOf(h, m))) add([{ first: h, second: m }]);
    return rows.get(keyOf(h, m))!;
  };
  return {
    usual: () => all,
    prepare(heads, words) {
      const missing = words.filter((m) => !rows.has(keyOf(heads[m], m)));
      if (missing.length > 0) add(missing.map((m) => ({ first: heads[m], second: m })));
    },
    row,
    scoreLabels(h, m, labels, scores) {
      const own = row(h, m);
      for (let l = 0; l < labels.length; l++) scores[l] = own[labels[l]];
      return reading.logProbability(h, m);
    },
  };
}

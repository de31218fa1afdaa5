import type { EncodedSentence } from "@arcwise/core/features";
import { type LabelFilter, TAGS } from "@arcwise/parser/shared";
import type { EncodedGraph, GraphLabels } from "./encoded-graph.ts";

/** A label is unique when it occurs at least this often and no predicate has it twice. */
const MIN_UNIQUE = 20;
/** Labels that a pair of tags may have that was never seen: the most frequent ones. */
const UNSEEN_LABELS = 12;
/**
 * A pair of tags may have a label that this share of all edges has with it: rarer ones are mistakes more
 * often than not.
 */
const MIN_SHARE = 1 / 25_000;

/** Training sentences with their gold graphs. */
export interface LabelledGraphs {
  readonly labels: GraphLabels;
  readonly sentences: readonly EncodedSentence[];
  readonly golds: readonly EncodedGraph[];
}

/** The labels that are frequent and that no head has twice. */
export function uniqueLabels({ golds, labels }: LabelledGraphs): Uint8Array {
  const count = labels.strings.length;
  const frequency = new Int32Array(count);
  const repeated = new Uint8Array(count);
  for (const { n, head, label } of golds) {
    const seen = new Set<number>();
    for (let e = 0; e < head.length; e++) {
      const key = label[e] * (n + 1) + head[e];
      if (seen.has(key)) repeated[label[e]!] = 1;
      seen.add(key);
      frequency[label[e]!]++;
    }
  }
  return Uint8Array.from(frequency, (times, l) => (times >= MIN_UNIQUE && repeated[l] === 0 ? 1 : 0));
}

/**
 * Labels by the tags of head and modifier: those seen with them often enough, or else the most frequent ones.
 */
export function labelFilter({ sentences, golds, labels }: LabelledGraphs): LabelFilter {
  const count = labels.strings.length;
  const seen = new Int32Array(TAGS * TAGS * count);
  for (const [i, { tag }] of sentences.entries()) {
    const { head, modifier, label } = golds[i];
    for (let e = 0; e < head.length; e++) {
      seen[(tag[head[e]!] * TAGS + tag[modifier[e]!]) * count + label[e]!]++;
    }
  }
  const edges = golds.reduce((sum, { head }) => sum + head.length, 0);
  const enough = Math.max(1, Math.floor(edges * MIN_SHARE));
  const start = new Int32Array(TAGS * TAGS + 1);
  const list: number[] = [];
  for (let pair = 0; pair < TAGS * TAGS; pair++) {
    const before = list.length;
    for (let l = 0; l < count; l++) if (seen[pair * count + l] >= enough) list.push(l);
    if (list.length === before) for (let l = 0; l < Math.min(UNSEEN_LABELS, count); l++) list.push(l);
    start[pair + 1] = list.length;
  }
  return { start, list: Int32Array.from(list) };
}

import type { EncodedSentence } from "@arcwise/core/features";

/**
 * The labels that an arc may have, by the universal tags of head and modifier: those seen on such an arc in
 * training; for a pair of tags never seen, those of the modifier's tag; else all.
 */
export interface LabelFilter {
  /** Pair of tags to list: labels of pair p are `list[start[p] .. start[p + 1] - 1]`, ascending. */
  readonly start: Int32Array;
  readonly list: Int32Array;
}

/** Tags of `EncodedSentence.tag` are below this. */
export const TAGS = 32;

/** A gold tree as numbers: heads, and labels as indices into the parser's list. */
export interface EncodedTree {
  readonly heads: Int32Array;
  readonly labels: Int32Array;
}

/** Collects what labels occur with which tags. O(words + tag pairs × labels). */
export function buildLabelFilter(
  sentences: readonly EncodedSentence[],
  trees: readonly EncodedTree[],
  labelCount: number,
): LabelFilter {
  const seen = new Uint8Array(TAGS * TAGS * labelCount);
  for (const [index, { n, tag }] of sentences.entries()) {
    const { heads, labels } = trees[index]!;
    for (let m = 1; m <= n; m++) seen[(tag[heads[m]!]! * TAGS + tag[m]!) * labelCount + labels[m]!] = 1;
  }
  return labelFilter(seen, labelCount);
}

function labelFilter(seen: Uint8Array, labelCount: number): LabelFilter {
  const start = new Int32Array(TAGS * TAGS + 1);
  const list: number[] = [];
  const byModifier = new Uint8Array(TAGS * labelCount);
  for (let pair = 0; pair < TAGS * TAGS; pair++) {
    for (let label = 0; label < labelCount; label++) {
      if (seen[pair * labelCount + label] === 1) byModifier[(pair % TAGS) * labelCount + label] = 1;
    }
  }
  for (let pair = 0; pair < TAGS * TAGS; pair++) {
    const before = list.length;
    for (let label = 0; label < labelCount; label++) {
      if (seen[pair * labelCount + label] === 1) list.push(label);
    }
    if (list.length === before) {
      for (let label = 0; label < labelCount; label++) {
        if (byModifier[(pair % TAGS) * labelCount + label] === 1) list.push(label);
      }
    }
    if (list.length === before) for (let label = 0; label < labelCount; label++) list.push(label);
    start[pair + 1] = list.length;
  }
  return { start, list: Int32Array.from(list) };
}

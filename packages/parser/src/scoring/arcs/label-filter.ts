import type { EncodedSentence } from "@arcwise/core/features";

/**
 * The labels that an arc may have, by the universal tags of head and modifier: those seen on such an arc in
 * training; for an unseen pair of tags, the labels of the modifier's tag; otherwise all. The root is separate: a
 * tag never seen under it may have the labels that others have there, and labels seen only there are on no
 * arc from a word, unless there are no others.
 */
export interface LabelFilter {
  /** Pair of tags to list: labels of pair p are `list[start[p] .. start[p + 1] - 1]`, ascending. */
  readonly start: Int32Array;
  readonly list: Int32Array;
}

/** Tags of `EncodedSentence.tag` are below this. */
export const TAGS = 32;

/** A gold tree as indices: heads, and labels as indices into the parser's list. */
export interface EncodedTree {
  readonly heads: Int32Array;
  readonly labels: Int32Array;
}

/** Returns the labels that an arc may have. */
export function labelsOfArc(
  { start, list }: LabelFilter,
  { tag }: EncodedSentence,
  h: number,
  m: number,
): Int32Array {
  const pair = tag[h] * TAGS + tag[m];
  return list.subarray(start[pair], start[pair + 1]);
}

/** Collects the labels of each pair of tags. O(words + tag pairs × labels). */
export function buildLabelFilter(
  sentences: readonly EncodedSentence[],
  trees: readonly EncodedTree[],
  labelCount: number,
): LabelFilter {
  const seen = new Uint8Array(TAGS * TAGS * labelCount);
  for (const [index, { n, tag }] of sentences.entries()) {
    const { heads, labels } = trees[index];
    for (let m = 1; m <= n; m++) {
      if (heads[m] < 0 || labels[m] < 0) continue;
      seen[(tag[heads[m]] * TAGS + tag[m]) * labelCount + labels[m]] = 1;
    }
  }
  return labelFilter(seen, labelCount);
}

/** Returns the lists of two filters joined: the labels that either gives to a pair of tags, ascending. O(labels of all pairs). */
export function joinLabelFilters(a: LabelFilter, b: LabelFilter): LabelFilter {
  const start = new Int32Array(a.start.length);
  const list: number[] = [];
  for (let pair = 0; pair + 1 < start.length; pair++) {
    const labels = [a, b].flatMap((of) => [...of.list.subarray(of.start[pair], of.start[pair + 1])]);
    list.push(...[...new Set(labels)].sort((one, other) => one - other));
    start[pair + 1] = list.length;
  }
  return { start, list: Int32Array.from(list) };
}

/**
 * Makes the lists of labels by pair of tags: the first that is not empty of those described at `LabelFilter`.
 */
function labelFilter(seen: Uint8Array, labelCount: number): LabelFilter {
  const modifierLabels = new Uint8Array(TAGS * labelCount);
  const underRoot = new Uint8Array(labelCount);
  const underWords = new Uint8Array(labelCount);
  for (let pair = 0; pair < TAGS * TAGS; pair++) {
    for (let label = 0; label < labelCount; label++) {
      if (seen[pair * labelCount + label] === 0) continue;
      if (pair < TAGS) underRoot[label] = 1;
      else {
        underWords[label] = 1;
        modifierLabels[(pair % TAGS) * labelCount + label] = 1;
      }
    }
  }
  const notRoot = underRoot.map((isRoot, label) => (isRoot === 0 || underWords[label] === 1 ? 1 : 0));
  const start = new Int32Array(TAGS * TAGS + 1);
  const list: number[] = [];
  const all = new Uint8Array(labelCount).fill(1);
  for (let pair = 0; pair < TAGS * TAGS; pair++) {
    const before = list.length;
    const add = (flags: Uint8Array, from = 0) => {
      if (list.length > before) return;
      for (let label = 0; label < labelCount; label++) if (flags[from + label] === 1) list.push(label);
    };
    add(seen, pair * labelCount);
    if (pair < TAGS) add(underRoot);
    else {
      add(modifierLabels, (pair % TAGS) * labelCount);
      add(underWords);
      add(notRoot);
    }
    add(all);
    start[pair + 1] = list.length;
  }
  return { start, list: Int32Array.from(list) };
}

import type { KeyExtractor } from "./extraction.ts";
import { type EncodedExample, type FeatureSpace, visitKeys } from "./feature-space.ts";
import { HashIndex } from "./hash-index.ts";

/**
 * The labels with a weight for each input key: training looks a key up once, not each pair of a key and a
 * label at each position.
 */
export interface ObservedLines {
  /** Indices of the keys. */
  readonly index: HashIndex;
  /** The pairs of line k are `start[k] .. start[k + 1] - 1`, by ascending label. */
  readonly start: Int32Array;
  readonly labels: Uint16Array;
  readonly weights: Int32Array;
}

/**
 * Collects the lines of training examples. O(pieces of all templates, at all positions). Memory: 6 bytes per
 * weight and about 24 per key.
 *
 * @returns undefined when labels are too many for 16 bits, or lines and labels for 32
 */
export function observedLines(
  examples: readonly EncodedExample[],
  extractor: KeyExtractor,
  space: FeatureSpace,
): ObservedLines | undefined {
  const L = space.labels;
  if (L > 2 ** 16) return undefined;
  const index = new HashIndex();
  const pairs = new HashIndex();
  visitKeys(examples, extractor, 1, L, (key, label) => {
    if (space.weight(1, key, label) >= 0) pairs.add(Math.min(2 ** 31 - 1, index.add(key) * L + label));
  });
  if (index.size * L >= 2 ** 31) return undefined;
  const keys = index.keys();
  const sorted = pairs.keys().sort();
  const start = new Int32Array(keys.length + 1);
  const labels = new Uint16Array(sorted.length);
  const weights = new Int32Array(sorted.length);
  for (let k = 0; k < sorted.length; k++) {
    const line = Math.floor(sorted[k]! / L);
    const label = sorted[k]! - line * L;
    start[line + 1] = k + 1;
    labels[k] = label;
    weights[k] = space.weight(1, keys[line]!, label);
  }
  return { index, start, labels, weights };
}

/** Returns the weight of a line with a label, -1 when there is none. O(log). */
export function lineWeight({ start, labels, weights }: ObservedLines, line: number, label: number): number {
  let low = start[line]!;
  let high = start[line + 1]! - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (labels[middle]! < label) low = middle + 1;
    else high = middle;
  }
  return low <= high && labels[low] === label ? weights[low]! : -1;
}

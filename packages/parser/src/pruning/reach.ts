import type { Arcs } from "@arcwise/core";
import type { EncodedSentence } from "@arcwise/core/features";
import { TAGS } from "../scoring/arcs/label-filter.ts";

/**
 * Maximum distances between heads and modifiers, by the universal tags of both and the direction: the first
 * and cheapest step of pruning. The maximum for tag h of the head and tag m of the modifier is at
 * `2 (h TAGS + m) + (1 when the arc goes right)`.
 */
export type Reach = Int32Array;

/** Factor of the longest seen distance; two more are added. */
const SLACK = 1.5;
const MORE = 2;
/** Number of words above which heads further away than `WINDOW` are excluded. */
const LONG = 400;
const WINDOW = 100;

/** Measures the distances in gold trees. O(words). */
export function measureReach(sentences: readonly EncodedSentence[], golds: readonly Int32Array[]): Reach {
  const reach = new Int32Array(2 * TAGS * TAGS);
  for (const [index, { n, tag }] of sentences.entries()) {
    const heads = golds[index];
    for (let m = 1; m <= n; m++) {
      const h = heads[m];
      const pair = 2 * (tag[h] * TAGS + tag[m]) + (h < m ? 1 : 0);
      reach[pair] = Math.max(reach[pair], Math.floor(SLACK * Math.abs(h - m)) + MORE);
    }
  }
  return reach;
}

/** Whether an arc of a sentence of n words may be a candidate, whatever the tags. */
export function withinWindow(n: number, h: number, m: number): boolean {
  return n <= LONG || h === 0 || Math.abs(h - m) <= WINDOW;
}

/** Whether a sentence is so long that only a window around each word is scored. */
export function isLong(n: number): boolean {
  return n > LONG;
}

/**
 * Returns the arcs of a sentence within reach, and the arcs of a gold tree. Every word can be the modifier of
 * the root and of its neighbours, so that there always is a projective tree with a single root. O(n²); in
 * sentences of more than 400 words O(n).
 *
 * @param reach undefined: no maximum distance
 */
export function reachableArcs(
  { n, tag }: EncodedSentence,
  reach: Reach | undefined,
  gold?: Int32Array,
): Arcs {
  const window = isLong(n) ? WINDOW : n;
  const start = new Int32Array(n + 2);
  const head = new Int32Array(n * (Math.min(n, 2 * window + 1) + 1));
  const modifier = new Int32Array(head.length);
  let count = 0;
  for (let m = 1; m <= n; m++) {
    const pairs = 2 * tag[m];
    const right = gold === undefined ? -1 : gold[m];
    const last = Math.min(n, Math.max(m + window, right));
    for (let h = 0; h <= last; h++) {
      if (h === 1 && m - window > 1 && right <= 0) h = m - window;
      if (h === m) continue;
      const distance = h < m ? m - h : h - m;
      const farthest = reach === undefined ? window : reach[2 * TAGS * tag[h] + pairs + (h < m ? 1 : 0)];
      if (h === 0 || distance === 1 || distance <= Math.min(farthest, window) || h === right) {
        head[count] = h;
        modifier[count++] = m;
      }
    }
    start[m + 1] = count;
  }
  return { n, start, head: head.slice(0, count), modifier: modifier.slice(0, count) };
}

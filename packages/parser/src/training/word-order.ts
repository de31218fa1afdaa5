import type { Random } from "@arcwise/core";
import { type EncodedSentence, PADDING } from "@arcwise/core/features";
import type { EncodedTree } from "../scoring/arcs/label-filter.ts";

/** What changes places, and how often. */
export interface Reordering {
  /** Probability that the free dependents of a head change places. */
  readonly rate: number;
  /** For each label, by number, whether dependents that have it are free. */
  readonly free: readonly boolean[];
}

/**
 * Draws another order of the words of a tree: the free dependents of a head, each with all that depends on
 * it, change places among themselves. A treebank is thereby shown sentences that it might have had, in
 * languages where the order of subjects and objects says little about the syntax, with the trees that these
 * would have (Şahin and Steedman 2018). Heads and other dependents keep their places. So do all dependents of
 * a head one of which is interrupted by words of others, in trees that are not projective.
 *
 * `order[i]` is the position that word i has in the tree, and `order[0]` is 0. O(n · depth of the tree).
 *
 * @returns undefined: no word moves
 */
export function drawOrder(
  { heads, labels }: EncodedTree,
  { rate, free }: Reordering,
  stream: Random,
): Int32Array | undefined {
  const families = familiesOf(heads);
  const spans = spansOf(heads, families);
  let order: Int32Array | undefined;
  for (const head of spans.upwards) {
    const members = families[head]!;
    const places = members.flatMap((member, k) => (member !== head && free[labels[member]!] ? [k] : []));
    if (head === 0 || places.length < 2 || stream.next() >= rate || !isWhole(spans, members)) continue;
    const drawn = stream.shuffle(places.slice());
    const moved = [...members];
    for (const [k, place] of places.entries()) moved[place] = members[drawn[k]!]!;
    order ??= Int32Array.from(heads, (_, i) => i);
    reorder(order, spans, moved, head);
  }
  return order;
}

/** Returns whether the words below a head are one span, and those below each dependent as well. */
function isWhole({ first, last, size }: Spans, members: readonly number[]): boolean {
  const isSpan = (word: number) => last[word]! - first[word]! + 1 === size[word]!;
  // The head is one of the members; its span is that of all of them.
  return members.every(isSpan);
}

/** Puts the words below a head into the order of its members. Those below each member are in order. */
function reorder(order: Int32Array, { first, last }: Spans, members: readonly number[], head: number): void {
  const words = members.flatMap((member) =>
    member === head ? [head] : [...order.subarray(first[member], last[member]! + 1)],
  );
  order.set(words, first[head]!);
}

/** Returns each word with its dependents, ascending; position 0 without itself. O(n). */
function familiesOf(heads: Int32Array): number[][] {
  const families = Array.from(heads, (): number[] => []);
  for (let i = 1; i < heads.length; i++) {
    families[i]!.push(i);
    families[heads[i]!]!.push(i);
  }
  return families;
}

/** The first and the last position of the words below each word, itself included, and their number. */
interface Spans {
  readonly first: Int32Array;
  readonly last: Int32Array;
  readonly size: Int32Array;
  /** All positions, dependents before their heads. */
  readonly upwards: Int32Array;
}

/** O(n). */
function spansOf(heads: Int32Array, families: readonly (readonly number[])[]): Spans {
  const downwards = [0];
  for (let k = 0; k < downwards.length; k++) {
    const head = downwards[k]!;
    for (const member of families[head]!) if (member !== head) downwards.push(member);
  }
  const first = Int32Array.from(heads, (_, i) => i);
  const last = first.slice();
  const size = new Int32Array(heads.length).fill(1);
  const upwards = Int32Array.from(downwards.reverse());
  for (const m of upwards) {
    if (m === 0) continue;
    const head = heads[m]!;
    first[head] = Math.min(first[head]!, first[m]!);
    last[head] = Math.max(last[head]!, last[m]!);
    size[head]! += size[m]!;
  }
  return { first, last, size, upwards };
}

/**
 * Returns a sentence in another order. Markers, which depend on the words before, remain those of the order
 * that it had: networks do not read them. O(n).
 */
export function sentenceInOrder(sentence: EncodedSentence, order: Int32Array): EncodedSentence {
  const { n, featStart, words, vectors, morphology } = sentence;
  const feats = new Int32Array(sentence.feats.length);
  const starts = new Int32Array(n + 2);
  for (const [i, old] of order.entries()) {
    const own = sentence.feats.subarray(featStart[old], featStart[old + 1]);
    feats.set(own, starts[i]);
    starts[i + 1] = starts[i]! + own.length;
  }
  return {
    n,
    columns: sentence.columns.map((column) => columnInOrder(column, order)),
    featStart: starts,
    feats,
    tag: Uint8Array.from(order, (old) => sentence.tag[old]!),
    counts: sentence.counts.map((counts) => countsInOrder(counts, order)),
    ...(morphology && {
      morphology: Object.fromEntries(
        Object.entries(morphology).map(([name, column]) => [name, columnInOrder(column, order)]),
      ),
    }),
    ...(words && { words: Array.from(order.subarray(1), (old) => words[old - 1]!) }),
    ...(vectors && { vectors: Int32Array.from(order, (old) => vectors[old]!) }),
  };
}

/** Returns a padded column in another order: what is beyond the ends of the sentence stays. */
function columnInOrder(column: Int32Array, order: Int32Array): Int32Array {
  const result = column.slice();
  for (const [i, old] of order.entries()) result[i + PADDING] = column[old + PADDING]!;
  return result;
}

function countsInOrder(counts: Int32Array, order: Int32Array): Int32Array {
  const result = counts.slice();
  for (let i = 1; i < order.length; i++) {
    const old = order[i]!;
    result[i] = result[i - 1]! + counts[old]! - counts[old - 1]!;
  }
  return result;
}

/** Returns a tree in another order of its words. O(n). */
export function treeInOrder({ heads, labels }: EncodedTree, order: Int32Array): EncodedTree {
  const place = new Int32Array(order.length);
  for (const [i, old] of order.entries()) place[old] = i;
  return {
    heads: Int32Array.from(order, (old) => (old === 0 ? heads[0]! : place[heads[old]!]!)),
    labels: Int32Array.from(order, (old) => labels[old]!),
  };
}

/** Returns the entries of words, of which those of word 1 come first, in another order. O(n). */
export function wordsInOrder(entries: Int32Array, order: Int32Array): Int32Array {
  return Int32Array.from(order.subarray(1), (old) => entries[old - 1]!);
}

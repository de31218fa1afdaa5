import type { Decoder, PartKind, Sentence } from "@arcwise/core";

/**
 * Maximum number of words of a sentence that is parsed at once where scoring or decoding takes more than
 * linear memory or time: parts of several arcs, projective trees, a network. Longer "sentences" are lists,
 * tables, or text without breaks.
 */
export const MAX_WORDS = 1000;
/** Maximum number of words of a block of a longer sentence. */
const BLOCK = 400;

/** Whether a model parses a sentence as a whole. */
export function fitsDecoder(
  words: number,
  { trees }: Pick<Decoder, "trees">,
  model: { readonly kinds: readonly PartKind[]; readonly global: boolean; readonly terms: number },
): boolean {
  const isPlain = trees === "any" && model.kinds.length === 0 && !model.global && model.terms === 0;
  return isPlain || words <= MAX_WORDS;
}

/**
 * Cuts a sentence into blocks of 200 to 400 words: after the last full stop of the second half of a block if
 * there is one, otherwise after the last punctuation, otherwise after 400 words. Returns the number of words
 * before each block, from 0 on, and the number of all words. O(n).
 */
export function cutBlocks(sentence: Sentence): number[] {
  const cuts = [0];
  for (let from = 0; sentence.length - from > BLOCK; from = cuts.at(-1)!) {
    cuts.push(cutBehind(sentence, from + BLOCK / 2, from + BLOCK));
  }
  cuts.push(sentence.length);
  return cuts;
}

function cutBehind(sentence: Sentence, low: number, high: number): number {
  for (const isBreak of [isStop, isPunctuation]) {
    for (let cut = high; cut > low; cut--) if (isBreak(sentence[cut - 1])) return cut;
  }
  return high;
}

const isStop = ({ form }: Sentence[number]) => /^[.!?…。！？]+$/u.test(form);
const isPunctuation = ({ upos, form }: Sentence[number]) => upos === "PUNCT" || /^\p{P}+$/u.test(form);

/** The tree of a block: heads from 0 to the number of its words. */
interface BlockTree {
  readonly heads: Int32Array;
}

/**
 * Joins the trees of blocks into one tree. The first root word of the first block stays root word; it becomes
 * the head of all other root words. No arc of one block crosses one of another.
 *
 * @param cuts the result of `cutBlocks`
 * @returns the heads, and the words whose head is of another block, ascending
 */
export function joinBlocks(
  trees: readonly BlockTree[],
  cuts: readonly number[],
): { heads: Int32Array; links: number[] } {
  const heads = new Int32Array(cuts.at(-1)! + 1).fill(-1);
  const links: number[] = [];
  let root = 0;
  for (const [b, tree] of trees.entries()) {
    const before = cuts[b];
    for (let m = 1; m < tree.heads.length; m++) {
      const head = tree.heads[m];
      if (head > 0) heads[before + m] = before + head;
      else {
        heads[before + m] = root;
        if (root > 0) links.push(before + m);
        else root = before + m;
      }
    }
  }
  return { heads, links };
}

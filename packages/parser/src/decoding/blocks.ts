import type { Decoder, PartKind, Sentence } from "@arcwise/core";

/**
 * Words of a sentence that are parsed at once at most, where scoring or decoding takes memory or time beyond
 * what n words should: parts of several arcs, projective trees, a network. Longer "sentences" are lists,
 * tables, or text without breaks.
 */
export const MAX_WORDS = 1000;
/** Words of a block that a longer sentence is cut into. */
const BLOCK = 400;

/** Whether a sentence is parsed as a whole by a model. */
export function fitsDecoder(
  words: number,
  { trees }: Pick<Decoder, "trees">,
  model: { readonly kinds: readonly PartKind[]; readonly global: boolean; readonly terms: number },
): boolean {
  const isPlain = trees === "any" && model.kinds.length === 0 && !model.global && model.terms === 0;
  return isPlain || words <= MAX_WORDS;
}

/**
 * Cuts a sentence into blocks of 200 to 400 words, behind the last full stop of the second half of a block if
 * there is one, else behind the last punctuation mark, else after 400 words. Returns the number of words
 * before each block, from 0 on, and that of all words. O(n).
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
    for (let cut = high; cut > low; cut--) if (isBreak(sentence[cut - 1]!)) return cut;
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
 * Joins the trees of blocks to one: the first word below the root of the first block stays there, and the
 * words below the roots of the other blocks (and further ones of the first) hang on it. No arc of one block
 * crosses one of another.
 *
 * @param cuts as `cutBlocks` gives them
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
    const before = cuts[b]!;
    for (let m = 1; m < tree.heads.length; m++) {
      const head = tree.heads[m]!;
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

/**
 * The rows of the input table that represent each word: its own row, and the rows of its character n-grams.
 */
export interface Subwords {
  /** Number of rows: the rows of the words come first, in their order. */
  readonly rows: number;
  /** The rows of word w: `list[start[w] .. start[w + 1] - 1]`, its own first. */
  readonly start: Int32Array;
  readonly list: Int32Array;
}

/** Lengths of n-grams, in code points, and the number of rows that they share. */
export interface NgramOptions {
  readonly from: number;
  readonly to: number;
  readonly buckets: number;
}

/**
 * Returns the rows of words, with the rows of the n-grams of `<word>`, hashed into buckets (Bojanowski et al.
 * 2017). O(characters · lengths).
 */
export function subwords(words: readonly string[], ngrams: NgramOptions | undefined): Subwords {
  const start = new Int32Array(words.length + 1);
  const list: number[] = [];
  for (const [w, word] of words.entries()) {
    list.push(w);
    if (ngrams !== undefined) addNgrams(word, ngrams, words.length, list);
    start[w + 1] = list.length;
  }
  return { rows: words.length + (ngrams?.buckets ?? 0), start, list: Int32Array.from(list) };
}

function addNgrams(word: string, { from, to, buckets }: NgramOptions, first: number, list: number[]): void {
  const characters = [..."<", ...word, ...">"];
  for (let i = 0; i < characters.length; i++) {
    let hash = FNV_BASIS;
    for (let k = i; k < characters.length && k < i + to; k++) {
      hash = extended(hash, characters[k].codePointAt(0)!);
      const length = k - i + 1;
      // The whole of `<word>` is the word itself, and an edge alone says nothing.
      if (length < from || length === characters.length) continue;
      if (length === 1 && (i === 0 || k === characters.length - 1)) continue;
      list.push(first + ((hash >>> 0) % buckets));
    }
  }
}

const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Returns the FNV-1a hash of a code point after others, by its three bytes. */
function extended(hash: number, code: number): number {
  let next = hash;
  for (let shift = 0; shift < 24; shift += 8) next = Math.imul(next ^ ((code >>> shift) & 0xff), FNV_PRIME);
  return next;
}

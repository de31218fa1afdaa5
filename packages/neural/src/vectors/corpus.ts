import { checkArgument, checkReceived, iterable, satisfying, string } from "@arcwise/core/options";

/** A text as indices of words. Words that are too rare are left out. */
export interface Corpus {
  /** Distinct words, the most frequent first; of equally frequent ones the first in the text. */
  readonly words: readonly string[];
  /** Occurrences of each word. */
  readonly counts: Float64Array;
  /** The words of all sentences, in sequence. */
  readonly tokens: Int32Array;
  /** The words of sentence s: `tokens[start[s] .. start[s + 1] - 1]`. */
  readonly start: Int32Array;
}

const SENTENCES = satisfying(
  "an iterable of sentences",
  (value) =>
    typeof value === "object" &&
    value !== null &&
    (Symbol.asyncIterator in value || Symbol.iterator in value),
);
const WORDS = iterable<string>("words");

/**
 * Reads the words of a text, once. Memory: 4 bytes a word of the text, and its distinct words.
 *
 * @param minimum words that occur fewer times are left out
 * @throws ArcwiseError `invalid-data` with the number of a sentence that is not a list of words
 */
export async function readCorpus(
  sentences: Iterable<readonly string[]> | AsyncIterable<readonly string[]>,
  minimum: number,
): Promise<Corpus> {
  const ids = new Map<string, number>();
  const seen: number[] = [];
  const ends: number[] = [];
  let tokens = new Int32Array(1024);
  let length = 0;
  checkArgument(SENTENCES, sentences, "trainWordVectors: sentences");
  for await (const sentence of sentences) {
    const at = `sentence ${ends.length + 1}`;
    checkReceived(WORDS, sentence, at);
    for (const word of sentence) {
      if (typeof word !== "string") checkReceived(string, word, at);
      let id = ids.get(word);
      if (id === undefined) {
        id = seen.length;
        ids.set(word, id);
        seen.push(0);
      }
      seen[id]++;
      if (length === tokens.length) tokens = doubled(tokens);
      tokens[length++] = id;
    }
    ends.push(length);
  }
  return frequentWords([...ids.keys()], seen, { tokens: tokens.subarray(0, length), ends }, minimum);
}

function doubled(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * array.length);
  larger.set(array);
  return larger;
}

function frequentWords(
  names: readonly string[],
  seen: readonly number[],
  { tokens, ends }: { readonly tokens: Int32Array; readonly ends: readonly number[] },
  minimum: number,
): Corpus {
  const order = names.map((_, id) => id).filter((id) => seen[id] >= minimum);
  order.sort((a, b) => seen[b] - seen[a] || a - b);
  const rank = new Int32Array(names.length).fill(-1);
  for (const [k, id] of order.entries()) rank[id] = k;
  const start = new Int32Array(ends.length + 1);
  const kept = new Int32Array(tokens.length);
  let from = 0;
  let end = 0;
  for (const [s, last] of ends.entries()) {
    for (; from < last; from++) {
      const word = rank[tokens[from]];
      if (word >= 0) kept[end++] = word;
    }
    start[s + 1] = end;
  }
  return {
    words: order.map((id) => names[id]),
    counts: Float64Array.from(order, (id) => seen[id]),
    tokens: kept.slice(0, end),
    start,
  };
}

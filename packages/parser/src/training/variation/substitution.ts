import type { Random } from "@arcwise/core";
import { COLUMN, COUNTED, PADDING } from "@arcwise/core/features";
import { composeExample, type NetworkExample, type Source } from "./network-example.ts";
import { familiesOf, isSpan, type Spans, spansOf } from "./spans.ts";

/** Maximum number of words of a replaced phrase, and of its replacement. */
const MOST = 12;
const PUNCTUATION = COUNTED.indexOf("punctuation");

/** A dependent with all that depends on it: words next to each other. */
interface Phrase {
  readonly example: NetworkExample;
  readonly head: number;
  readonly first: number;
  readonly last: number;
}

/**
 * Replaces dependents, each with all that depends on it, by others of the treebank that have the same label,
 * tag and morphological features (Shi, Livescu and Gimpel 2021): sentences that the treebank might have had,
 * if with little sense. Punctuation, phrases of more than 12 words, and phrases interrupted by other words
 * are not replaced.
 */
export class Substitutions {
  readonly #phrases = new Map<string, Phrase[]>();

  /** Collects the phrases of a treebank. O(words). */
  constructor(examples: Iterable<NetworkExample>) {
    for (const example of examples) {
      const { heads } = example.tree;
      const spans = spansOf(heads, familiesOf(heads));
      const { first, last } = spans;
      for (const head of spans.downwards) {
        if (!isPhrase(example, spans, head)) continue;
        const key = keyOf(example, head);
        const alike = this.#phrases.get(key) ?? [];
        this.#phrases.set(key, alike);
        alike.push({ example, head, first: first[head]!, last: last[head]! });
      }
    }
  }

  /**
   * Draws an example in which each phrase that is not part of a replaced phrase is replaced with probability `rate`, by
   * a phrase drawn from the phrases with the same key. O(words).
   *
   * @returns undefined if no phrase is replaced
   */
  draw(example: NetworkExample, rate: number, stream: Random): NetworkExample | undefined {
    const { heads } = example.tree;
    const spans = spansOf(heads, familiesOf(heads));
    const { first, last } = spans;
    const isReplaced = new Uint8Array(heads.length);
    /** The head and the replacement of each replaced phrase, by the position at which the phrase begins. */
    const drawn = new Map<number, { readonly head: number; readonly by: Phrase }>();
    for (const head of spans.downwards) {
      if (isReplaced[head] === 1 || !isPhrase(example, spans, head) || stream.next() >= rate) continue;
      const alike = this.#phrases.get(keyOf(example, head)) ?? [];
      if (alike.length < 2) continue;
      drawn.set(first[head]!, { head, by: alike[stream.int(alike.length)]! });
      isReplaced.fill(1, first[head]!, last[head]! + 1);
    }
    return drawn.size === 0 ? undefined : replaced(example, last, drawn);
  }
}

/** Returns an example in which phrases are replaced. O(words). */
function replaced(
  example: NetworkExample,
  last: Int32Array,
  drawn: ReadonlyMap<number, { readonly head: number; readonly by: Phrase }>,
): NetworkExample {
  const { heads } = example.tree;
  const sources: Source[] = [];
  /** Where each word of the example is that stays, and each head that is replaced. */
  const place = new Int32Array(heads.length);
  for (let position = 0; position < heads.length; position++) {
    const phrase = drawn.get(position);
    if (phrase === undefined) {
      place[position] = sources.length;
      sources.push({ example, position });
      continue;
    }
    const { head, by } = phrase;
    place[head] = sources.length + by.head - by.first;
    for (let word = by.first; word <= by.last; word++) sources.push({ example: by.example, position: word });
    position = last[head]!;
  }
  const moved = new Int32Array(sources.length).fill(heads[0]!);
  for (let position = 1; position < heads.length; position++) {
    const phrase = drawn.get(position);
    if (phrase === undefined) {
      moved[place[position]!] = place[heads[position]!]!;
      continue;
    }
    const { head, by } = phrase;
    const offset = place[head]! - by.head;
    for (let word = by.first; word <= by.last; word++) {
      moved[word + offset] = word === by.head ? place[heads[head]!]! : by.example.tree.heads[word]! + offset;
    }
    position = last[head]!;
  }
  return composeExample(sources, moved);
}

/** Returns whether a word, with all that depends on it, may be replaced. */
function isPhrase({ sentence, tree }: NetworkExample, spans: Spans, word: number): boolean {
  if (word === 0 || tree.heads[word] === 0 || spans.size[word]! > MOST || !isSpan(spans, word)) return false;
  const marks = sentence.counts[PUNCTUATION]!;
  return marks[word] === marks[word - 1];
}

/** Returns the key that phrases share if they may replace each other. */
function keyOf({ sentence, tree }: NetworkExample, head: number): string {
  const code = (column: number) => sentence.columns[column]![head + PADDING]!;
  return `${tree.labels[head]} ${code(COLUMN.upos)} ${code(COLUMN.feats)}`;
}

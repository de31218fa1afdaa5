import { type ConlluSentence, columnsLine, type Row, readConllu } from "@arcwise/conllu";
import { type TokenizedSentence, tokenizedSentence } from "@arcwise/tokenize";
import { limitExceeded } from "../failures.ts";
import type { CompleteLimits } from "../server-options.ts";
import type { Piece } from "./plan.ts";

/** Sentences that are analysed together: as many, and sentences of as many words. */
const PIECE = { sentences: 64, words: 2048 } as const;

/** Consecutive sentences: the index of the first one, and their number. */
export interface Group {
  readonly from: number;
  count: number;
}

/** Counts the sentences of a request, and groups them to pieces. */
export class Grouping {
  readonly #limits: CompleteLimits;
  readonly #maxWords: number;
  #words: number;
  #sentences: number;
  #room = 0;
  readonly groups: Group[] = [];

  /** @param trees trees of each sentence @param before counts of the sentences before */
  constructor(limits: CompleteLimits, trees: number, before: { sentences: number; words: number }) {
    this.#limits = limits;
    this.#maxWords = PIECE.words / trees;
    this.#sentences = before.sentences;
    this.#words = before.words;
  }

  get counts() {
    return { sentences: this.#sentences, words: this.#words };
  }

  /** Adds a sentence of a number of words. */
  add(words: number): void {
    const limits = this.#limits;
    const index = this.#sentences++;
    this.#words += words;
    if (words > limits.sentence) throw limitExceeded("sentence", limits, `${words} in sentence ${index + 1}`);
    if (this.#sentences > limits.sentences) throw limitExceeded("sentences", limits);
    if (this.#words > limits.words) throw limitExceeded("words", limits);
    this.#room -= words;
    const last = this.groups.at(-1);
    if (last !== undefined && this.#room >= 0 && last.count < PIECE.sentences) {
      last.count++;
      return;
    }
    this.groups.push({ from: index, count: 1 });
    this.#room = this.#maxWords - words;
  }
}

/** Returns the groups of sentences, given their numbers of words. */
export function groupsOf(words: Iterable<number>, limits: CompleteLimits, trees = 1): readonly Group[] {
  const grouping = new Grouping(limits, trees, { sentences: 0, words: 0 });
  for (const count of words) grouping.add(count);
  return grouping.groups;
}

/** A sentence in a text: where it begins, its words, and its comments. */
export interface PlacedSentence {
  readonly begin: number;
  readonly words: number;
  readonly comments: readonly string[];
}

/** Cuts a text of sentences into pieces. */
export function slicesOf(
  kind: Piece["kind"],
  text: string,
  sentences: Iterable<PlacedSentence>,
  limits: CompleteLimits,
  trees = 1,
): Piece[] {
  const begins: number[] = [];
  const first = new Map<number, readonly string[]>();
  const grouping = new Grouping(limits, trees, { sentences: 0, words: 0 });
  for (const { begin, words, comments } of sentences) {
    grouping.add(words);
    begins.push(begin);
    const { from, count } = grouping.groups.at(-1)!;
    if (count === 1) first.set(from, comments);
  }
  const columns = kind === "conllu" ? columnsLine(text) : "";
  return grouping.groups.map(({ from, count }) => {
    const own = text.slice(from === 0 ? 0 : begins[from], begins[from + count]);
    const data = from === 0 ? own : columns + own;
    return { kind, data, from, count, next: first.get(from + count) };
  });
}

/** Yields the sentences of CoNLL-U with their places. */
export function* conlluSentences(
  text: string,
  see: (sentence: ConlluSentence) => void = () => {},
): Generator<PlacedSentence> {
  let [line, begin] = [1, 0];
  for (const sentence of readConllu(text)) {
    for (; line < sentence.line; line++) begin = text.indexOf("\n", begin) + 1;
    see(sentence);
    yield { begin, words: countWords(sentence.rows), comments: sentence.comments };
  }
}

/** Returns the number of words among rows. */
export function countWords(rows: readonly Row[]): number {
  let words = 0;
  for (const { kind } of rows) if (kind === "word") words++;
  return words;
}

/** A word of a request: its form, or its columns. */
type GivenWord = string | Readonly<Record<string, string>>;

const EMPTY = { lemma: "_", upos: "_", xpos: "_", feats: "_", deprel: "_", deps: "_", misc: "_" };

/** Returns the sentence of given words. @param index of the sentence in the request */
export function wordSentence(words: readonly GivenWord[], index: number): ConlluSentence {
  const columns = words.map((word) => (typeof word === "string" ? { form: word } : word));
  const text = columns.map(({ form }) => form).join(" ");
  return {
    comments: [`# sent_id = ${index + 1}`, `# text = ${text}`],
    rows: columns.map((word, i) => ({
      ...({ kind: "word", id: i + 1, form: word.form!, head: -1 } as const),
      ...EMPTY,
      ...word,
    })),
    line: 0,
  };
}

/** Returns the sentences of the JSON of given words. @param from index of the first one */
export function wordSentences(json: string, from: number): ConlluSentence[] {
  return (JSON.parse(json) as GivenWord[][]).map((words, k) => wordSentence(words, from + k));
}

/** Returns the sentences of the JSON of a text that was cut. */
export function cutSentences(json: string, from: number): ConlluSentence[] {
  return (JSON.parse(json) as TokenizedSentence[]).map((one, k) => tokenizedSentence(one, from + k + 1));
}

/*
 * A tree per line, comments before it. A node is `(RELATION modifiers-before FORM/UPOS modifiers-after)`; words are
 * in the order of the sentence, so that modifiers may stand before and after the word. `/UPOS` is absent where the
 * word has no tag. A backslash stands before a space, a slash, a bracket or a backslash of a text.
 */
import { sentenceTree, type WordRow } from "@arcwise/conllu";
import { nonProjectiveArcs } from "@arcwise/core";
import { DataError, wrongData } from "../errors.ts";
import type { AnnotatedSentence } from "./annotated.ts";

/** Returns the line of a tree. O(n log n). */
export function writeBrackets(sentence: AnnotatedSentence, file: string): string {
  const words = sentence.rows.filter((row) => row.kind === "word");
  const { heads } = sentenceTree(sentence);
  const crossing = nonProjectiveArcs(heads).indexOf(1);
  if (crossing > 0) throw crossingArc(sentence, words[crossing - 1]!, heads[crossing]!, file);
  const [lefts, rights] = spans(heads);
  const opened = words.map((): WordRow[] => []);
  const closed = new Uint32Array(words.length + 1);
  for (const row of words) {
    opened[lefts[row.id]! - 1]!.push(row);
    closed[rights[row.id]!]!++;
  }
  const text = words.map((row, i) => {
    // The subtree that ends last is the outermost one; no two have the same words.
    const opening = opened[i]!.sort((a, b) => rights[b.id]! - rights[a.id]!);
    const tag = row.upos === "_" ? "" : `/${escapeText(row.upos)}`;
    const brackets = opening.map(({ deprel }) => `(${escapeText(deprel)} `).join("");
    return `${brackets}${escapeText(row.form)}${tag}${")".repeat(closed[i + 1]!)}`;
  });
  return `${[...sentence.comments, text.join(" ")].join("\n")}\n`;
}

function crossingArc(sentence: AnnotatedSentence, row: WordRow, head: number, file: string): DataError {
  const { rows, comments, place } = sentence;
  const line = place ?? sentence.line + comments.length + rows.indexOf(row);
  const expected = "a projective tree";
  const found = `an arc from word ${head} to word ${row.id} over words that are not below word ${head}`;
  const message = `${file}:${line}: brackets require ${expected}, found ${found}`;
  return new DataError(message, { file, line, expected, found });
}

/** Returns the first and the last word of the subtree of each word. O(n · depth). */
function spans(heads: Int32Array): readonly [Int32Array, Int32Array] {
  const lefts = Int32Array.from(heads.keys());
  const rights = Int32Array.from(heads.keys());
  for (let m = 1; m < heads.length; m++) {
    for (let h = heads[m]!; h > 0; h = heads[h]!) {
      if (lefts[h]! <= m && rights[h]! >= m) break;
      lefts[h] = Math.min(lefts[h]!, m);
      rights[h] = Math.max(rights[h]!, m);
    }
  }
  return [lefts, rights];
}

function escapeText(text: string): string {
  return text.replace(/[\\/() ]/g, "\\$&");
}

const TEXT = /(?:\\.|[^\\/() ])+/uy;

/** Where a line of brackets is, for messages. */
export interface BracketPlace {
  readonly file: string;
  readonly line: number;
}

/** Returns the sentence of a line of brackets. O(length). */
export function parseBrackets(
  line: string,
  comments: readonly string[],
  place: BracketPlace,
): AnnotatedSentence {
  const rows = new BracketParser(line, place).rows();
  return { comments: [...comments], rows, line: 0, place: place.line };
}

interface OpenNode {
  readonly deprel: string;
  /** Position of its word; 0 before it. */
  word: number;
  /** Modifiers that came before the word. */
  readonly waiting: WordRow[];
}

class BracketParser {
  readonly #line: string;
  readonly #place: BracketPlace;
  readonly #rows: WordRow[] = [];
  readonly #open: OpenNode[] = [];
  #at = 0;

  constructor(line: string, place: BracketPlace) {
    this.#line = line;
    this.#place = place;
  }

  rows(): WordRow[] {
    while (this.#at < this.#line.length) this.#next();
    if (this.#open.length > 0) this.#fail(")");
    if (this.#rows.length === 0) this.#fail("(");
    return this.#rows;
  }

  #next(): void {
    switch (this.#line[this.#at]) {
      case " ":
        this.#at++;
        break;
      case "(":
        this.#at++;
        this.#open.push({ deprel: this.#text("a relation"), word: 0, waiting: [] });
        if (this.#line[this.#at] !== " ") this.#fail("a space after the relation");
        break;
      case ")":
        this.#close();
        break;
      default:
        this.#word();
    }
  }

  #word(): void {
    const node = this.#open.at(-1) ?? this.#fail("(");
    if (node.word > 0) this.#fail("( or ): a pair of brackets has one word");
    const form = this.#text("a word");
    const hasTag = this.#line[this.#at] === "/";
    if (hasTag) this.#at++;
    const upos = hasTag ? this.#text("a tag") : "_";
    const absent = { lemma: "_", xpos: "_", feats: "_", deps: "_", misc: "_" };
    const id = this.#rows.length + 1;
    this.#rows.push({ kind: "word", id, form, upos, head: -1, deprel: node.deprel, ...absent });
    for (const row of node.waiting) row.head = id;
    node.word = id;
  }

  #close(): void {
    const node = this.#open.pop() ?? this.#fail("( or the end of the line");
    if (node.word === 0) this.#fail("a word");
    this.#at++;
    const row = this.#rows[node.word - 1]!;
    const above = this.#open.at(-1);
    if (above !== undefined && above.word === 0) above.waiting.push(row);
    else row.head = above?.word ?? 0;
  }

  #text(expected: string): string {
    TEXT.lastIndex = this.#at;
    const text = TEXT.exec(this.#line)?.[0] ?? this.#fail(expected);
    this.#at += text.length;
    return text.replace(/\\(.)/gu, "$1");
  }

  #fail(expected: string): never {
    const rest = this.#line.slice(this.#at, this.#at + 20);
    const found = rest === "" ? "the end of the line" : JSON.stringify(rest);
    throw wrongData({ ...this.#place, expected, found }, `character ${this.#at + 1}: `);
  }
}

import {
  type ConlluError,
  type ConlluSentence,
  columnsLine,
  describeEncoding,
  parseConllu,
  sentenceId,
  writeConllu,
  writeSentence,
} from "@arcwise/conllu";
import { ArcwiseError, hasCode } from "@arcwise/core/errors";
import { wordsOf } from "../shared/sentences.ts";

/** A remark of an annotator. It stays out of the file unless notes are written on request. */
export interface Note {
  readonly on: "sentence" | "word" | "arc";
  /** ID of the word, also of the modifier of the arc; absent for a sentence. */
  readonly word?: number | undefined;
  readonly text: string;
}

/** The words whose heads or labels an annotator decided on: a parser leaves them as they are. IDs, ascending. */
export interface FixedWords {
  readonly heads: readonly number[];
  readonly labels: readonly number[];
}

/** A sentence of a document. Never changed: edits replace it. */
export interface EditSentence {
  /** Identifies the sentence through all edits. */
  readonly key: number;
  /** Comments and rows with their line ends, as in the file. */
  readonly text: string;
  /** Blank lines up to the next sentence, as in the file. */
  readonly gap: string;
  readonly fixed: FixedWords;
  readonly notes: readonly Note[];
}

/** A CoNLL-U file. `documentText` returns every byte of what was not edited. */
export interface EditDocument {
  readonly name: string;
  /** Byte-order mark and blank lines before the first sentence. */
  readonly lead: string;
  readonly sentences: readonly EditSentence[];
  /** Greater than the key of any sentence, also of those that undoing brings back. */
  readonly nextKey: number;
}

const NOTHING_FIXED: FixedWords = { heads: [], labels: [] };

/** Returns a sentence without fixed words and notes. */
export function newSentence(key: number, text: string, gap: string): EditSentence {
  return { key, text, gap, fixed: NOTHING_FIXED, notes: [] };
}

/**
 * Returns the document of a CoNLL-U file. Sentences that break the format are kept, and can be edited as lines.
 * CoNLL-U Plus becomes CoNLL-U. O(length).
 */
export function openDocument(name: string, content: string | Uint8Array): EditDocument {
  const read = typeof content === "string" ? content : decode(name, content);
  // Sentences of CoNLL-U Plus cannot be read, or written, without the line of its columns.
  const text = columnsLine(read) === "" ? read : writeConllu(parseConllu(read));
  const sentences: EditSentence[] = [];
  const isMarked = text.charCodeAt(0) === 0xfeff;
  const lead = blankEnd(text, isMarked ? 1 : 0);
  for (let from = lead; from < text.length; ) {
    const end = sentenceEnd(text, from);
    const next = blankEnd(text, end);
    sentences.push(newSentence(sentences.length, text.slice(from, end), text.slice(end, next)));
    from = next;
  }
  return { name, lead: text.slice(0, lead), sentences, nextKey: sentences.length };
}

/** Returns the text of the file: what was not edited is as it was read. */
export function documentText({ lead, sentences }: EditDocument): string {
  const parts = [lead];
  for (const { text, gap } of sentences) parts.push(text, gap);
  return parts.join("");
}

function decode(name: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    const message = `${name}: expected UTF-8, found ${describeEncoding(bytes)}`;
    throw new ArcwiseError("invalid-data", message, { cause, file: name });
  }
}

const LINE_FEED = 10;
const RETURN = 13;

/** Returns where the blank lines from an offset end. */
function blankEnd(text: string, from: number): number {
  let at = from;
  for (;;) {
    if (text.charCodeAt(at) === LINE_FEED) at++;
    else if (text.charCodeAt(at) === RETURN && text.charCodeAt(at + 1) === LINE_FEED) at += 2;
    else if (text.charCodeAt(at) === RETURN && at + 1 === text.length) return text.length;
    else return at;
  }
}

/** Returns where the sentence that begins at an offset ends: before a blank line. */
function sentenceEnd(text: string, from: number): number {
  for (let at = from; ; ) {
    const feed = text.indexOf("\n", at);
    if (feed < 0) return text.length;
    at = feed + 1;
    if (at === text.length || blankEnd(text, at) > at) return at;
  }
}

/** The contents of a sentence, or the first rule of the format that it breaks. */
export type SentenceContent =
  | { readonly sentence: ConlluSentence; readonly error?: undefined }
  | { readonly sentence?: undefined; readonly error: ConlluError };

const contents = new WeakMap<EditSentence, SentenceContent>();

/** Returns what a sentence says. Computed once per sentence; O(length). Callers do not change it. */
export function contentOf(sentence: EditSentence): SentenceContent {
  let content = contents.get(sentence);
  if (content === undefined) {
    content = read(sentence.text);
    contents.set(sentence, content);
  }
  return content;
}

function read(text: string): SentenceContent {
  try {
    return { sentence: parseConllu(text)[0]! };
  } catch (error) {
    if (!hasCode(error, "malformed-conllu")) throw error;
    return { error: error as ConlluError };
  }
}

/** Returns the `sent_id` of a sentence; undefined if it has none, or cannot be read. */
export function idOfSentence(own: EditSentence): string | undefined {
  const { sentence } = contentOf(own);
  return sentence && sentenceId(sentence);
}

/** Returns the heads and labels of a sentence, n + 1 entries each; words without a head have -1. */
export function treeOf(sentence: ConlluSentence): { readonly heads: number[]; readonly labels: string[] } {
  const words = wordsOf(sentence);
  return {
    heads: [-1, ...words.map(({ head }) => head)],
    labels: ["", ...words.map(({ deprel }) => deprel)],
  };
}

/** Returns the constraints of a parser under what an annotator fixed: n + 1 heads (-1: free) and labels ("": free). */
export function constraintsOf(sentence: ConlluSentence, fixed: FixedWords) {
  const { heads, labels } = treeOf(sentence);
  return {
    heads: Int32Array.from(heads, (head, m) => (fixed.heads.includes(m) ? head : -1)),
    labels: labels.map((label, m) => (fixed.labels.includes(m) && label !== "_" ? label : "")),
  };
}

/** A line and its end: `"\n"`, `"\r\n"`, or nothing at the end of a file. */
interface Line {
  readonly line: string;
  readonly end: string;
}

function linesOf(text: string): Line[] {
  return Array.from(text.matchAll(/([^\n]*?)(\r?\n|\r?$)/gy), ([, line, end]) => ({
    line: line!,
    end: end!,
  })).filter(({ line, end }) => line !== "" || end !== "");
}

/**
 * Returns the text of a sentence in place of an older text: lines that are in both keep their ends, others end as the
 * first line of the older text.
 *
 * @throws ConlluError when the sentence could not be read back
 */
export function sentenceText(sentence: ConlluSentence, older: string): string {
  return replacedLines(writeSentence(sentence).slice(0, -2).split("\n"), older);
}

/** Returns lines with the ends of the lines of an older text, as `sentenceText` does. */
export function replacedLines(lines: readonly string[], older: string): string {
  const before = linesOf(older);
  const first = before[0]?.end || "\n";
  let start = 0;
  while (start < lines.length && lines[start] === before[start]?.line) start++;
  const shift = before.length - lines.length;
  let tail = lines.length;
  while (tail > start && tail + shift > start && lines[tail - 1] === before[tail - 1 + shift]?.line) tail--;
  const last = before.at(-1)?.end ?? first;
  const ends = lines.map((_, i) => {
    if (i === lines.length - 1) return last;
    const end = i < start || shift === 0 ? before[i]?.end : i >= tail ? before[i + shift]?.end : first;
    return end || first;
  });
  return lines.map((line, i) => `${line}${ends[i]}`).join("");
}

import { commentValue } from "../comments.ts";
import { requireSentence } from "../sentence-check.ts";
import type { ConlluSentence } from "../types.ts";
import { spacesAfter, spacesBefore, type TokenRow, tokenRows, tokenText } from "./tokens.ts";

/** The text of a sentence, and where its tokens are. */
export interface SentenceText {
  readonly text: string;
  /** Offset and length of each token in `text`. */
  readonly offsets: readonly number[];
  readonly lengths: readonly number[];
  /** Offsets of each token in the text that the sentence comes from, in the unit of the sentence. */
  readonly start: Float64Array;
  readonly end: Float64Array;
  /** Offsets of each word, by ID: of its part of the token if the words spell the token. */
  readonly wordStart: Float64Array;
  readonly wordEnd: Float64Array;
  /** Offset of each word in its token, by ID, and its length: the whole token unless its words spell it. */
  readonly partOffsets: Int32Array;
  readonly partLengths: Int32Array;
}

/**
 * Returns the text of a sentence, and the offsets of its tokens. The text is the comment `# text` where it
 * consists of the tokens and white space; otherwise, and where MISC gives other white space than single
 * spaces, it is the tokens with that white space. Offsets follow from `TokenRange` if all tokens have it, and
 * else from the text of the sentence. O(length).
 */
export function sentenceSpans(sentence: ConlluSentence, tokens: readonly TokenRow[]): SentenceText {
  const forms = tokens.map(({ row }) => tokenText(row));
  const { text, offsets } = placedTokens(sentence, tokens, forms);
  const countsPoints = sentence.offsets === "code-points";
  const ranges = tokenRanges(tokens);
  const from = sentence.start ?? ranges?.[0] ?? 0;
  const start = new Float64Array(tokens.length);
  const end = new Float64Array(tokens.length);
  let astral = 0;
  for (let t = 0; t < tokens.length; t++) {
    const points = ranges === undefined ? offsets[t]! - astral : ranges[2 * t]! - ranges[0]!;
    const own = astralCharacters(forms[t]!);
    const length = ranges === undefined ? forms[t]!.length - own : ranges[2 * t + 1]! - ranges[2 * t]!;
    start[t] = from + points + (countsPoints ? 0 : astral);
    end[t] = start[t]! + length + (countsPoints ? 0 : own);
    astral += own;
  }
  const lengths = forms.map(({ length }) => length);
  const parts = partsOf(sentence, tokens, forms);
  return {
    text,
    offsets,
    lengths,
    start,
    end,
    ...parts,
    ...wordOffsets(tokens, forms, start, parts, countsPoints),
  };
}

/** Returns the offsets of words, in code units or in code points. */
function wordOffsets(
  tokens: readonly TokenRow[],
  forms: readonly string[],
  start: Float64Array,
  { partOffsets, partLengths }: Pick<SentenceText, "partOffsets" | "partLengths">,
  countsPoints: boolean,
): Pick<SentenceText, "wordStart" | "wordEnd"> {
  const wordStart = new Float64Array(partOffsets.length);
  const wordEnd = new Float64Array(partOffsets.length);
  const width = (text: string) => text.length - (countsPoints ? astralCharacters(text) : 0);
  for (const [t, { first, last }] of tokens.entries()) {
    const form = forms[t]!;
    for (let id = first; id <= last; id++) {
      const [from, end] = [partOffsets[id]!, partOffsets[id]! + partLengths[id]!];
      wordStart[id] = start[t]! + width(form.slice(0, from));
      wordEnd[id] = wordStart[id]! + width(form.slice(from, end));
    }
  }
  return { wordStart, wordEnd };
}

/**
 * Returns a sentence whose offsets count code points, as Python and R do, instead of UTF-16 code units. The sentence has
 * `TokenRange` in MISC if it was cut from a text.
 */
export function withCodePoints(sentence: ConlluSentence): ConlluSentence {
  requireSentence(sentence, "withCodePoints");
  const { comments, rows, line, start } = sentence;
  const first = start === undefined ? undefined : (tokenRanges(tokenRows(rows))?.[0] ?? start);
  return { comments, rows, line, start: first, offsets: "code-points" };
}

/** Returns where words are in their tokens: "We" and "'ve" in "We've", and all of "du" for its two words. */
function partsOf({ rows }: ConlluSentence, tokens: readonly TokenRow[], forms: readonly string[]) {
  const words = rows.flatMap((row) => (row.kind === "word" ? [row.form] : []));
  const partOffsets = new Int32Array(words.length + 1);
  const partLengths = new Int32Array(words.length + 1);
  for (const [t, { first, last }] of tokens.entries()) {
    const form = forms[t]!;
    const isSpelled = first < last && words.slice(first - 1, last).join("") === form;
    for (let id = first, at = 0; id <= last; id++) {
      const { length } = isSpelled ? words[id - 1]! : form;
      partOffsets[id] = at;
      partLengths[id] = length;
      if (isSpelled) at += length;
    }
  }
  return { partOffsets, partLengths };
}

interface PlacedTokens {
  readonly text: string;
  /** Offset of each token in the text. */
  readonly offsets: readonly number[];
}

function placedTokens(
  { comments }: ConlluSentence,
  tokens: readonly TokenRow[],
  forms: readonly string[],
): PlacedTokens {
  const comment = commentValue(comments, "text");
  const isSpaced = tokens.some(
    ({ row }) => row.misc.includes("Spaces") && /Spaces(?:Before|After|InToken)=/.test(row.misc),
  );
  const offsets = comment === undefined || isSpaced ? undefined : tokenOffsets(comment, forms);
  return offsets === undefined ? joinedTokens(tokens, forms) : { text: comment!, offsets };
}

const SPACE = /\s/u;

/** Returns where tokens are in a text that has only white space besides; undefined when it has more. */
export function tokenOffsets(text: string, forms: readonly string[]): number[] | undefined {
  const offsets: number[] = [];
  let at = 0;
  for (const form of forms) {
    while (at < text.length && !text.startsWith(form, at) && SPACE.test(text[at]!)) at++;
    if (!text.startsWith(form, at)) return undefined;
    offsets.push(at);
    at += form.length;
  }
  return text.slice(at).trim() === "" ? offsets : undefined;
}

/** Joins tokens by the white space that MISC gives. */
function joinedTokens(tokens: readonly TokenRow[], forms: readonly string[]): PlacedTokens {
  const offsets: number[] = [];
  let text = "";
  for (const [t, { row }] of tokens.entries()) {
    if (t > 0) text += spacesAfter(tokens[t - 1]!.row.misc) + spacesBefore(row.misc);
    offsets.push(text.length);
    text += forms[t]!;
  }
  return { text, offsets };
}

/**
 * Returns `TokenRange=start:end` of all tokens, in turn; undefined unless all tokens have one and they are in
 * order.
 */
function tokenRanges(tokens: readonly TokenRow[]): number[] | undefined {
  const ranges: number[] = [];
  for (const { row } of tokens) {
    const range = /(?:^|\|)TokenRange=(\d{1,15}):(\d{1,15})(?:\||$)/.exec(row.misc);
    if (range === null) return undefined;
    ranges.push(Number(range[1]), Number(range[2]));
  }
  return ranges.every((offset, i) => i === 0 || offset >= ranges[i - 1]!) ? ranges : undefined;
}

/** Returns the number of characters that are two UTF-16 code units. */
function astralCharacters(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) if (text.codePointAt(i)! > 0xffff) count++;
  return count;
}

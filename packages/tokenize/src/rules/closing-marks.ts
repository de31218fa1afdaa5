import type { Span } from "../network/windows.ts";
import { type Characters, textOf } from "../text/character-reader.ts";

/** Guillemets, which also open to the right. */
const GUILLEMETS: ReadonlyMap<string, string> = new Map([
  ["\u00ab", "\u00bb"],
  ["\u2039", "\u203a"],
  ["\u00bb", "\u00ab"],
  ["\u203a", "\u2039"],
]);
const OPENS_LEFT = /^[\u00ab\u2039]$/;

/** Quotation marks and brackets that close; marks that close or open, by the spaces around them. */
const CLOSING = /^[\p{Pf}\p{Pe}]$/u;
const QUOTE = /^(?:["'\u201c\u201e\u201f\u2018\uff02\uff07]|\p{Pi}|''|``)$/u;

/** Brackets that open, and quotation marks that open after a space. */
const OPENING = /^\p{Ps}$/u;
const INITIAL = /^\p{Pi}$/u;

/**
 * Moves closing marks at the beginning of a sentence to the end of the sentence before it, so that it is never a
 * mark alone; opening marks alone or at the end go to the sentence after them. O(tokens).
 *
 * @param sentences the tokens of the sentences of a paragraph
 * @param maxTokens a sentence with this many tokens gets no others
 */
export function attachMarks<T extends Span>(
  text: Characters,
  sentences: readonly (readonly T[])[],
  maxTokens: number,
): T[][] {
  const characters = { ...text, isReversed: isReversed(text, sentences) };
  const attached: T[][] = [];
  /** Opening marks for the next sentence. */
  const pending: T[] = [];
  for (const sentence of sentences) {
    const last = attached.at(-1);
    const room = last === undefined || pending.length > 0 ? 0 : maxTokens - last.length;
    const limit = Math.min(room, sentence.length);
    let moved = 0;
    while (moved < limit && isClosing(characters, sentence[moved]!)) moved++;
    last?.push(...sentence.slice(0, moved));
    if (moved === sentence.length) continue;
    if (pending.length + sentence.length > maxTokens) attached.push(pending.splice(0));
    pending.push(...sentence.slice(moved));
    if (pending.every((token) => isMark(characters, token))) continue;
    let end = pending.length;
    while (end > 1 && isOpening(characters, pending[end - 1]!)) end--;
    attached.push(pending.splice(0, end));
  }
  const last = attached.at(-1);
  if (last !== undefined && last.length + pending.length <= maxTokens) last.push(...pending);
  else if (pending.length > 0) attached.push(pending);
  return attached;
}

/** A paragraph, and whether its guillemets open to the right: `»so«`. */
interface Paragraph extends Characters {
  readonly isReversed: boolean;
}

/** Returns whether the first guillemet of a paragraph opens to the right, and the last one to the left. O(tokens). */
function isReversed(characters: Characters, sentences: readonly (readonly Span[])[]): boolean {
  const guillemets = sentences
    .flat()
    .map(({ from, end }) => (end - from === 1 ? textOf(characters, from, end) : ""))
    .filter((form) => GUILLEMETS.has(form));
  const [first, last] = [guillemets[0], guillemets.at(-1)];
  return first !== undefined && !OPENS_LEFT.test(first) && OPENS_LEFT.test(last!);
}

/** Returns the text of a token, with reversed guillemets turned round. */
function markOf(characters: Paragraph, from: number, end: number): string {
  const text = textOf(characters, from, end);
  return characters.isReversed ? (GUILLEMETS.get(text) ?? text) : text;
}

/** Returns whether a token opens: a bracket, or a quotation mark with a space before it that can open. */
function isOpening(characters: Paragraph, { from, end }: Span): boolean {
  const { length, space } = characters;
  const text = markOf(characters, from, end);
  if (OPENING.test(text)) return true;
  if (from === 0 || space[from] === 0) return false;
  return INITIAL.test(text) || (QUOTE.test(text) && end < length && space[end] === 0);
}

/** Returns whether a token is a quotation mark or bracket. */
function isMark(characters: Paragraph, { from, end }: Span): boolean {
  const text = markOf(characters, from, end);
  return CLOSING.test(text) || OPENING.test(text) || QUOTE.test(text);
}

/**
 * Returns whether a token closes: a mark that always does, unless a word follows without a space; another mark
 * that has no space before it, and one, or a mark that closes, after it.
 */
function isClosing(characters: Paragraph, { from, end }: Span): boolean {
  const { length, space, paragraph } = characters;
  const isSpaced = end === length || space[end] !== 0 || paragraph[end] === 1;
  const isAttached = from > 0 && space[from] === 0;
  const text = markOf(characters, from, end);
  if (CLOSING.test(text)) return isSpaced || isAttached;
  if (!QUOTE.test(text) || !isAttached) return false;
  return isSpaced || CLOSING.test(markOf(characters, end, end + 1));
}

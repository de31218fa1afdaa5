import type { Span } from "../network/windows.ts";
import { type Characters, textOf } from "../text/character-reader.ts";

/** An emoji as one grapheme cluster; signs such as © and digits are not, unless they are presented as emoji. */
const EMOJI = /^(?:\p{Emoji_Presentation}|\p{RI}|.*[\ufe0f\u20e3])/u;
/** Emoji and their clusters have codes above this one. */
const FIRST_EMOJI = 0x2000;
const BESIDE_EMOJI = /^[\p{L}\p{N}.,!?;:\u2026]/u;
/** Double quotation marks that are never a part of a word. */
const QUOTES = /^[\u00ab\u00bb\u201c-\u201e]$/;
/** What they may be read as. */
const QUOTE_CODES: ReadonlySet<number> = new Set([0x22, 0xab, 0xbb, 0x201c, 0x201d, 0x201e]);
const LETTER = /^\p{L}/u;
const LOWER = /^\p{Ll}/u;
const UPPER = /^\p{Lu}/u;
const QUESTION = 0x3f;
const EXCLAMATION = 0x21;

/**
 * Returns where tokens end though no space follows, as empty spans: beside an emoji that a word, a number or a
 * mark of the sentence touches; at curved double quotation marks and guillemets, and at `?` or `!` between a word
 * and one of them; at `?` or `!` between a lower-case and an upper-case letter. O(length).
 */
export function unspacedEnds(characters: Characters): Span[] {
  const { length, space, code } = characters;
  const ends: Span[] = [];
  const text = (i: number): string => textOf(characters, i, i + 1);
  const isEmoji = (i: number): boolean => code[i]! > FIRST_EMOJI && EMOJI.test(text(i));
  const isQuote = (i: number): boolean => QUOTE_CODES.has(code[i]!) && QUOTES.test(text(i));
  const isCut = (i: number): boolean =>
    isEmoji(i - 1) ? BESIDE_EMOJI.test(text(i)) : isEmoji(i) && BESIDE_EMOJI.test(text(i - 1));
  for (let i = 1; i < length; i++) {
    if (space[i] !== 0) continue;
    const isStop = code[i] === QUESTION || code[i] === EXCLAMATION;
    if (isStop && i + 1 < length && space[i + 1] === 0) {
      const [before, after] = [text(i - 1), text(i + 1)];
      const isWithin = LOWER.test(before) && UPPER.test(after);
      if (isWithin || (LETTER.test(before) && isQuote(i + 1))) {
        ends.push({ from: i, end: i }, { from: i + 1, end: i + 1 });
        continue;
      }
    }
    if (isQuote(i) || isQuote(i - 1) || isCut(i)) ends.push({ from: i, end: i });
  }
  return ends;
}

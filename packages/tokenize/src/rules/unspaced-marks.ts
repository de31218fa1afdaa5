import type { Span } from "../network/windows.ts";
import { type Characters, textOf } from "../text/character-reader.ts";

/** An emoji as one grapheme cluster; signs such as © and digits are not, unless they are presented as emoji. */
const EMOJI = /^(?:\p{Emoji_Presentation}|\p{RI}|.*[\ufe0f\u20e3])/u;
/** Emoji and their clusters have codes above this one. */
const FIRST_EMOJI = 0x2000;
const BESIDE_EMOJI = /^[\p{L}\p{N}.,!?;:\u2026]/u;
/** Double quotation marks that are never a part of a word. */
const QUOTES = /^[\u00ab\u00bb\u201c-\u201e]$/;
/** The marks that they may be read as. */
const QUOTE_CODES: ReadonlySet<number> = new Set([0x22, 0xab, 0xbb, 0x201c, 0x201d, 0x201e]);
const LETTER = /^\p{L}/u;
const LOWER = /^\p{Ll}/u;
const UPPER = /^\p{Lu}/u;
const QUESTION = 0x3f;
const EXCLAMATION = 0x21;

/** Ellipses and long dashes, which are never a part of a word next to a letter, and the marks that they may be read as. */
const BREAK = /^[\u2014\u2015\u2026]$/;
const BREAK_CODES: ReadonlySet<number> = new Set([0x2d, 0x2013, 0x2014, 0x2015, 0x2026]);
/** Lower-case letters before a stop within a run that are a word and no abbreviation. */
const MIN_WORD = 3;
const MAX_WORD = 40;
const HYPHEN = 0x2d;
const COMMA = 0x2c;
const STOP = 0x2e;
const ELLIPSIS = 0x2026;
/** After three stops: what goes on with an address does not. */
const AFTER_STOPS = /^[\p{L}\p{Pe}\p{Pf}"']/u;
const WORD = /^[\p{L}\p{N}]/u;
/** Single letters with stops are at most this many characters. */
const MAX_INITIALS = 10;
/** Characters next to a part of a name of a file, a host or a program. */
const BEFORE_IN_NAME = /^[\p{L}\p{N}.@/\\_-]/u;
const AFTER_IN_NAME = /^[\p{L}\p{N}@/\\_:=([]/u;

const OPEN = 0x28;
const CLOSE = 0x29;
/** A sentence in brackets has at most this many characters. */
const MAX_BRACKETS = 500;
const MARKS: ReadonlySet<number> = new Set([STOP, QUESTION, EXCLAMATION, ELLIPSIS]);
const CLOSING = /^[\p{Pe}\p{Pf}"'\u201c]/u;

/** The end of a token, as an empty span. */
export interface UnspacedEnd extends Span {
  /** Whether a sentence also ends there. */
  readonly endsSentence: boolean;
}

/**
 * Returns where tokens end though no space follows, or though a network may not see it: next to an emoji that a word,
 * a number or a mark of the sentence touches; at curved double quotation marks and guillemets, and at `?` or `!`
 * between a word and one of them; at `?` or `!` between a lower-case and an upper-case letter; at a long dash, `--` or
 * ellipsis next to a letter; before a comma that ends a run; at a stop between a lower-case word and a capitalised one,
 * where a sentence also ends; after `e.g.` and the like, before a word; around a sentence in brackets. O(length).
 */
export function unspacedEnds(characters: Characters): UnspacedEnd[] {
  const { length, space, code } = characters;
  const ends: UnspacedEnd[] = [];
  for (let i = 0; i < length; i++) {
    if (code[i] === OPEN) addBrackets(characters, i, ends);
    // Most characters are next to a space, or letters.
    if (i > 0 && space[i] === 0 && !(isPlain(code[i]!) && isPlain(code[i - 1]!)))
      addEnds(characters, i, ends);
  }
  return ends;
}

/** Adds the end of a token as an empty span. */
function add(ends: UnspacedEnd[], at: number, endsSentence = false): void {
  ends.push({ from: at, end: at, endsSentence });
}

/** Adds the ends at a character that follows another one without a space. O(1). */
function addEnds(characters: Characters, i: number, ends: UnspacedEnd[]): void {
  const { length, space, code } = characters;
  const text = (at: number): string => textOf(characters, at, at + 1);
  const isLast = i + 1 === length || space[i + 1] !== 0;
  const own = code[i]!;
  if (own === COMMA && isLast && WORD.test(text(i - 1))) add(ends, i);
  if ((own === STOP || own === ELLIPSIS) && code[i - 1] !== STOP) addStops(characters, i, ends);
  if (own === HYPHEN && isDoubleHyphen(characters, i)) {
    add(ends, i);
    add(ends, i + 2);
  }
  if ((own === QUESTION || own === EXCLAMATION) && !isLast) {
    const [before, after] = [text(i - 1), text(i + 1)];
    const isWithin = LOWER.test(before) && UPPER.test(after);
    if (isWithin || (LETTER.test(before) && isQuote(characters, i + 1))) {
      add(ends, i);
      add(ends, i + 1);
      return;
    }
  }
  if (
    isQuote(characters, i) ||
    isQuote(characters, i - 1) ||
    isBesideBreak(characters, i) ||
    isBesideEmoji(characters, i)
  )
    add(ends, i);
}

function isQuote(characters: Characters, i: number): boolean {
  return QUOTE_CODES.has(characters.code[i]!) && QUOTES.test(textOf(characters, i, i + 1));
}

/** Returns whether a letter meets a long dash or an ellipsis before a character. */
function isBesideBreak(characters: Characters, i: number): boolean {
  const { code } = characters;
  const isBreak = (at: number) => BREAK_CODES.has(code[at]!) && BREAK.test(textOf(characters, at, at + 1));
  const isLetter = (at: number) => LETTER.test(textOf(characters, at, at + 1));
  return (isBreak(i) && isLetter(i - 1)) || (isBreak(i - 1) && isLetter(i));
}

/** Returns whether an emoji meets a word, a number or a mark before a character. */
function isBesideEmoji(characters: Characters, i: number): boolean {
  const { code } = characters;
  if (code[i]! <= FIRST_EMOJI && code[i - 1]! <= FIRST_EMOJI) return false;
  const text = (at: number): string => textOf(characters, at, at + 1);
  const isEmoji = (at: number): boolean => code[at]! > FIRST_EMOJI && EMOJI.test(text(at));
  if (isEmoji(i - 1)) return BESIDE_EMOJI.test(text(i));
  return isEmoji(i) && BESIDE_EMOJI.test(text(i - 1));
}

/** Returns whether a character is a letter or digit of ASCII. */
function isPlain(code: number): boolean {
  if (code >= 0x61) return code <= 0x7a;
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39);
}

/** Returns whether two hyphens begin at a character, between letters. */
function isDoubleHyphen(characters: Characters, i: number): boolean {
  const { length, space, code } = characters;
  if (i + 2 >= length || code[i + 1] !== HYPHEN || space[i + 1] !== 0 || space[i + 2] !== 0) return false;
  return LETTER.test(textOf(characters, i - 1, i)) && LETTER.test(textOf(characters, i + 2, i + 3));
}

/** Returns whether a stop ends single lower-case letters with stops, and a word follows: `e.g.this`. O(1). */
function isBeforeWord(characters: Characters, stop: number): boolean {
  const { length, space, code } = characters;
  const isAttached = (at: number) => at < length && space[at] === 0;
  const text = (at: number) => textOf(characters, at, at + 1);
  const isPair = (at: number) =>
    at > 1 && isAttached(at) && isAttached(at - 1) && code[at - 1] === STOP && LOWER.test(text(at - 2));
  let from = stop - 1;
  while (stop - from < MAX_INITIALS && isPair(from)) from -= 2;
  if (from === stop - 1 || (from > 0 && isAttached(from) && BEFORE_IN_NAME.test(text(from - 1))))
    return false;
  let end = stop + 1;
  while (isAttached(end) && end - stop < MAX_WORD && LETTER.test(text(end))) end++;
  // `a.b.size()` and `a.b.host/` are names.
  const goesOn =
    isAttached(end) && (code[end] === STOP ? isAttached(end + 1) : AFTER_IN_NAME.test(text(end)));
  return end - stop > 2 && !goesOn;
}

/** Returns whether a lower-case word that is not an abbreviation ends before a character. O(1). */
function isAfterWord(characters: Characters, end: number): boolean {
  const { space } = characters;
  const text = (at: number) => textOf(characters, at, at + 1);
  let from = end;
  while (
    from > 0 &&
    end - from < MAX_WORD &&
    (from === end || space[from] === 0) &&
    LOWER.test(text(from - 1))
  )
    from--;
  // A capitalised word may be a name: `Ann.Lee`.
  return end - from >= MIN_WORD && (from === 0 || space[from] !== 0 || !WORD.test(text(from - 1)));
}

/** Returns whether a sentence ends before a bracket: at a mark that is not a stop after an abbreviation. O(1). */
function isAfterSentence(characters: Characters, bracket: number): boolean {
  const { space, paragraph, code } = characters;
  if (bracket === 0 || paragraph[bracket] === 1) return true;
  const mark = bracket - 1;
  if (mark === 0 || space[mark] !== 0 || !MARKS.has(code[mark]!)) return false;
  return (
    code[mark] !== STOP || CLOSING.test(textOf(characters, mark - 1, mark)) || isAfterWord(characters, mark)
  );
}

/**
 * Adds the ends of a sentence in brackets, between others and without a space: `so.(Yes.)Next`.
 * O(length of the sentence).
 */
function addBrackets(characters: Characters, open: number, ends: UnspacedEnd[]): void {
  const { length, space, paragraph, code } = characters;
  const isCapital = (at: number) =>
    at < length && space[at] === 0 && UPPER.test(textOf(characters, at, at + 1));
  if (!isCapital(open + 1) || !isAfterSentence(characters, open)) return;
  const limit = Math.min(length, open + MAX_BRACKETS);
  let close = open + 1;
  while (close < limit && paragraph[close] === 0 && code[close] !== OPEN && code[close] !== CLOSE) close++;
  if (close >= limit || code[close] !== CLOSE || space[close] !== 0 || !MARKS.has(code[close - 1]!)) return;
  if (open > 0 && space[open] === 0) add(ends, open, true);
  if (!isCapital(close + 1)) return;
  add(ends, close);
  add(ends, close + 1, true);
}

/** Adds the ends of a stop, or of an ellipsis, that begins at a character. O(length of the stops and of a word). */
function addStops(characters: Characters, i: number, ends: UnspacedEnd[]): void {
  const { length, space, code } = characters;
  const isAttached = (at: number) => at < length && space[at] === 0;
  const text = (at: number) => textOf(characters, at, at + 1);
  let end = i + 1;
  while (isAttached(end) && code[end] === STOP) end++;
  const isEllipsis = code[i] === ELLIPSIS || end - i > 2;
  if (end - i === 2 || !LOWER.test(text(i - 1))) return;
  if (!isEllipsis && isBeforeWord(characters, i)) add(ends, end);
  if (isEllipsis && (!isAttached(end) || AFTER_STOPS.test(text(end)))) {
    add(ends, i);
    if (isAttached(end)) add(ends, end);
  }
  if (!isAttached(end) || !UPPER.test(text(end))) return;
  // `file.TXT` is a name.
  const isCapitalised = !isAttached(end + 1) || LOWER.test(text(end + 1)) || !WORD.test(text(end + 1));
  if (!isAfterWord(characters, i) || !isCapitalised) return;
  add(ends, i);
  add(ends, end, !isEllipsis);
}

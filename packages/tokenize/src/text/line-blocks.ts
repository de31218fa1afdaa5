import type { Span } from "../network/windows.ts";
import { type Characters, textOf } from "./character-reader.ts";

/** Whether each line ends a sentence; undefined: as each block of lines shows. */
export type LineOption = boolean | undefined;

/** Lines that were read as sentences, and how many of them end without a mark that ends a sentence. Plain data. */
export interface LineCounts {
  lines: number;
  open: number;
}

/** The state of `LineBlocks` between two chunks, as plain data. */
export interface LineBlocksRest {
  readonly option: LineOption;
  readonly isLines: LineOption;
  readonly marked: number;
}

/** Characters of a block that decide how its lines are read. */
const WINDOW = 2 ** 12;
/** Columns of the narrowest wrapped text. */
const MIN_WIDTH = 30;
/** Lines of wrapped text are at least this share of its width, with the word that did not fit. */
const FULL = 0.9;
/** One line in this number may be wider than the text is wrapped at, such as an address of the web. */
const WIDER = 8;

/**
 * Evidence for one sentence per line, of each line end with a line after it: a logarithm of odds, rounded. A line end
 * after a final mark says nothing about gluing.
 */
const EVIDENCE = {
  /** The next word would have fitted into the line. */
  free: 2,
  /** It would not, as at the ends of wrapped lines. */
  full: -1,
  /** The next line begins with a capital, a digit or a sign, or with a small letter. */
  capital: 1,
  small: -3,
  /** The line ends with a comma, a dash, or a bracket that opens. */
  continued: -5,
  /** A small letter follows a final mark: the writer does not use capitals. */
  informal: 1,
} as const;
/** Evidence of less than this leaves the lines of a block together. */
const MIN_EVIDENCE = 3;

/** The mark of a line that begins after a blank line, or begins the text. */
const BLANK = 2;

const FINAL =
  /[.!?\u2026\u3002\uff01\uff0e\uff1f\uff61\p{Emoji_Presentation}\u037e\u0589\u061f\u06d4\u0700-\u0702\u0964\u0965\u1362\u1367\u1368\u166e\u17d4\u17d5\u1803\u1809\u104a\u104b\u203c\u203d\u2047-\u2049\u2e2e]$/u;
const CLOSING = /^[\p{Pe}\p{Pf}"'\u2019]$/u;
const CONTINUED = /[,;\p{Pd}\p{Ps}\u060c\u061b\u055d\u3001\uff0c\uff1b\u1363\u1364]$/u;
const OPENING = /^[\p{Pi}\p{Ps}"'\u2018\u201a\u201e\u00bf\u00a1]+/u;
const SMALL = /^[\p{Ll}\p{Pe}\p{Pf},;:.!?]/u;
const UNCASED = /^[\p{Lo}\p{Lm}\p{M}]/u;
/** Characters that are two columns wide; lines may end after each of those that are not Korean. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const HANGUL = /^\p{Script=Hangul}/u;
const FIRST_WIDE = 0x1100;
/** Characters of the beginning and the end of a line that are read. */
export const EDGE = 8;

/** A line as characters `from` to before `end`. */
interface Line extends Span {
  readonly width: number;
  /** Columns of its first word. */
  readonly firstWord: number;
}

/**
 * Marks line ends as ends of paragraphs, where each line is a sentence. A block is the text between two blank lines;
 * its first `WINDOW` characters decide how it is read: see `areLines`. O(length).
 */
export class LineBlocks {
  readonly #option: LineOption;
  /** Whether the lines of the block at `#marked` are sentences; undefined: not decided. */
  #isLines: LineOption;
  /** Characters whose marks are final. */
  #marked: number;
  readonly #counts: LineCounts | undefined;

  /** @param counts to which lines that end sentences are added; then text is dropped up to `EDGE` marked characters */
  constructor({ option, isLines, marked }: LineBlocksRest, counts?: LineCounts) {
    this.#option = option;
    this.#isLines = isLines;
    this.#marked = marked;
    this.#counts = counts;
  }

  rest(): LineBlocksRest {
    return { option: this.#option, isLines: this.#isLines, marked: this.#marked };
  }

  /**
   * Marks the beginnings of lines as beginnings of paragraphs.
   *
   * @param isEnd whether the text has ended
   * @returns the number of characters whose marks are final
   */
  mark(characters: Characters, isEnd: boolean): number {
    const { length, paragraph, line } = characters;
    while (this.#marked < length) {
      const from = this.#marked;
      if (line[from] === BLANK) this.#isLines = this.#option;
      this.#isLines ??= this.#decide(characters, isEnd);
      if (this.#isLines === undefined) break;
      let i = from;
      do {
        if (this.#isLines && line[i] !== 0) {
          if (i > 0 && line[i] !== BLANK) this.#count(characters, i);
          paragraph[i] = 1;
        }
        i++;
      } while (i < length && line[i] !== BLANK);
      if (this.#isLines && i < length) this.#count(characters, i);
      this.#marked = i;
    }
    if (this.#isLines && isEnd) this.#count(characters, length);
    return Math.min(this.#marked, length);
  }

  /** Removes the first `count` characters, which are marked. */
  drop(count: number): void {
    this.#marked -= count;
  }

  #decide(characters: Characters, isEnd: boolean): LineOption {
    const from = this.#marked;
    const { length, line } = characters;
    let end = from + 1;
    while (end < length && end < from + WINDOW && line[end] !== BLANK) end++;
    if (end < length) return areLines(characters, { from, end });
    return isEnd ? areLines(characters, { from, end }) : undefined;
  }

  #count(characters: Characters, end: number): void {
    if (this.#counts === undefined) return;
    this.#counts.lines++;
    if (!FINAL.test(endOf(characters, end))) this.#counts.open++;
  }
}

/**
 * Returns whether each line of a block is a sentence: whether the sum of `EVIDENCE` of its line ends is large enough.
 * Lines of wrapped prose are full, since a word that fits into a line is in it, and go on with small letters.
 */
function areLines(characters: Characters, block: Span): boolean {
  const lines = linesOf(characters, block);
  const width = wrappedAt(lines);
  const hasCapitals = !SMALL.test(startOf(characters, lines[0]!));
  let sum = 0;
  for (let i = 1; i < lines.length; i++) {
    const end = endOf(characters, lines[i - 1]!.end);
    const start = startOf(characters, lines[i]!);
    const isSmall = SMALL.test(start);
    if (FINAL.test(end)) sum += isSmall ? EVIDENCE.informal : 0;
    else if (CONTINUED.test(end)) sum += EVIDENCE.continued;
    else {
      const needed = lines[i - 1]!.width + 1 + lines[i]!.firstWord;
      sum += width >= MIN_WIDTH && needed > FULL * width ? EVIDENCE.full : EVIDENCE.free;
      if (isSmall) sum += hasCapitals ? EVIDENCE.small : 0;
      else if (!UNCASED.test(start)) sum += EVIDENCE.capital;
    }
  }
  return sum >= MIN_EVIDENCE;
}

/** Returns the columns of all lines but the widest ones, which wrapping may not have cut. */
function wrappedAt(lines: readonly Line[]): number {
  const widths = lines.map(({ width }) => width).sort((a, b) => b - a);
  return widths[Math.floor(lines.length / WIDER)]!;
}

function linesOf(characters: Characters, { from, end }: Span): Line[] {
  const { line, space, code } = characters;
  const lines: Line[] = [];
  for (let start = from, next = from; start < end; start = next) {
    let [width, firstWord] = [0, 0];
    for (next = start; next < end && (next === start || line[next] === 0); next++) {
      if (firstWord === 0 && next > start && (space[next] !== 0 || mayEndAfter(characters, next - 1)))
        firstWord = width;
      const isWide = code[next]! >= FIRST_WIDE && WIDE.test(textOf(characters, next, next + 1));
      width += (space[next] !== 0 && next > start ? 1 : 0) + (isWide ? 2 : 1);
    }
    lines.push({ from: start, end: next, width, firstWord: firstWord === 0 ? width : firstWord });
  }
  return lines;
}

/** Returns whether a line may end after a character without a space. */
function mayEndAfter(characters: Characters, i: number): boolean {
  if (characters.code[i]! < FIRST_WIDE) return false;
  const text = textOf(characters, i, i + 1);
  return WIDE.test(text) && !HANGUL.test(text);
}

/** Returns the last characters of a line, without what closes. */
function endOf(characters: Characters, end: number): string {
  const text = textOf(characters, Math.max(0, end - EDGE), end);
  let length = text.length;
  while (length > 0 && CLOSING.test(text[length - 1]!)) length--;
  return text.slice(0, length);
}

/** Returns the first characters of a line, without what opens. */
function startOf(characters: Characters, { from, end }: Span): string {
  return textOf(characters, from, Math.min(end, from + EDGE)).replace(OPENING, "");
}

import { power } from "@arcwise/core/arithmetic";
import type { RuleName } from "./rules.ts";
import type { Row } from "./types.ts";

/** Called for every rule that a sentence breaks. The report of the readers throws. */
export type Report = (rule: RuleName, line: number, expected: string, found: string) => void;

const ZERO = 48;
const DIGITS = 9;
/** The largest ID or HEAD. */
export const MOST = power(10, DIGITS) - 1;

/** Parses `text[from..to)` as decimal digits without leading zeros; -1 when malformed or above `MOST`. */
export function number(text: string, from = 0, to: number = text.length): number {
  const length = to - from;
  if (length < 1 || length > DIGITS) return -1;
  let value = 0;
  for (let i = from; i < to; i++) {
    const digit = text.charCodeAt(i) - ZERO;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return length > 1 && text.charCodeAt(from) === ZERO ? -1 : value;
}

/** Parses a HEAD column: -1 for `_`, -2 when malformed. */
export function headOf(field: string): number {
  if (field === "_") return -1;
  const head = number(field);
  return head < 0 ? -2 : head;
}

/** The words that a token covers, and its line. */
interface TokenSpan {
  readonly first: number;
  readonly last: number;
  readonly line: number;
}

/** Checks that rows come in the order of the format, as they are read or written. */
export class RowOrder {
  readonly #report: Report;
  /** The number of the last word. */
  words = 0;
  #count = 0;
  /** Whether a word has another number than its place. */
  #isBroken = false;
  /** Ranges, and words outside of them after the first wrong number. */
  readonly #spans: TokenSpan[] = [];
  #range: TokenSpan | undefined;
  #emptyNodes = 0;
  /** Whether the row before could not be read, so that any ID may follow. */
  #lost = false;

  constructor(report: Report) {
    this.#report = report;
  }

  /** Records a row that cannot be read. */
  lose(): void {
    this.#lost = true;
  }

  row(row: Row, line: number): void {
    if (row.kind === "word") this.word(row.id, line);
    else if (row.kind === "range") this.#addRange({ first: row.first, last: row.last, line });
    else this.#empty(row.after, row.index, line);
  }

  word(id: number, line: number): void {
    const next = this.words + 1;
    if (id !== next && !this.#lost && !this.#isBroken) {
      this.#report("word-id-sequence", line, `word ${next}`, `word ${id}`);
      this.#isBroken = true;
    }
    if (this.#lost) this.#count = id - 1;
    this.#count++;
    this.words = id;
    this.#emptyNodes = 0;
    this.#lost = false;
    const isCovered = this.#range !== undefined && this.#range.first <= id && id <= this.#range.last;
    if (this.#isBroken && !isCovered) this.#spans.push({ first: id, last: id, line });
  }

  #addRange(range: TokenSpan): void {
    const { first, last, line } = range;
    const found = `range ${first}-${last}`;
    this.#emptyNodes = 0;
    const next = this.words + 1;
    if (last < first && first > this.words) {
      this.#report("reversed-word-interval", line, "ascending numbers", found);
      return;
    }
    const isOverlap = this.#range !== undefined && next <= first && first <= this.#range.last;
    if (isOverlap)
      this.#report("overlapping-word-intervals", line, `a range from ${this.#range!.last + 1}`, found);
    else if (first !== next && !this.#lost) {
      this.#report("misplaced-word-interval", line, `a range from ${next}`, found);
      return;
    }
    this.#spans.push(range);
    this.#range = range;
  }

  #empty(after: number, index: number, line: number): void {
    const next = this.#emptyNodes + 1;
    const complain = (expected: string) =>
      this.#report("misplaced-empty-node", line, expected, `empty node ${after}.${index}`);
    if ((after !== this.words || index !== next) && !this.#lost) complain(`empty node ${this.words}.${next}`);
    else if (this.#range !== undefined && after < this.#range.first) complain(`word ${this.words + 1}`);
    this.#emptyNodes = index;
  }

  end(line: number): void {
    if (this.#lost) return;
    for (const span of this.#spans) {
      const found = span.first === span.last ? `word ${span.first}` : `range ${span.first}-${span.last}`;
      if (span.last < span.first)
        this.#report("reversed-word-interval", span.line, "ascending numbers", found);
      else if (span.last > this.#count)
        this.#report("word-interval-out", span.line, `words up to ${this.#count}`, found);
    }
    if (this.words === 0) this.#report("empty-sentence", line, "a word", "the end of the sentence");
  }
}

import type { RuleName } from "./rules.ts";
import type { Row } from "./types.ts";

/** Told of every rule that a sentence breaks. The readers' one throws. */
export type Report = (rule: RuleName, line: number, expected: string, found: string) => void;

const ZERO = 48;
const DIGITS = 9;
/** The largest ID or HEAD. */
export const MOST = 10 ** DIGITS - 1;

/**
 * The number that `text[from..to)` spells in decimal digits without leading zeros; -1 when it spells none, or
 * one above `MOST`.
 */
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

/** The head that a column spells: -1 for `_`, -2 when it spells none. */
export function headOf(field: string): number {
  if (field === "_") return -1;
  const head = number(field);
  return head < 0 ? -2 : head;
}

/** Checks that rows come in the order of the format, as they are read or written. */
export class RowOrder {
  readonly #report: Report;
  /** Words so far. */
  words = 0;
  #rangeFirst = 0;
  #rangeLast = 0;
  #emptyNodes = 0;

  constructor(report: Report) {
    this.#report = report;
  }

  row(row: Row, line: number): void {
    if (row.kind === "word") this.word(row.id, line);
    else if (row.kind === "range") this.#range(row.first, row.last, line);
    else this.#empty(row.after, row.index, line);
  }

  word(id: number, line: number): void {
    const next = ++this.words;
    this.#emptyNodes = 0;
    if (id !== next) {
      this.#report("id-order", line, `word ${next}`, `word ${id}`);
      this.words = id;
    }
    this.#rangeFirst = 0;
  }

  #range(first: number, last: number, line: number): void {
    const next = this.words + 1;
    const found = `range ${first}-${last}`;
    if (this.#rangeFirst > 0) this.#report("range-order", line, `word ${next}`, found);
    else if (first !== next) this.#report("range-order", line, `a range from ${next}`, found);
    else if (last < first) this.#report("range-order", line, `a range that ends at ${first} or later`, found);
    else if (first <= this.#rangeLast) {
      this.#report("range-order", line, `a range that starts after ${this.#rangeLast}`, found);
    }
    this.#rangeFirst = first;
    this.#rangeLast = Math.max(this.#rangeLast, last);
  }

  #empty(after: number, index: number, line: number): void {
    const next = ++this.#emptyNodes;
    const found = `empty node ${after}.${index}`;
    if (this.#rangeFirst > 0) this.#report("empty-node-order", line, `word ${this.words + 1}`, found);
    else if (after !== this.words || index !== next) {
      this.#report("empty-node-order", line, `empty node ${this.words}.${next}`, found);
    }
    this.#emptyNodes = index;
  }

  end(line: number): void {
    if (this.#rangeLast > this.words) {
      this.#report("range-order", line, `word ${this.words + 1} of a range`, "the end of the sentence");
    }
    if (this.words === 0) this.#report("no-words", line, "a word", "the end of the sentence");
  }
}

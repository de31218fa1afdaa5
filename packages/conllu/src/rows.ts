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

/** Checks that rows come in the order of the format, as they are read or written. */
export class RowOrder {
  readonly #report: Report;
  /** Words so far. */
  words = 0;
  #rangeFirst = 0;
  #rangeLast = 0;
  #emptyNodes = 0;
  /** Whether the row before could not be read, so that any ID may follow. */
  #lost = false;

  constructor(report: Report) {
    this.#report = report;
  }

  /** Records a row that cannot be read. */
  lose(): void {
    this.#lost = true;
    this.#rangeFirst = 0;
  }

  row(row: Row, line: number): void {
    if (row.kind === "word") this.word(row.id, line);
    else if (row.kind === "range") this.#range(row.first, row.last, line);
    else this.#empty(row.after, row.index, line);
  }

  word(id: number, line: number): void {
    const next = this.words + 1;
    if (id !== next && !this.#lost) this.#report("id-order", line, `word ${next}`, `word ${id}`);
    this.words = id;
    this.#emptyNodes = 0;
    this.#rangeFirst = 0;
    this.#lost = false;
  }

  #range(first: number, last: number, line: number): void {
    const next = this.words + 1;
    const found = `range ${first}-${last}`;
    const complain = (expected: string) => this.#report("range-order", line, expected, found);
    if (this.#rangeFirst > 0) complain(`word ${next}`);
    else if (first !== next && !this.#lost) complain(`a range from ${next}`);
    else if (last < first) complain(`a range that ends at ${first} or later`);
    else if (first <= this.#rangeLast) complain(`a range that starts after ${this.#rangeLast}`);
    this.#rangeFirst = first;
    this.#rangeLast = Math.max(this.#rangeLast, last);
  }

  #empty(after: number, index: number, line: number): void {
    const next = this.#emptyNodes + 1;
    const complain = (expected: string) =>
      this.#report("empty-node-order", line, expected, `empty node ${after}.${index}`);
    if (this.#rangeFirst > 0) complain(`word ${this.words + 1}`);
    else if ((after !== this.words || index !== next) && !this.#lost)
      complain(`empty node ${this.words}.${next}`);
    this.#emptyNodes = index;
  }

  end(line: number): void {
    if (this.#lost) return;
    if (this.#rangeLast > this.words) {
      this.#report("range-order", line, `word ${this.words + 1} of a range`, "the end of the sentence");
    }
    if (this.words === 0) this.#report("no-words", line, "a word", "the end of the sentence");
  }
}

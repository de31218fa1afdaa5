import type { PlusColumns } from "./plus.ts";

/**
 * Splits rows at tabs and shares the strings of recent columns, which halves the memory of a treebank. The
 * cache is a direct-mapped table, indexed by a hash of the length and of some characters. A collision costs
 * one new string and nothing else.
 */
export class FieldReader {
  /** The columns of the last row; entries from `count` on belong to earlier rows. */
  readonly fields: string[] = [];
  /** Number of columns of the last row. */
  count = 0;
  /** The columns of the file, if it is in CoNLL-U Plus. */
  plus: PlusColumns | undefined;
  readonly #cells: string[] = new Array<string>(CELLS).fill("");

  /** Splits a row. O(its length). */
  cut(line: string): void {
    const { fields } = this;
    let count = 0;
    let from = 0;
    for (let tab = line.indexOf("\t"); tab >= 0; tab = line.indexOf("\t", from)) {
      fields[count++] = this.#string(line, from, tab);
      from = tab + 1;
    }
    fields[count++] = this.#string(line, from, line.length);
    this.count = count;
  }

  /** Drops the shared strings, which keep the source texts in memory. */
  forget(): void {
    this.#cells.fill("");
    this.fields.length = 0;
    this.count = 0;
  }

  #string(line: string, from: number, to: number): string {
    const length = to - from;
    if (length < 2) return length === 1 ? line[from]! : "";
    const ends = line.charCodeAt(from) * 31 + line.charCodeAt(to - 1);
    const inner = line.charCodeAt(from + (length >> 1)) * 67 + line.charCodeAt(from + (length >> 2));
    const hash = Math.imul(ends, 0x9e3779b1) + Math.imul(inner + 7 * length, 0x85ebca6b);
    const cell = (hash >>> 12) & (CELLS - 1);
    const known = this.#cells[cell]!;
    if (known.length === length && line.startsWith(known, from)) return known;
    const fresh = line.slice(from, to);
    this.#cells[cell] = fresh;
    return fresh;
  }
}

const CELLS = 4096;

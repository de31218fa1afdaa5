import { normalizeText } from "@arcwise/core";
import { collectGraphemes } from "unicode-segmenter/grapheme";
import { isSpace, lineEnds } from "./character-classes.ts";
import { ClusterCodes, isComposed } from "./cluster-codes.ts";
import { isInner, type Variants } from "./variants.ts";

/** The characters of a text that are not spaces, as columns. A character is a grapheme cluster (UAX 29). */
export interface Characters {
  readonly length: number;
  /** The code of a character: equal for canonically equivalent characters. See `ClusterCodes`. */
  readonly code: Int32Array;
  /** The space before a character: 0 for none, U+0020 for several or a line end, or else its code point. */
  readonly space: Uint16Array;
  /** 1 for the first character of a paragraph. */
  readonly paragraph: Uint8Array;
  /** 2 for a character after a blank line, or at the beginning of the text; 1 after another line end. */
  readonly line: Uint8Array;
  /** Offsets in the text, in code points. */
  readonly offset: Float64Array;
  /** The characters that are not written as their codes say, by their offsets. */
  readonly originals: ReadonlyMap<number, string>;
}

const SPACE = 0x20;
const FEED = 0x0a;
const RETURN = 0x0d;
/** Between two code points below this one there is a boundary of clusters; they are in normal form C. */
const FIRST_MARK = 0x300;
const WORD = /^[\p{L}\p{N}]/u;
/** A mark after one of these, or after a space, opens. */
const BEFORE_OPENING = /^[\p{Ps}\p{Pi}\p{Pd}]/u;
/** Clusters of more UTF-16 code units are cut, which bounds the memory for texts that no writing has. */
const MAX_CLUSTER = 1024;

/** The state of a reader between two chunks, as plain data: another reader resumes from it. */
export interface ReaderRest extends Characters {
  readonly read: number;
  readonly spaces: number;
  readonly first: number;
  readonly lines: number;
  readonly afterReturn: boolean;
  readonly inner: number;
  readonly pending: string;
  readonly run: string;
  readonly last: number;
}

/**
 * Collects the characters of a text that arrives in chunks: what comes out does not depend on where they were
 * cut. A blank line (or U+2029) begins a paragraph; any other run of white space and control characters is a
 * space.
 */
export class CharacterReader implements Characters {
  length = 0;
  code: Int32Array = new Int32Array(1024);
  space: Uint16Array = new Uint16Array(1024);
  paragraph: Uint8Array = new Uint8Array(1024);
  line: Uint8Array = new Uint8Array(1024);
  offset: Float64Array = new Float64Array(1024);
  readonly originals = new Map<number, string>();
  readonly #codes = new ClusterCodes();
  readonly #variants: Variants | undefined;
  /** Code points read. */
  #read = 0;
  /** Spaces since the last character: their number, the first of them, line ends. */
  #spaces = 0;
  #first = 0;
  #lines = 2;
  #afterReturn = false;
  /** The last character if it is an apostrophe or hyphen after a letter or digit, or else 0. */
  #inner = 0;
  /** A high surrogate at the end of a chunk. */
  #pending = "";
  /** Code points without spaces whose clusters are not certain, and the last one of them. */
  #run = "";
  #last = 0;

  /**
   * @param variants characters that are read as others
   * @param rest the state of a reader of the beginning of the text
   */
  constructor(variants?: Variants, rest?: ReaderRest) {
    this.#variants = variants;
    if (rest !== undefined) this.#resume(rest);
  }

  /** Returns the state between two chunks. O(characters that were not dropped). */
  rest(): ReaderRest {
    // With the character that has begun.
    const end = this.length + 1;
    return {
      length: this.length,
      code: this.code.slice(0, end),
      space: this.space.slice(0, end),
      paragraph: this.paragraph.slice(0, end),
      line: this.line.slice(0, end),
      offset: this.offset.slice(0, end),
      originals: new Map(this.originals),
      read: this.#read,
      spaces: this.#spaces,
      first: this.#first,
      lines: this.#lines,
      afterReturn: this.#afterReturn,
      inner: this.#inner,
      pending: this.#pending,
      run: this.#run,
      last: this.#last,
    };
  }

  #resume(rest: ReaderRest): void {
    this.#reserve(Math.max(this.code.length, 2 * rest.length), rest);
    this.length = rest.length;
    for (const [offset, original] of rest.originals) this.originals.set(offset, original);
    this.#read = rest.read;
    this.#spaces = rest.spaces;
    this.#first = rest.first;
    this.#lines = rest.lines;
    this.#afterReturn = rest.afterReturn;
    this.#inner = rest.inner;
    this.#pending = rest.pending;
    this.#run = rest.run;
    this.#last = rest.last;
  }

  /** Appends a chunk. O(length). */
  push(chunk: string): void {
    const text = this.#pending + chunk;
    const last = text.charCodeAt(text.length - 1);
    const isCut = last >= 0xd800 && last < 0xdc00;
    this.#pending = isCut ? text.slice(-1) : "";
    this.#append(isCut ? text.slice(0, -1) : text);
  }

  /** Ends the text. */
  end(): void {
    this.#append(this.#pending);
    this.#pending = "";
    this.#endRun();
  }

  #append(text: string): void {
    for (let i = 0; i < text.length; ) {
      const code = text.codePointAt(i)!;
      i += code > 0xffff ? 2 : 1;
      if (isSpace(code)) this.#readSpace(code);
      else if (code < FIRST_MARK && this.#last < FIRST_MARK) this.#readSimple(code);
      else this.#readCombining(code);
      this.#read++;
    }
  }

  #readSpace(code: number): void {
    this.#endRun();
    this.#last = 0;
    if (this.#spaces === 0) this.#first = code;
    this.#spaces++;
    // A carriage return with a line feed ends one line.
    this.#lines += this.#afterReturn && code === FEED ? 0 : lineEnds(code);
    this.#afterReturn = code === RETURN;
  }

  /** Reads a code point that is a cluster, unless the next one belongs to it. */
  #readSimple(code: number): void {
    this.#endRun();
    this.#begin(this.#read);
    this.#set(code, undefined);
    this.#last = code;
  }

  /** Reads a code point that may belong to the cluster of the one before it. */
  #readCombining(code: number): void {
    if (this.#run === "") {
      // The character before it is read again, together with this one.
      if (this.#last > 0) this.#run = textOf(this, this.length - 1, this.length);
      else this.#begin(this.#read);
      if (this.#last > 0) this.originals.delete(this.offset[--this.length]!);
    }
    this.#run += String.fromCodePoint(code);
    this.#last = code;
    if (this.#run.length >= MAX_CLUSTER) this.#run = this.#readRun(false);
    if (this.#run === "") this.#last = 0;
  }

  #endRun(): void {
    if (this.#run === "") return;
    this.#readRun(true);
    this.#run = "";
  }

  /** Reads the clusters of the run, the last one if it is complete; returns what is left. */
  #readRun(isComplete: boolean): string {
    const clusters = collectGraphemes(this.#run);
    const last = isComplete || clusters.length === 1 ? clusters.length : clusters.length - 1;
    let offset = this.offset[this.length]!;
    for (const [c, cluster] of clusters.entries()) {
      if (c > 0) this.#begin(offset);
      if (c === last) return cluster;
      this.#set(this.#codes.codeOf(cluster), cluster);
      offset += countPoints(cluster);
    }
    return "";
  }

  /** Writes where a character begins, which `#set` completes. */
  #begin(offset: number): void {
    const i = this.length;
    if (i === this.code.length) this.#reserve(2 * i, this);
    this.space[i] = this.#spaces === 0 ? 0 : this.#spaces === 1 ? plain(this.#first) : SPACE;
    this.line[i] = Math.min(this.#lines, 2);
    this.paragraph[i] = this.#lines >= 2 ? 1 : 0;
    this.offset[i] = offset;
    this.#spaces = 0;
    this.#lines = 0;
    this.#afterReturn = false;
  }

  #set(code: number, cluster: string | undefined): void {
    const i = this.length++;
    const isFirst = this.space[i] !== 0 || this.offset[i] === 0;
    const original = cluster ?? String.fromCodePoint(code);
    if (this.#inner > 0 && !isFirst && WORD.test(original)) {
      const inner = this.#variants!.read(this.#inner, "inner");
      this.#write(i - 1, inner, String.fromCodePoint(this.#inner));
    }
    this.#inner = 0;
    if (this.#variants?.has(code) !== true) {
      this.#write(i, code, original);
      return;
    }
    const previous = isFirst || i === 0 ? "" : textOf(this, i - 1, i);
    const isOpening = previous === "" || BEFORE_OPENING.test(previous);
    this.#write(i, this.#variants.read(code, isOpening ? "opening" : "closing"), original);
    if (isInner(code) && WORD.test(previous)) this.#inner = code;
  }

  #write(i: number, code: number, original: string): void {
    this.code[i] = code;
    if (isComposed(code) || String.fromCodePoint(code) !== original)
      this.originals.set(this.offset[i]!, original);
    else this.originals.delete(this.offset[i]!);
  }

  /** Removes the first `count` characters. O(characters left). */
  drop(count: number): void {
    // With the character that has begun.
    for (const column of [this.code, this.space, this.paragraph, this.line, this.offset]) {
      column.copyWithin(0, count, this.length + 1);
    }
    this.length -= count;
    const first = this.length > 0 || this.#run !== "" ? this.offset[0]! : this.#read;
    for (const offset of this.originals.keys()) {
      if (offset >= first) break;
      this.originals.delete(offset);
    }
  }

  /** Makes columns of a capacity, which begin as others. */
  #reserve(capacity: number, { code, space, paragraph, line, offset }: Omit<Characters, "length">): void {
    const grown = <T extends { set(from: T): void }>(from: T, into: T): T => {
      into.set(from);
      return into;
    };
    this.code = grown(code, new Int32Array(capacity));
    this.space = grown(space, new Uint16Array(capacity));
    this.paragraph = grown(paragraph, new Uint8Array(capacity));
    this.line = grown(line, new Uint8Array(capacity));
    this.offset = grown(offset, new Float64Array(capacity));
  }
}

/** Returns a single space as a form may have it: line ends, tabs and controls become U+0020. */
function plain(code: number): number {
  return code < 0xa0 || lineEnds(code) > 0 || code === 0xfeff ? SPACE : code;
}

/** Returns the number of code points of a text. */
export function countPoints(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i += text.codePointAt(i)! > 0xffff ? 2 : 1) count++;
  return count;
}

/** Returns the offset after a character, in code points. */
export function endOffset({ offset, originals }: Characters, i: number): number {
  const original = originals.get(offset[i]!);
  return offset[i]! + (original === undefined ? 1 : countPoints(original));
}

/** Returns the text of characters `from` to before `end`, with the spaces between them. O(length). */
export function textOf({ code, space, offset, originals }: Characters, from: number, end: number): string {
  let text = "";
  for (let i = from; i < end; i++) {
    if (i > from && space[i]! !== 0) text += String.fromCharCode(space[i]!);
    text += originals.get(offset[i]!) ?? String.fromCodePoint(code[i]!);
  }
  return text;
}

/**
 * Returns the text of characters as models read it: in normal form C, with variants and spaces as in training.
 * O(length).
 */
export function readingOf({ code, space, offset, originals }: Characters, from: number, end: number): string {
  let text = "";
  for (let i = from; i < end; i++) {
    if (i > from && space[i]! !== 0) text += " ";
    const own = code[i]!;
    text += isComposed(own) ? normalizeText(originals.get(offset[i]!)!) : String.fromCodePoint(own);
  }
  return text;
}

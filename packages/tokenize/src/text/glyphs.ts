import { isSpace, lineEnds } from "./characters.ts";

/** The characters of a text that are not spaces, as columns. */
export interface Glyphs {
  readonly length: number;
  /** Code points. */
  readonly code: Int32Array;
  /** The space before a character: 0 for none, U+0020 for several or a line end, or else its code point. */
  readonly space: Uint16Array;
  /** 1 for the first character of a paragraph. */
  readonly paragraph: Uint8Array;
  /** Offsets in the text, in code points. */
  readonly offset: Float64Array;
}

const SPACE = 0x20;
const FEED = 0x0a;
const RETURN = 0x0d;

/**
 * Collects the characters of a text that arrives in chunks: what comes out does not depend on where they were
 * cut. A blank line (or U+2029) begins a paragraph; any other run of white space and control characters is a
 * space.
 */
export class GlyphReader implements Glyphs {
  length = 0;
  code = new Int32Array(1024);
  space = new Uint16Array(1024);
  paragraph = new Uint8Array(1024);
  offset = new Float64Array(1024);
  /** Code points read. */
  #read = 0;
  /** Spaces since the last character: their number, the first of them, line ends. */
  #spaces = 0;
  #first = 0;
  #lines: number;
  /** Line ends that begin a paragraph. */
  readonly #paragraph: number;
  #afterReturn = false;
  /** A high surrogate at the end of a chunk. */
  #pending = "";

  /** @param lines how many line ends begin a paragraph: 2 for a blank line */
  constructor(lines = 2) {
    this.#paragraph = lines;
    this.#lines = lines;
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
  }

  #append(text: string): void {
    for (let i = 0; i < text.length; ) {
      const code = text.codePointAt(i)!;
      i += code > 0xffff ? 2 : 1;
      if (isSpace(code)) this.#readSpace(code);
      else this.#readGlyph(code);
      this.#read++;
    }
  }

  #readSpace(code: number): void {
    if (this.#spaces === 0) this.#first = code;
    this.#spaces++;
    // A carriage return with a line feed ends one line.
    this.#lines += this.#afterReturn && code === FEED ? 0 : lineEnds(code);
    this.#afterReturn = code === RETURN;
  }

  #readGlyph(code: number): void {
    const i = this.length;
    if (i === this.code.length) this.#grow();
    this.code[i] = code;
    this.space[i] = this.#spaces === 0 ? 0 : this.#spaces === 1 ? plain(this.#first) : SPACE;
    this.paragraph[i] = this.#lines >= this.#paragraph ? 1 : 0;
    this.offset[i] = this.#read;
    this.length++;
    this.#spaces = 0;
    this.#lines = 0;
    this.#afterReturn = false;
  }

  /** Removes the first `count` characters. O(characters left). */
  drop(count: number): void {
    for (const column of [this.code, this.space, this.paragraph, this.offset]) {
      column.copyWithin(0, count, this.length);
    }
    this.length -= count;
  }

  #grow(): void {
    const capacity = 2 * this.length;
    const grown = <T extends { set(from: T): void }>(from: T, into: T): T => {
      into.set(from);
      return into;
    };
    this.code = grown(this.code, new Int32Array(capacity));
    this.space = grown(this.space, new Uint16Array(capacity));
    this.paragraph = grown(this.paragraph, new Uint8Array(capacity));
    this.offset = grown(this.offset, new Float64Array(capacity));
  }
}

/** Returns a single space as a form may have it: line ends, tabs and controls become U+0020. */
function plain(code: number): number {
  return code < 0xa0 || lineEnds(code) > 0 || code === 0xfeff ? SPACE : code;
}

/** Returns the text of characters `from` to before `end`, with the spaces between them. O(length). */
export function textOf({ code, space }: Glyphs, from: number, end: number): string {
  let text = "";
  for (let i = from; i < end; i++) {
    if (i > from && space[i]! !== 0) text += String.fromCharCode(space[i]!);
    text += String.fromCodePoint(code[i]!);
  }
  return text;
}

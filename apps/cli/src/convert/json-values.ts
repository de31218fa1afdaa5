import { describeValue } from "@arcwise/core/errors";
import { type DataError, wrongData } from "../errors.ts";

/** A text of JSON and the line on which it begins. */
export interface JsonText {
  readonly text: string;
  readonly line: number;
}

/** The longest object that is read and written, in UTF-16 code units: its values may take thirty times the memory. */
export const MAX_JSON = 2 ** 22;

/**
 * Yields the texts of the objects of a file: an object per line, objects in any layout, or one list of objects. Keeps
 * one object in memory.
 *
 * @param chunks the text of the file
 * @param file its name in errors
 */
export async function* jsonValues(chunks: AsyncIterable<string>, file: string): AsyncGenerator<JsonText> {
  const splitter = new JsonSplitter(file);
  for await (const chunk of chunks) yield* splitter.push(chunk);
  splitter.end();
}

/** Escapes, characters that open or close strings, objects and lists, and ends of lines. */
const STRUCTURE = /\\[^\n]?|["{}[\]\n]/g;

/** Texts between objects: the expected token, in words, and the state after each token that may follow. */
interface State {
  readonly expected: string;
  readonly next: Readonly<Record<string, string>>;
}

const STATES: Readonly<Record<string, State>> = {
  first: { expected: "an object or a list of objects of JSON", next: { "{": "object", "[": "first item" } },
  object: { expected: "an object of JSON", next: { "{": "object" } },
  "first item": { expected: "an object or the end of the list", next: { "{": "comma", "]": "end" } },
  item: { expected: "an object after the comma", next: { "{": "comma" } },
  comma: { expected: "a comma or the end of the list", next: { ",": "item", "]": "end" } },
  end: { expected: "the end of the file after the list", next: {} },
};

/** States in which the file may end. */
const FINAL: readonly string[] = ["first", "object", "end"];

class JsonSplitter {
  readonly #file: string;
  #state = "first";
  #depth = 0;
  #isInString = false;
  /** An escape whose second character has not arrived. */
  #carry = "";
  #parts: string[] = [];
  #length = 0;
  #line = 1;
  /** The line on which the object begins. */
  #begin = 1;

  constructor(file: string) {
    this.#file = file;
  }

  *push(chunk: string): Generator<JsonText> {
    const text = this.#carry + chunk;
    this.#carry = "";
    let from = 0;
    for (const { 0: found, index } of text.matchAll(STRUCTURE)) {
      if (this.#depth === 0) {
        this.#between(text.slice(from, index));
        from = found === "{" ? index : index + 1;
        if (found !== "\n") this.#token(found);
      } else if (found === "\\" && index === text.length - 1) this.#carry = found;
      else if (this.#closes(found)) {
        this.#keep(text.slice(from, index + 1));
        yield { text: this.#parts.join(""), line: this.#begin };
        this.#parts = [];
        this.#length = 0;
        from = index + 1;
      }
      if (found === "\n") this.#line++;
    }
    const rest = text.slice(from, text.length - this.#carry.length);
    if (this.#depth > 0) this.#keep(rest);
    else this.#between(rest);
  }

  end(): void {
    if (this.#depth > 0)
      throw this.#refusal(this.#begin, "the end of an object of JSON", "the end of the file");
    if (!FINAL.includes(this.#state))
      throw this.#refusal(this.#line, STATES[this.#state]!.expected, "the end of the file");
  }

  /** Takes a character of an object; returns whether it closes it. */
  #closes(found: string): boolean {
    if (found === '"') this.#isInString = !this.#isInString;
    else if (!this.#isInString && (found === "{" || found === "[")) this.#depth++;
    else if (!this.#isInString && (found === "}" || found === "]")) this.#depth--;
    return this.#depth === 0;
  }

  #between(text: string): void {
    const token = text.trim();
    if (token !== "") this.#token(token);
  }

  /** Takes what is between objects: the beginning of one, a bracket of a list, or a comma. */
  #token(token: string): void {
    const { expected, next } = STATES[this.#state]!;
    const state = Object.hasOwn(next, token) ? next[token] : undefined;
    if (state === undefined) throw this.#refusal(this.#line, expected, describeValue(token));
    this.#state = state;
    if (token !== "{") return;
    this.#depth = 1;
    this.#begin = this.#line;
  }

  #keep(part: string): void {
    this.#parts.push(part);
    this.#length += part.length;
    if (this.#length > MAX_JSON)
      throw this.#refusal(this.#begin, `objects of at most ${MAX_JSON} characters`, "a longer one");
  }

  #refusal(line: number, expected: string, found: string): DataError {
    return wrongData({ file: this.#file, line, expected, found });
  }
}

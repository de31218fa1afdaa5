import { defineOptions, type OptionsOf, string } from "@arcwise/core/options";
import { describeEncoding } from "./encoding.ts";
import { throwingFor } from "./error.ts";
import { READ_LIMITS } from "./limits.ts";
import { RULES, type RuleName } from "./rules.ts";
import { isWhiteSpace } from "./white-space.ts";

/** The lines of one sentence, without their line ends. */
export interface Block {
  readonly lines: readonly string[];
  /** Line number of the first line in the source, from 1. */
  readonly line: number;
}

/** Called for deviations from the format that readers accept. */
export type Notice = (rule: RuleName, line: number, expected: string, found: string) => void;

const ignore: Notice = () => {};

/** The options of all readers. */
export const READ_OPTIONS = defineOptions({
  file: { check: string, help: "name of the file in messages" },
});

/** Options of the readers. */
export interface ReadOptions extends OptionsOf<typeof READ_OPTIONS> {}

/**
 * Splits text that arrives in chunks into sentences at blank lines, and after lines of white space. Stores the current sentence only.
 * Accepts, and reports by `notice`, a byte-order mark, carriage returns before line feeds, surplus blank
 * lines and a missing end of the last line or sentence.
 */
export class BlockSplitter {
  readonly #file: string | undefined;
  readonly #notice: Notice;
  /** The beginning of a line whose end has not arrived, and its length. */
  #pending: string[] = [];
  #pendingLength = 0;
  #lines: string[] = [];
  #length = 0;
  #first = 0;
  #line = 0;
  /** Whether a carriage return has been reported. */
  #carriageReturn = false;

  constructor(file: string | undefined, notice: Notice = ignore) {
    this.#file = file;
    this.#notice = notice;
  }

  /** Yields the sentences that a chunk completes. */
  *push(chunk: string): Generator<Block> {
    let from = 0;
    for (let end = chunk.indexOf("\n"); end >= 0; end = chunk.indexOf("\n", from)) {
      const block = this.#take(this.#complete(chunk.slice(from, end)));
      from = end + 1;
      if (block !== undefined) yield block;
    }
    if (from === chunk.length) return;
    this.#pendingLength += chunk.length - from;
    if (this.#pendingLength > READ_LIMITS.lineLength) this.refuseLine();
    this.#pending.push(chunk.slice(from));
  }

  /** Yields the last sentence when the text does not end in a blank line. */
  *end(): Generator<Block> {
    if (this.#pending.length > 0) {
      const block = this.#take(this.#complete(""));
      if (block !== undefined) yield block;
    }
    if (this.#lines.length === 0) return;
    this.#notice(
      "missing-empty-line",
      this.#line,
      "a blank line after the last sentence",
      "the end of the file",
    );
    yield this.#finish();
  }

  /** Throws the error for a line longer than the limit, of which only the beginning has arrived. */
  refuseLine(): never {
    return this.#refuse("line-length", this.#line + 1, atMost(READ_LIMITS.lineLength), "more");
  }

  /**
   * Throws the error for a line that is not UTF-8; `line` counts from 1 after the lines that have arrived.
   *
   * @param bytes that were found instead; in the first line they may show the encoding
   */
  refuseEncoding(line: number, bytes: Uint8Array): never {
    const number = this.#line + line;
    const found = number === 1 ? describeEncoding(bytes) : "other bytes";
    return this.#refuse("encoding", number, "UTF-8", found);
  }

  #complete(tail: string): string {
    if (this.#pending.length === 0) return tail;
    this.#pending.push(tail);
    const line = this.#pending.join("");
    this.#pending = [];
    this.#pendingLength = 0;
    return line;
  }

  #take(raw: string): Block | undefined {
    const number = ++this.#line;
    let line = raw;
    if (number === 1 && line.charCodeAt(0) === 0xfeff) {
      this.#notice("invalid-line", 1, "no byte-order mark", "U+FEFF");
      line = line.slice(1);
    }
    if (line.charCodeAt(line.length - 1) === 13) {
      if (!this.#carriageReturn) this.#notice("non-unix-newline", number, "LF", "CR LF");
      this.#carriageReturn = true;
      line = line.slice(0, -1);
    }
    const { lineLength, sentenceLength, sentenceLines } = READ_LIMITS;
    if (line.length > lineLength) this.#refuse("line-length", number, atMost(lineLength), `${line.length}`);
    if (line === "") return this.#blank();
    if (this.#lines.length === 0) this.#first = number;
    this.#length += line.length + 1;
    if (this.#length > sentenceLength)
      this.#refuse("sentence-length", number, atMost(sentenceLength), "more");
    if (this.#lines.length >= sentenceLines)
      this.#refuse("sentence-length", number, `at most ${sentenceLines} lines`, "more");
    this.#lines.push(line);
    // As in the validator of Universal Dependencies, a line of white space ends a sentence, and is wrong.
    return isWhiteSpace(line) ? this.#finish() : undefined;
  }

  #blank(): Block | undefined {
    if (this.#lines.length > 0) return this.#finish();
    this.#notice("empty-sentence", this.#line, "a comment or a row", "a blank line");
    return undefined;
  }

  #finish(): Block {
    const lines = this.#lines;
    const block = { lines, line: this.#first };
    this.#lines = [];
    this.#length = 0;
    return block;
  }

  #refuse(rule: RuleName, line: number, expected: string, found: string): never {
    return throwingFor(this.#lines, this.#file, RULES)(rule, line, expected, found);
  }
}

function atMost(characters: number): string {
  return `at most ${characters} characters`;
}

import {
  checkArgument,
  checkOptions,
  defineOptions,
  flag,
  integer,
  iterable,
  type OptionsOf,
  optional,
  satisfying,
  shaped,
  string,
  withMembers,
} from "@arcwise/core/options";
import { TextAnalyser, type TokenSpan } from "./analysis.ts";
import { PIECE } from "./line-counter.ts";
import { LINES } from "./line-option.ts";
import type { TokenizerModel } from "./model.ts";
import { CharacterReader, countPoints, endOffset, type ReaderRest, textOf } from "./text/character-reader.ts";
import { LineBlocks, type LineBlocksRest } from "./text/line-blocks.ts";

/** A token of a text. */
export interface Token {
  readonly form: string;
  /** Forms of the words of a multiword token; empty for a single word. */
  readonly words: readonly string[];
  /** Offsets in the text, in Unicode code points; a surrogate that is not in a pair counts as one. */
  readonly start: number;
  readonly end: number;
  /** Whether white space, or the end of the text, follows. */
  readonly spaceAfter: boolean;
}

/** A sentence of a text. */
export interface TokenizedSentence {
  readonly tokens: readonly Token[];
  /** Whether a paragraph begins with it. */
  readonly startsParagraph: boolean;
  /** Offset of its first token in the text, in UTF-16 code units. */
  readonly start?: number | undefined;
}

const TOKENIZER_OPTIONS = defineOptions({
  maxTokens: {
    check: integer(1),
    help: "maximum number of tokens of a sentence; longer ones are cut",
    default: 1000,
  },
});

/** Options of a tokeniser. */
export interface TokenizerOptions extends OptionsOf<typeof TOKENIZER_OPTIONS> {}

const TEXT_OPTIONS = defineOptions({ lines: LINES });

/** Options of a text. */
export interface TextOptions extends OptionsOf<typeof TEXT_OPTIONS> {}

const MODEL = withMembers("a model of loadTokenizer or trainTokenizer", "characters", "tokens", "multiword");
const CHUNKS = satisfying(
  "an iterable or async iterable of strings",
  (value) =>
    typeof value === "string" ||
    (typeof value === "object" &&
      value !== null &&
      (Symbol.asyncIterator in value || Symbol.iterator in value)),
);

/** Text that a session has read and not yet returned, as plain data: a session in any thread resumes from it. */
export interface TextRest {
  readonly characters: ReaderRest;
  readonly blocks: LineBlocksRest;
  readonly pairs: number;
}

const COUNT = integer(0);
/** A session keeps at most a block of text and a piece of a chunk. */
const REST = shaped<TextRest>("the rest of a session", {
  pairs: COUNT,
  blocks: shaped<LineBlocksRest>("the state of lines", {
    ...{ option: optional(flag), isLines: optional(flag), marked: COUNT },
  }),
  characters: shaped<ReaderRest>("the state of a reader", {
    ...{ length: integer(0, 2 ** 20), originals: iterable("pairs"), pending: string, run: string },
    ...{ read: COUNT, spaces: COUNT, first: COUNT, lines: COUNT, inner: COUNT, last: COUNT },
  }),
});
const SESSION_OPTIONS = defineOptions({
  lines: LINES,
  rest: { check: REST, help: "the rest of another session, with its options" },
});

/** Options of a session: `lines` is for a text that begins. */
export interface TextSessionOptions extends OptionsOf<typeof SESSION_OPTIONS> {}

/** Reads one text in chunks. */
export interface TextSession {
  /** Appends a chunk; returns the sentences that are certain. */
  push(chunk: string): TokenizedSentence[];
  /** Ends the text; returns its last sentences. */
  end(): TokenizedSentence[];
  /** Returns what another session resumes from. Absent in tokenisers of one's own. O(a block of text). */
  rest?(): TextRest;
}

/** Cuts texts into sentences, tokens and words. Not for concurrent use; sessions may take turns. */
export interface Tokenizer {
  /** Returns the sentences of a text. O(length). @throws ArcwiseError `invalid-argument` for no string */
  tokenize(text: string, options?: TextOptions): TokenizedSentence[];
  /**
   * Yields the sentences of a text that arrives in chunks. What they are does not depend on where chunks are
   * cut. Memory: a block of text, and the chunk.
   */
  stream(
    chunks: AsyncIterable<string> | Iterable<string>,
    options?: TextOptions,
  ): AsyncGenerator<TokenizedSentence>;
  /** Begins a text that arrives in chunks, or resumes it from the rest of another session. */
  session(options?: TextSessionOptions): TextSession;
}

/** Characters that are read together; longer paragraphs are read in several blocks. */
const BLOCK = 2 ** 15;
/** Sentences that end within this number of characters before the end of a block are read again in the next one. */
const MARGIN = 2 ** 11;

/**
 * Makes a tokeniser from a model.
 *
 * @throws ArcwiseError for an argument or option of another type
 */
export function createTokenizer(model: TokenizerModel, options: TokenizerOptions = {}): Tokenizer {
  checkArgument(MODEL, model, "createTokenizer: model");
  const { maxTokens } = checkOptions(TOKENIZER_OPTIONS, options, "createTokenizer");
  const analyser = new TextAnalyser(model, maxTokens);
  return {
    session: (given) => new Session(analyser, checkOptions(SESSION_OPTIONS, given, "session")),
    tokenize(text, given) {
      const reader = new Session(analyser, checkOptions(TEXT_OPTIONS, given, "tokenize"));
      return [...reader.push(text), ...reader.end()];
    },
    stream(chunks, given) {
      checkArgument(CHUNKS, chunks, "stream: chunks");
      return sentencesOf(new Session(analyser, checkOptions(TEXT_OPTIONS, given, "stream")), chunks);
    },
  };
}

async function* sentencesOf(
  session: Session,
  chunks: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<TokenizedSentence> {
  for await (const chunk of chunks) yield* session.sentences(chunk);
  yield* session.end();
}

class Session implements TextSession {
  readonly #analyser: TextAnalyser;
  readonly #characters: CharacterReader;
  readonly #blocks: LineBlocks;
  /** Code points of two UTF-16 code units in the sentences so far. */
  #pairs: number;

  constructor(analyser: TextAnalyser, { lines, rest }: TextSessionOptions) {
    this.#analyser = analyser;
    this.#characters = new CharacterReader(analyser.variants, rest?.characters);
    this.#blocks = new LineBlocks(rest?.blocks ?? { option: lines, isLines: undefined, marked: 0 });
    this.#pairs = rest?.pairs ?? 0;
  }

  rest(): TextRest {
    return { characters: this.#characters.rest(), blocks: this.#blocks.rest(), pairs: this.#pairs };
  }

  push(chunk: string): TokenizedSentence[] {
    return [...this.sentences(chunk)];
  }

  end(): TokenizedSentence[] {
    this.#characters.end();
    return [...this.#complete(true), ...this.#read(this.#characters.length, this.#characters.length)];
  }

  /** Yields the sentences that a chunk completes. */
  *sentences(chunk: string): Generator<TokenizedSentence> {
    checkArgument(string, chunk, "text");
    for (let at = 0; at < chunk.length; at += PIECE) {
      this.#characters.push(chunk.slice(at, at + PIECE));
      yield* this.#complete(false);
    }
  }

  /**
   * Yields the sentences of paragraphs that are complete, and of the beginning of one that is longer than a
   * block. Depends on the text from its last cut on, not on how much of it has arrived.
   */
  *#complete(isEnd: boolean): Generator<TokenizedSentence> {
    const characters = this.#characters;
    for (;;) {
      const marked = this.#blocks.mark(characters, isEnd);
      let end = Math.min(characters.length - 1, BLOCK, marked);
      while (end > 0 && characters.paragraph[end] === 0) end--;
      if (end > 0) yield* this.#read(end, end);
      else if (characters.length > BLOCK) yield* this.#read(BLOCK, BLOCK - MARGIN);
      else return;
    }
  }

  /** Reads the first `length` characters; takes the sentences that end among the first `limit`. */
  #read(length: number, limit: number): TokenizedSentence[] {
    if (length === 0) return [];
    const { code, space, paragraph, line, offset, originals } = this.#characters;
    const characters = { length, code, space, paragraph, line, offset, originals };
    const found = this.#analyser.sentences(characters);
    const kept = found.filter((tokens) => tokens.at(-1)!.end <= limit);
    // A sentence longer than a block is cut.
    if (kept.length === 0) kept.push(found[0]!.filter(({ end }) => end <= limit));
    const sentences = kept.map((tokens) => this.#sentence(tokens));
    const { end } = kept.at(-1)!.at(-1)!;
    this.#characters.drop(end);
    this.#blocks.drop(end);
    return sentences;
  }

  #sentence(spans: readonly TokenSpan[]): TokenizedSentence {
    const { offset, length, space, paragraph } = this.#characters;
    const tokens = spans.map(({ from, end, words }) => ({
      form: textOf(this.#characters, from, end),
      words,
      start: offset[from]!,
      end: endOffset(this.#characters, end - 1),
      spaceAfter: end === length || space[end]! !== 0,
    }));
    const start = tokens[0]!.start + this.#pairs;
    for (const { form } of tokens) this.#pairs += form.length - countPoints(form);
    return { tokens, startsParagraph: paragraph[spans[0]!.from] === 1, start };
  }
}

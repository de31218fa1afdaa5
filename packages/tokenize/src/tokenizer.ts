import {
  checkArgument,
  checkOptions,
  defineOptions,
  integer,
  iterable,
  list,
  type OptionsOf,
  oneOf,
  optional,
  satisfying,
  shaped,
  string,
  withMembers,
} from "@arcwise/core/options";
import { TextAnalyser, type TokenSpan } from "./analysis.ts";
import type { TokenizerModel } from "./model.ts";
import { WHOLE_TOKENS } from "./rules/whole-tokens.ts";
import { CharacterReader, countPoints, endOffset, type ReaderRest, textOf } from "./text/character-reader.ts";

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
  paragraphs: {
    check: oneOf("blank-line", "line"),
    help: "the end of a paragraph, and of its last sentence: a blank line, or the end of each line",
    default: "blank-line",
  },
  maxTokens: {
    check: integer(1),
    help: "maximum number of tokens of a sentence; longer ones are cut",
    default: 1000,
  },
  wholeTokens: {
    check: list(oneOf(...WHOLE_TOKENS), { distinct: true }),
    help: "tokens that rules find, whatever the treebank: addresses of the web and of mail, @names, #tags, emoticons",
    default: WHOLE_TOKENS,
    defaultHelp: "all kinds",
  },
});

/** Options of a tokeniser. */
export interface TokenizerOptions extends OptionsOf<typeof TOKENIZER_OPTIONS> {}

const MODEL = withMembers("a model of loadTokenizer or trainTokenizer", "characters", "tokens", "multiword");
const CHUNKS = satisfying(
  "an iterable or async iterable of strings",
  (value) =>
    typeof value === "string" ||
    (typeof value === "object" &&
      value !== null &&
      (Symbol.asyncIterator in value || Symbol.iterator in value)),
);

/** What a session has read and not yet returned, as plain data: a session in any thread resumes from it. */
export interface TextRest {
  readonly characters: ReaderRest;
  readonly pairs: number;
}

const COUNT = integer(0);
/** What a session keeps is at most a block of text and a piece of a chunk. */
const REST = optional(
  shaped<TextRest>("the rest of a session", {
    pairs: COUNT,
    characters: shaped<ReaderRest>("the state of a reader", {
      ...{ length: integer(0, 2 ** 20), originals: iterable("pairs"), pending: string, run: string },
      ...{ read: COUNT, spaces: COUNT, first: COUNT, lines: COUNT, inner: COUNT, last: COUNT },
    }),
  }),
);

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
  tokenize(text: string): TokenizedSentence[];
  /**
   * Yields the sentences of a text that arrives in chunks. What they are does not depend on where chunks are
   * cut. Memory: a block of text, and the chunk.
   */
  stream(chunks: AsyncIterable<string> | Iterable<string>): AsyncGenerator<TokenizedSentence>;
  /** Begins a text that arrives in chunks, or resumes it from the rest of another session. */
  session(rest?: TextRest): TextSession;
}

/** Characters that are read together; longer paragraphs are read in several blocks. */
const BLOCK = 2 ** 15;
/** Sentences that end within so many characters before the end of a block are read again in the next one. */
const MARGIN = 2 ** 11;
/** Chunks are taken in pieces of this many UTF-16 code units, which bounds the memory for a long one. */
const PIECE = 2 ** 12;

/**
 * Makes a tokeniser from a model.
 *
 * @throws ArcwiseError for an argument or option of another type
 */
export function createTokenizer(model: TokenizerModel, options: TokenizerOptions = {}): Tokenizer {
  checkArgument(MODEL, model, "createTokenizer: model");
  const { paragraphs, maxTokens, wholeTokens } = checkOptions(TOKENIZER_OPTIONS, options, "createTokenizer");
  const analyser = new TextAnalyser(model, { maxTokens, wholeTokens });
  const lines = paragraphs === "line" ? 1 : 2;
  const session = (rest?: TextRest) => {
    checkArgument(REST, rest, "session: rest");
    return new Session(analyser, lines, rest);
  };
  return {
    session,
    tokenize(text) {
      const reader = session();
      return [...reader.push(text), ...reader.end()];
    },
    stream(chunks) {
      checkArgument(CHUNKS, chunks, "stream: chunks");
      return sentencesOf(session(), chunks);
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
  /** Code points of two UTF-16 code units in the sentences so far. */
  #pairs: number;

  constructor(analyser: TextAnalyser, lines: number, rest?: TextRest) {
    this.#analyser = analyser;
    this.#characters = new CharacterReader(lines, analyser.variants, rest?.characters);
    this.#pairs = rest?.pairs ?? 0;
  }

  rest(): TextRest {
    return { characters: this.#characters.rest(), pairs: this.#pairs };
  }

  push(chunk: string): TokenizedSentence[] {
    return [...this.sentences(chunk)];
  }

  end(): TokenizedSentence[] {
    this.#characters.end();
    return [...this.#complete(), ...this.#read(this.#characters.length, this.#characters.length)];
  }

  /** Yields the sentences that a chunk completes. */
  *sentences(chunk: string): Generator<TokenizedSentence> {
    checkArgument(string, chunk, "text");
    for (let at = 0; at < chunk.length; at += PIECE) {
      this.#characters.push(chunk.slice(at, at + PIECE));
      yield* this.#complete();
    }
  }

  /**
   * Yields the sentences of paragraphs that are complete, and of the beginning of one that is longer than a
   * block. Depends on the text from its last cut on, not on how much of it has arrived.
   */
  *#complete(): Generator<TokenizedSentence> {
    const characters = this.#characters;
    for (;;) {
      let end = Math.min(characters.length - 1, BLOCK);
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
    this.#characters.drop(kept.at(-1)!.at(-1)!.end);
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

import { type ConlluSentence, readConllu, sentenceId } from "@arcwise/conllu";
import type { ParseConstraints } from "@arcwise/parser";
import { DataError } from "./errors.ts";
import { inSource } from "./in-source.ts";
import { readBytes } from "./input.ts";
import { displayName, type Io } from "./io.ts";

/** The constraints of a file on a sentence. Plain data, which can be sent to another thread. */
export interface SentenceConstraints {
  /** File and line of the sentence. */
  readonly place: string;
  readonly forms: readonly string[];
  /** n + 1 heads, -1 where HEAD is `_`. */
  readonly heads: Int32Array;
  /** n + 1 labels, empty where DEPREL is `_`. */
  readonly labels: readonly string[];
}

/** Reads constraints for the sentences of another file, in the same order. */
export interface ConstraintReader {
  /**
   * Returns the constraints of the next sentences: fewer at the end of the file. @throws ConlluError,
   * DataError, Interrupted
   */
  next(count: number): Promise<SentenceConstraints[]>;
  /**
   * @throws DataError when the file has more sentences
   */
  finish(): Promise<void>;
}

/** Makes a reader of a CoNLL-U file with heads and relations for some words, and `_` elsewhere. */
export function constraintReader(io: Io, path: string): ConstraintReader {
  const file = displayName(path);
  const sentences = readConllu(readBytes(io, path), { file });
  const read = () =>
    sentences.next().catch((error: unknown) => {
      throw inSource(error, file);
    });
  return {
    async next(count) {
      const constraints: SentenceConstraints[] = [];
      while (constraints.length < count) {
        const { done, value } = await read();
        if (done) break;
        constraints.push(constraintsOf(value, file));
      }
      return constraints;
    },
    async finish() {
      const { done, value } = await read();
      if (done) return;
      throw new DataError(`${place(value, file)}: expected no more sentences than in the input, found one`);
    },
  };
}

function place(sentence: ConlluSentence, file: string): string {
  const id = sentenceId(sentence);
  return `${file}:${sentence.line}${id === undefined ? "" : `: sentence ${id}`}`;
}

function constraintsOf(sentence: ConlluSentence, file: string): SentenceConstraints {
  const words = sentence.rows.filter((row) => row.kind === "word");
  return {
    place: place(sentence, file),
    forms: words.map(({ form }) => form),
    heads: Int32Array.from([-1, ...words.map(({ head }) => head)]),
    labels: ["", ...words.map(({ deprel }) => (deprel === "_" ? "" : deprel))],
  };
}

/**
 * Returns the constraints of a sentence for the parser.
 *
 * @param where the sentence in messages
 * @throws DataError when they are those of another sentence
 */
export function parserConstraints(
  given: SentenceConstraints,
  forms: readonly string[],
  where: string,
): ParseConstraints {
  if (given.forms.length !== forms.length) {
    const expected = `expected ${forms.length} words as in ${where}`;
    throw new DataError(`${given.place}: ${expected}, found ${given.forms.length}`);
  }
  const other = forms.findIndex((form, i) => form !== given.forms[i]);
  if (other >= 0) {
    const [expected, found] = [forms[other], given.forms[other]].map((form) => JSON.stringify(form));
    throw new DataError(
      `${given.place}: word ${other + 1}: expected ${expected} as in ${where}, found ${found}`,
    );
  }
  return { heads: given.heads, labels: given.labels };
}

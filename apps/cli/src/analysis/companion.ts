import { type ConlluSentence, sentenceId } from "@arcwise/conllu";
import type { Sentence } from "@arcwise/core";
import { counted } from "@arcwise/core/errors";
import { DataError } from "../errors.ts";
import { displayName, type Io, placeOf } from "../files/io.ts";
import { inFileOf, readSentences } from "../files/sentences.ts";

/** A sentence of another file. Plain data, which can be sent to another thread. */
export interface CompanionSentence {
  /** Where it stands in its file, as messages have it. */
  readonly place: string;
  readonly forms: readonly string[];
}

/** Reads the sentences of another file that belong to the sentences of an input, in their order. */
export interface CompanionReader<Data> {
  /**
   * Returns the data of the next sentence; undefined at the end of the file. A sentence with an ID gets the next one of
   * that ID, and sentences before it are skipped; one without an ID gets the next one.
   */
  next(id: string | undefined): Promise<(CompanionSentence & Data) | undefined>;
  /** @throws DataError when the file has more sentences */
  finish(): Promise<void>;
}

/**
 * Makes a reader of a CoNLL-U file.
 *
 * @param take returns the data of a sentence; its ConlluErrors get the name of the file
 */
export function companionReader<Data extends object>(
  io: Io,
  path: string,
  take: (sentence: ConlluSentence) => Data,
): CompanionReader<Data> {
  const file = displayName(path);
  const sentences = readSentences(io, [path]);
  const place = (sentence: ConlluSentence) => placeOf(file, sentence.line, sentenceId(sentence));
  return {
    async next(id) {
      for (let found = await sentences.next(); !found.done; found = await sentences.next()) {
        const { sentence } = found.value;
        const own = sentenceId(sentence);
        if (id !== undefined && own !== undefined && own !== id) continue;
        const forms = sentence.rows.filter(({ kind }) => kind === "word").map(({ form }) => form);
        return inFileOf(file, () => ({ place: place(sentence), forms, ...take(sentence) }));
      }
      return undefined;
    },
    async finish() {
      const { done, value } = await sentences.next();
      if (done) return;
      throw new DataError(
        `${place(value.sentence)}: expected no more sentences than in the input, found one`,
      );
    },
  };
}

/**
 * Checks that another file has a sentence, with the words of the input.
 *
 * @param where the sentence of the input in messages
 * @param what the noun for the expected sentence, for messages
 */
export function checkForms(
  other: CompanionSentence | undefined,
  words: Sentence,
  where: string,
  what: string,
): asserts other is CompanionSentence {
  if (other === undefined) throw new DataError(`${where}: expected ${what}, found none`);
  const { place, forms } = other;
  if (forms.length !== words.length) {
    throw new DataError(
      `${place}: expected ${counted(words.length, "word")} as in ${where}, found ${forms.length}`,
    );
  }
  const at = words.findIndex(({ form }, i) => form !== forms[i]);
  if (at < 0) return;
  const [expected, found] = [words[at]!.form, forms[at]].map((form) => JSON.stringify(form));
  throw new DataError(`${place}: word ${at + 1}: expected ${expected} as in ${where}, found ${found}`);
}

import { type ConlluSentence, readConllu, sentenceId } from "@arcwise/conllu";
import type { Sentence } from "@arcwise/core";
import { DataError } from "../command/errors.ts";
import { readBytes } from "../files/input.ts";
import { displayName, type Io } from "../files/io.ts";
import { inSource } from "../in-source.ts";
import { checkInterrupt } from "../threads/interruption.ts";

/** A sentence of another file. Plain data, which can be sent to another thread. */
export interface CompanionSentence {
  /** Where it stands in its file, as messages have it. */
  readonly place: string;
  readonly forms: readonly string[];
}

/** Reads what another file has for the sentences of an input, in their order. */
export interface CompanionReader<Data> {
  /**
   * Returns the data of the next sentences, fewer when the file ends. A sentence with an ID gets the next one
   * of that ID, and those before it are skipped; one without an ID gets the next one.
   *
   * @throws ConlluError, Interrupted
   */
  next(ids: readonly (string | undefined)[]): Promise<(CompanionSentence & Data)[]>;
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
  const sentences = readConllu(readBytes(io, path), { file });
  const read = () =>
    sentences.next().catch((error: unknown) => {
      throw inSource(error, file);
    });
  return {
    async next(ids) {
      const taken: (CompanionSentence & Data)[] = [];
      for (const id of ids) {
        let found = await read();
        while (!found.done && isOther(found.value, id)) {
          checkInterrupt(io);
          found = await read();
        }
        if (found.done) break;
        taken.push(dataOf(found.value, file, take));
      }
      return taken;
    },
    async finish() {
      const { done, value } = await read();
      if (done) return;
      throw new DataError(`${placeOf(value, file)}: expected no more sentences than in the input, found one`);
    },
  };
}

function isOther(sentence: ConlluSentence, id: string | undefined): boolean {
  const own = sentenceId(sentence);
  return id !== undefined && own !== undefined && own !== id;
}

function placeOf(sentence: ConlluSentence, file: string): string {
  const id = sentenceId(sentence);
  return `${file}:${sentence.line}${id === undefined ? "" : `: sentence ${id}`}`;
}

function dataOf<Data extends object>(
  sentence: ConlluSentence,
  file: string,
  take: (sentence: ConlluSentence) => Data,
): CompanionSentence & Data {
  const forms = sentence.rows.filter(({ kind }) => kind === "word").map(({ form }) => form);
  try {
    return { place: placeOf(sentence, file), forms, ...take(sentence) };
  } catch (error) {
    throw inSource(error, file);
  }
}

/**
 * Checks that another file has a sentence, with the words of the input.
 *
 * @param where the sentence of the input in messages
 * @param what the noun for the expected sentence, for messages
 * @throws DataError if it is missing, or its words differ
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
    throw new DataError(`${place}: expected ${words.length} words as in ${where}, found ${forms.length}`);
  }
  const at = words.findIndex(({ form }, i) => form !== forms[i]);
  if (at < 0) return;
  const [expected, found] = [words[at]!.form, forms[at]].map((form) => JSON.stringify(form));
  throw new DataError(`${place}: word ${at + 1}: expected ${expected} as in ${where}, found ${found}`);
}

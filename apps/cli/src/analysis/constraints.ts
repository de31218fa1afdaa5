import type { ConlluSentence } from "@arcwise/conllu";
import type { Sentence } from "@arcwise/core";
import type { ParseConstraints } from "@arcwise/parser";
import { DataError } from "../command/errors.ts";
import { displayName, type Io } from "../files/io.ts";
import { type CompanionReader, type CompanionSentence, checkForms, companionReader } from "./companion.ts";

/** Heads and labels that are given for some words of a sentence. */
interface GivenArcs {
  /** n + 1 heads, -1 where HEAD is `_`. */
  readonly heads: Int32Array;
  /** n + 1 labels, empty where DEPREL is `_`. */
  readonly labels: readonly string[];
}

/** The constraints of a file on a sentence. Plain data, which can be sent to another thread. */
export type SentenceConstraints = CompanionSentence & GivenArcs;

/** Makes a reader of a CoNLL-U file with heads and relations for some words, and `_` elsewhere. */
export function constraintReader(io: Io, path: string): CompanionReader<GivenArcs> {
  return companionReader(io, path, (sentence) => givenArcs(sentence, displayName(path)));
}

/** @throws DataError when a head is no word of the sentence; names the line of its row */
function givenArcs({ rows, comments, line }: ConlluSentence, file: string): GivenArcs {
  const words = rows.filter((row) => row.kind === "word");
  for (const [i, row] of rows.entries()) {
    if (row.kind !== "word" || (row.head <= words.length && row.head !== row.id)) continue;
    const expected = `a head from 0 to ${words.length} other than the word itself`;
    const place = `${file}:${line + comments.length + i}`;
    throw new DataError(`${place}: word ${row.id}: expected ${expected}, found ${row.head}`);
  }
  return {
    heads: Int32Array.from([-1, ...words.map(({ head }) => head)]),
    labels: ["", ...words.map(({ deprel }) => (deprel === "_" ? "" : deprel))],
  };
}

/**
 * Returns the constraints of a sentence for the parser.
 *
 * @param where the sentence in messages
 * @throws DataError when they belong to another sentence
 */
export function parserConstraints(
  given: SentenceConstraints,
  words: Sentence,
  where: string,
): ParseConstraints {
  checkForms(given, words, where);
  return { heads: given.heads, labels: given.labels };
}

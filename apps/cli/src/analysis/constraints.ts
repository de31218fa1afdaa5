import type { ConlluSentence } from "@arcwise/conllu";
import type { Sentence } from "@arcwise/core";
import type { ParseConstraints } from "@arcwise/parser";
import { DataError } from "../errors.ts";
import { displayName, type Io } from "../files/io.ts";
import { type CompanionReader, type CompanionSentence, checkForms, companionReader } from "./companion.ts";

/** Heads and labels that are given or forbidden for some words of a sentence. */
interface GivenArcs {
  /** n + 1 heads, -1 where HEAD is `_`. */
  readonly heads: Int32Array;
  /** n + 1 labels, empty where DEPREL is `_`. */
  readonly labels: readonly string[];
  /** Pairs of head and word, by NotHead of MISC. */
  readonly forbiddenArcs: readonly (readonly [head: number, modifier: number])[];
  /** Pairs of word and label, by NotDeprel of MISC. */
  readonly forbiddenLabels: readonly (readonly [word: number, label: string])[];
}

/** The constraints of a file on a sentence. Plain data, which can be sent to another thread. */
export type SentenceConstraints = CompanionSentence & GivenArcs;

/**
 * Makes a reader of a CoNLL-U file with heads and relations for some words, and `_` elsewhere. In MISC,
 * `NotHead=3,5` and `NotDeprel=obj,iobj` forbid heads and relations.
 */
export function constraintReader(io: Io, path: string): CompanionReader<GivenArcs> {
  return companionReader(io, path, (sentence) => givenArcs(sentence, displayName(path)));
}

function givenArcs({ rows, comments, line }: ConlluSentence, file: string): GivenArcs {
  const words = rows.filter((row) => row.kind === "word");
  const forbiddenArcs: (readonly [number, number])[] = [];
  const forbiddenLabels: (readonly [number, string])[] = [];
  for (const [i, row] of rows.entries()) {
    if (row.kind !== "word") continue;
    const refuse = (found: string): never => {
      const expected = `a head from 0 to ${words.length} other than the word itself`;
      const place = `${file}:${line + comments.length + i}`;
      throw new DataError(`${place}: word ${row.id}: expected ${expected}, found ${found}`);
    };
    if (row.head > words.length || row.head === row.id) refuse(`${row.head}`);
    for (const head of listOf(row.misc, "NotHead")) {
      if (!/^\d+$/.test(head) || Number(head) > words.length || Number(head) === row.id)
        refuse(`NotHead=${head}`);
      forbiddenArcs.push([Number(head), row.id]);
    }
    for (const label of listOf(row.misc, "NotDeprel")) forbiddenLabels.push([row.id, label]);
  }
  return {
    heads: Int32Array.from([-1, ...words.map(({ head }) => head)]),
    labels: ["", ...words.map(({ deprel }) => (deprel === "_" ? "" : deprel))],
    forbiddenArcs,
    forbiddenLabels,
  };
}

/** Returns the values of an attribute of MISC, which are separated by commas. */
function listOf(misc: string, name: string): string[] {
  const item = misc.split("|").find((one) => one.startsWith(`${name}=`));
  return item === undefined ? [] : item.slice(name.length + 1).split(",");
}

/**
 * Returns the constraints of a sentence for the parser.
 *
 * @param where the sentence in messages
 */
export function parserConstraints(
  given: SentenceConstraints | undefined,
  words: Sentence,
  where: string,
): ParseConstraints {
  checkForms(given, words, where, "constraints for this sentence");
  const { heads, labels, forbiddenArcs, forbiddenLabels } = given;
  return { heads, labels, forbiddenArcs, forbiddenLabels };
}

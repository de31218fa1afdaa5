import { type ConlluSentence, sentenceCheck } from "@arcwise/conllu";
import {
  type Complete,
  checkArgument,
  checkOptions,
  defineOptions,
  flag,
  list,
  type OptionsOf,
  satisfying,
  string,
} from "@arcwise/core/options";
import { WEIGHT } from "../model-parts.ts";

const TREEBANK = defineOptions({
  name: {
    check: string,
    help: "name in messages and in the description of the model",
    defaultHelp: "its number",
  },
  sentences: { check: list(sentenceCheck), help: "sentences of the treebank", required: true },
  /** A fraction is a share of its paragraphs, drawn by the seed. */
  weight: { check: WEIGHT, help: "how often its sentences are learned per epoch, 0.01 to 100", default: 1 },
  /** Its tokens are a parser's: the tokeniser does not learn from them. */
  silver: { check: flag, help: "whether a parser annotated it, not people", default: false },
});

/** One of the treebanks of a training, or of its development sets. */
export interface Treebank extends OptionsOf<typeof TREEBANK> {}

const SENTENCES = list(sentenceCheck);
/** Accepts lists of sentences or treebanks, before what is in them is checked. */
export const treebanksCheck = list(
  satisfying("a sentence or a treebank", (value) => typeof value === "object" && value !== null),
);

/** A treebank with all members. */
export interface NamedTreebank extends Complete<typeof TREEBANK> {
  readonly name: string;
}

/** The name of a treebank that is given as a list of sentences. */
export const UNNAMED = "1";

/**
 * Returns treebanks with names and weights; a list of sentences is one treebank.
 *
 * @throws ArcwiseError `invalid-argument`, `unknown-option` or `invalid-option`
 */
export function treebanksOf(
  given: readonly ConlluSentence[] | readonly Treebank[],
  at: string,
): NamedTreebank[] {
  checkArgument(string, at, "treebanksOf: at");
  checkArgument(treebanksCheck, given, at);
  const [first] = given;
  if (first === undefined || !("sentences" in first)) {
    checkArgument(SENTENCES, given, at);
    return [{ name: UNNAMED, sentences: given as readonly ConlluSentence[], weight: 1, silver: false }];
  }
  return (given as readonly Treebank[]).map((treebank, t) => {
    const { name = String(t + 1), ...others } = checkOptions(TREEBANK, treebank, `${at}[${t}]`);
    return { name, ...others };
  });
}

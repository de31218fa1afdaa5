import { type ConlluSentence, sentenceCheck } from "@arcwise/conllu";
import { checkArgument, checkOptions, defineOptions, list, satisfying, string } from "@arcwise/core/options";
import { WEIGHT } from "../model-parts.ts";

/** One of the treebanks of a training, or of its development sets. */
export interface Treebank {
  /** Its name in messages and in the description of the model. Default: its number. */
  readonly name?: string | undefined;
  readonly sentences: readonly ConlluSentence[];
  /**
   * How often its sentences are learned per epoch, 0.01 to 100; a fraction is a share of its paragraphs, drawn by
   * the seed. Default: 1.
   */
  readonly weight?: number | undefined;
}

const TREEBANK = defineOptions<Treebank>()({
  name: { check: string, help: "its name in messages and in the description of the model" },
  sentences: { check: list(sentenceCheck), help: "its sentences" },
  weight: { check: WEIGHT, help: "how often its sentences are learned per epoch", default: 1 },
});
const SENTENCES = list(sentenceCheck);
/** Accepts lists of sentences or treebanks, before what is in them is checked. */
export const treebanksCheck = list(
  satisfying("a sentence or a treebank", (value) => typeof value === "object" && value !== null),
);

/** A treebank with all members. */
export type NamedTreebank = Required<{ readonly [Name in keyof Treebank]: NonNullable<Treebank[Name]> }>;

/**
 * Returns treebanks with names and weights; a list of sentences is one treebank.
 *
 * @throws ArcwiseError `invalid-argument`, `unknown-option` or `invalid-option`
 */
export function treebanksOf(
  given: readonly ConlluSentence[] | readonly Treebank[],
  at: string,
): NamedTreebank[] {
  checkArgument(treebanksCheck, given, at);
  const [first] = given;
  if (first === undefined || !("sentences" in first)) {
    checkArgument(SENTENCES, given, at);
    return [{ name: "1", sentences: given as readonly ConlluSentence[], weight: 1 }];
  }
  return (given as readonly Treebank[]).map((treebank, t) => {
    const { name = String(t + 1), sentences, weight } = checkOptions(TREEBANK, treebank, `${at}[${t}]`);
    return { name, sentences, weight };
  });
}

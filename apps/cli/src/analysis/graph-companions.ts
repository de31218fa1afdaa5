import { type ConlluSentence, sentenceTree, sentenceWords } from "@arcwise/conllu";
import type { DependencyTree, Sentence } from "@arcwise/core";
import { DataError } from "../errors.ts";
import type { Io } from "../files/io.ts";
import { OWN_TREES } from "../settings/tables.ts";
import { type CompanionSentence, checkForms, companionReader } from "./companion.ts";
import { type GraphSentence, graphId, graphWords, inSentence, isSdp } from "./graph-sentences.ts";

/** Where the trees and the tags of the sentences of a file come from. */
export interface GraphCompanions {
  /** A CoNLL-U file; "columns": HEAD and DEPREL of the file itself; undefined: sentences without trees. */
  readonly trees: string | undefined;
  /** A CoNLL-U file whose tags take the place of the tags of the file. */
  readonly words: string | undefined;
}

/** The words of a sentence with their tags, and their tree. */
export interface GraphInput {
  readonly words: Sentence;
  readonly syntax: DependencyTree | undefined;
}

/** Returns a function that reads the words and the tree of the next sentence, with what other files have for it. */
export function graphInputs(
  io: Io,
  file: string,
  { trees, words }: GraphCompanions,
): (sentence: GraphSentence) => Promise<GraphInput> {
  const tagged = words === undefined ? undefined : companionReader(io, words, taggedWords);
  const parsed =
    trees === undefined || trees === OWN_TREES ? undefined : companionReader(io, trees, sentenceTree);
  return async (sentence) => {
    const where = `${file}:${sentence.line}`;
    const id = graphId(sentence);
    const own = graphWords(sentence);
    const given = tagged === undefined ? own : withTagsOf(await tagged.next(id), own, where);
    if (parsed === undefined)
      return { words: given, syntax: trees === undefined ? undefined : ownTree(sentence, file) };
    const tree = await parsed.next(id);
    checkForms(tree, given, where, "a tree of this sentence in the other file");
    return { words: given, syntax: { heads: tree.heads, labels: tree.labels } };
  };
}

function taggedWords(sentence: ConlluSentence): { readonly words: Sentence } {
  return { words: sentenceWords(sentence) };
}

/** Returns words with UPOS, XPOS and FEATS of another file; form and lemma are their own. */
function withTagsOf(
  given: (CompanionSentence & { readonly words: Sentence }) | undefined,
  words: Sentence,
  where: string,
): Sentence {
  checkForms(given, words, where, "the words of this sentence in the other file");
  return words.map(({ form, lemma = "" }, i) => {
    const { upos = "", xpos = "", feats = "" } = given.words[i]!;
    return { form, lemma, upos, xpos, feats };
  });
}

function ownTree(sentence: GraphSentence, file: string): DependencyTree {
  if (!isSdp(sentence)) return inSentence(sentence, file, () => sentenceTree(sentence));
  const where = `${file}:${sentence.line}`;
  throw new DataError(`${where}: expected basic trees, with which the model was trained: give --trees`);
}

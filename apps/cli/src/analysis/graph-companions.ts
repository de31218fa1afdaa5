import { sentenceTree, sentenceWords } from "@arcwise/conllu";
import type { DependencyTree, Sentence } from "@arcwise/core";
import type { GraphParseOptions } from "@arcwise/parser";
import { DataError } from "../command/errors.ts";
import type { Io } from "../files/io.ts";
import { type CompanionReader, type CompanionSentence, checkForms, companionReader } from "./companion.ts";
import type { GraphSentence } from "./graph-sentences.ts";

type Syntax = NonNullable<GraphParseOptions["syntax"]>;

/** The words of a sentence, with their tags. */
interface TaggedWords {
  readonly words: Sentence;
}

/** Makes a reader of the trees of a CoNLL-U file. */
export function treeReader(io: Io, path: string): CompanionReader<DependencyTree> {
  return companionReader(io, path, sentenceTree);
}

/** Makes a reader of the words of a CoNLL-U file. */
export function wordReader(io: Io, path: string): CompanionReader<TaggedWords> {
  return companionReader(io, path, (sentence) => ({ words: sentenceWords(sentence) }));
}

/**
 * Returns the tree of a sentence as the parser takes it.
 *
 * @param where the sentence in messages
 * @throws DataError when there is none, or it is the tree of another sentence
 */
export function syntaxOf(
  tree: (CompanionSentence & DependencyTree) | undefined,
  words: Sentence,
  where: string,
): Syntax {
  checkForms(tree, words, where, "a tree of this sentence in --trees");
  return { heads: tree.heads, labels: tree.labels };
}

/** Returns the tree of a sentence, from another file or from its own columns. */
export function syntaxIn(sentence: GraphSentence, other: (() => Syntax) | undefined, where: string): Syntax {
  if (other !== undefined) return other();
  if (sentence.tree !== undefined) return sentence.tree();
  throw new DataError(`${where}: expected basic trees, with which the model was trained: give --trees`);
}

/**
 * Returns the words of a sentence with UPOS, XPOS and FEATS of another file; form and lemma are their own.
 *
 * @param where the sentence in messages
 * @throws DataError when the other file does not have it, or has another sentence there
 */
export function withTagsOf(
  given: (CompanionSentence & TaggedWords) | undefined,
  words: Sentence,
  where: string,
): Sentence {
  checkForms(given, words, where, "the words of this sentence in --words");
  return words.map(({ form, lemma = "" }, i) => {
    const { upos = "", xpos = "", feats = "" } = given.words[i]!;
    return { form, lemma, upos, xpos, feats };
  });
}

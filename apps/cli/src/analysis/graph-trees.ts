import { sentenceTree } from "@arcwise/conllu";
import type { DependencyTree, Sentence } from "@arcwise/core";
import type { GraphParseOptions } from "@arcwise/parser";
import { DataError } from "../command/errors.ts";
import type { Io } from "../files/io.ts";
import { type CompanionReader, type CompanionSentence, checkForms, companionReader } from "./companion.ts";
import type { GraphSentence } from "./graph-sentences.ts";

type Syntax = NonNullable<GraphParseOptions["syntax"]>;

/** The basic tree of a sentence from another file. Plain data, which can be sent to another thread. */
export type SentenceTree = CompanionSentence & DependencyTree;

/** Makes a reader of the trees of a CoNLL-U file. */
export function treeReader(io: Io, path: string): CompanionReader<DependencyTree> {
  return companionReader(io, path, sentenceTree);
}

/**
 * Returns the tree of a sentence as the parser takes it.
 *
 * @param where the sentence in messages
 * @throws DataError when there is none, or it is the tree of another sentence
 */
export function syntaxOf(tree: SentenceTree | undefined, words: Sentence, where: string): Syntax {
  if (tree === undefined)
    throw new DataError(`${where}: expected a tree of this sentence in --trees, found none`);
  checkForms(tree, words, where);
  return { heads: tree.heads, labels: tree.labels };
}

/** Returns the tree of a sentence, from another file or from its own columns. */
export function syntaxIn(sentence: GraphSentence, other: (() => Syntax) | undefined, where: string): Syntax {
  if (other !== undefined) return other();
  if (sentence.tree !== undefined) return sentence.tree();
  throw new DataError(`${where}: expected basic trees, with which the model was trained: give --trees`);
}

import { type ConlluSentence, readConllu, sentenceId, sentenceTree, sentenceWords } from "@arcwise/conllu";
import type { Sentence } from "@arcwise/core";
import type { GraphParseOptions } from "@arcwise/parser";
import { DataError } from "./errors.ts";
import { inSource } from "./in-source.ts";
import { readBytes } from "./input.ts";
import { checkInterrupt } from "./interruption.ts";
import { displayName, type Io } from "./io.ts";

/** The basic tree of a sentence from another file. Plain data, which can be handed to another thread. */
export interface SentenceTree {
  /** Where it stands in its file, as messages have it. */
  readonly place: string;
  readonly forms: readonly string[];
  readonly heads: Int32Array;
  readonly labels: readonly string[];
}

/** Reads the trees of the sentences of another file, in their order. */
export interface TreeReader {
  /**
   * Returns the trees of the next sentences, fewer when the file ends. A sentence with an ID gets the next
   * tree of that ID, and those before it are skipped; one without an ID gets the next tree.
   *
   * @throws ConlluError, DataError, Interrupted
   */
  next(ids: readonly (string | undefined)[]): Promise<SentenceTree[]>;
}

/** Makes a reader of a CoNLL-U file. */
export function treeReader(io: Io, path: string): TreeReader {
  const file = displayName(path);
  const sentences = readConllu(readBytes(io, path), { file });
  const read = () =>
    sentences.next().catch((error: unknown) => {
      throw inSource(error, file);
    });
  return {
    async next(ids) {
      const trees: SentenceTree[] = [];
      for (const id of ids) {
        let found = await read();
        while (!found.done && isOther(found.value, id)) {
          checkInterrupt(io);
          found = await read();
        }
        if (found.done) break;
        trees.push(treeIn(found.value, file));
      }
      return trees;
    },
  };
}

function isOther(sentence: ConlluSentence, id: string | undefined): boolean {
  const own = sentenceId(sentence);
  return id !== undefined && own !== undefined && own !== id;
}

function treeIn(sentence: ConlluSentence, file: string): SentenceTree {
  const id = sentenceId(sentence);
  const place = `${file}:${sentence.line}${id === undefined ? "" : `: sentence ${id}`}`;
  const forms = sentenceWords(sentence).map(({ form }) => form);
  try {
    return { place, forms, ...sentenceTree(sentence) };
  } catch (error) {
    throw inSource(error, file);
  }
}

/**
 * Returns the tree of a sentence as the parser takes it.
 *
 * @param where what the sentence is called in messages
 * @throws DataError when there is none, or it is that of another sentence
 */
export function syntaxOf(
  tree: SentenceTree | undefined,
  words: Sentence,
  where: string,
): NonNullable<GraphParseOptions["syntax"]> {
  if (tree === undefined)
    throw new DataError(`${where}: expected a tree of this sentence in --trees, found none`);
  const { place, forms, heads, labels } = tree;
  if (forms.length !== words.length) {
    throw new DataError(`${place}: expected ${words.length} words as in ${where}, found ${forms.length}`);
  }
  const other = words.findIndex(({ form }, i) => form !== forms[i]);
  if (other < 0) return { heads, labels };
  const [expected, found] = [words[other]!.form, forms[other]].map((form) => JSON.stringify(form));
  throw new DataError(`${place}: word ${other + 1}: expected ${expected} as in ${where}, found ${found}`);
}

import { type ConlluSentence, sentenceCheck, sentenceId, sentenceTree, sentenceWords } from "@arcwise/conllu";
import { checkTree, type DependencyTree, type Sentence } from "@arcwise/core";
import { ArcwiseError, counted, invalidArgument } from "@arcwise/core/errors";
import {
  anything,
  words as areWords,
  checkArgument,
  tree as isTree,
  list,
  optional,
  shaped,
} from "@arcwise/core/options";
import { SentenceMismatch } from "./errors.ts";

/** A sentence with its gold tree and the predicted one. */
export interface TreePair {
  readonly words: Sentence;
  readonly gold: DependencyTree;
  readonly predicted: DependencyTree;
  /** The same words with predicted tags; absent when the tags are given. */
  readonly predictedWords?: Sentence | undefined;
}

const TREEBANK = list(sentenceCheck);

export function requireTreebanks(gold: unknown, system: unknown, where: string): void {
  checkArgument(TREEBANK, gold, `${where}: gold`);
  checkArgument(TREEBANK, system, `${where}: system`);
}

const PAIR = shaped<TreePair>("a pair of trees", {
  words: areWords,
  gold: isTree,
  predicted: isTree,
  predictedWords: optional(areWords),
});
const PAIRS = list(anything);

/** @throws ArcwiseError `invalid-argument` unless a value is a list; `checkPair` checks its pairs */
export function requirePairs(pairs: unknown, where: string): void {
  checkArgument(PAIRS, pairs, `${where}: pairs`);
}

/**
 * Pairs the trees of gold and system sentences, for scores over gold tokens. `words` (with
 * their tags) come from the gold sentences, `predictedWords` from the system; ranges and empty nodes are ignored. O(words).
 *
 * @throws SentenceMismatch when the two do not have the same sentences and forms; `evaluateConllu` handles
 * these
 * @throws ConlluError when heads are missing, out of range or in a cycle
 */
export function treePairs(gold: readonly ConlluSentence[], system: readonly ConlluSentence[]): TreePair[] {
  requireTreebanks(gold, system, "treePairs");
  checkCounts(gold, system);
  return gold.map((sentence, s) => {
    const words = sentenceWords(sentence);
    const predictedWords = sentenceWords(system[s]!);
    checkForms(words, predictedWords, s + 1, sentenceId(sentence));
    return { words, gold: sentenceTree(sentence), predicted: sentenceTree(system[s]!), predictedWords };
  });
}

export function checkCounts(gold: readonly unknown[], system: readonly unknown[]): void {
  if (gold.length === system.length) return;
  const shorter = Math.min(gold.length, system.length);
  throw new SentenceMismatch(
    shorter + 1,
    `expected ${counted(gold.length, "sentence")}, got ${system.length}`,
  );
}

export function checkForms(gold: Sentence, system: Sentence, sentence: number, id: string | undefined): void {
  const name = id === undefined ? "" : ` of "${id}"`;
  for (let i = 0; i < gold.length && i < system.length; i++) {
    const expected = gold[i]!.form;
    const found = system[i]!.form;
    if (expected !== found) {
      throw new SentenceMismatch(sentence, `expected "${expected}" as word ${i + 1}${name}, got "${found}"`);
    }
  }
  if (gold.length !== system.length) {
    throw new SentenceMismatch(
      sentence,
      `expected ${counted(gold.length, "word")}${name}, got ${system.length}`,
    );
  }
}

/**
 * @throws ArcwiseError `invalid-argument` when the trees or the predicted words of a pair do not fit its words, or the trees are
 * not trees (several roots are allowed)
 */
export function checkPair(pair: TreePair, index: number): void {
  checkArgument(PAIR, pair, `pair ${index}`);
  const { words, gold, predicted, predictedWords } = pair;
  checkOne(gold, "gold", words.length, index);
  checkOne(predicted, "predicted", words.length, index);
  if (predictedWords !== undefined && predictedWords.length !== words.length) {
    const got = predictedWords.length;
    throw invalidArgument(`pair ${index}`, `${words.length} predicted words`, String(got));
  }
}

function checkOne({ heads, labels }: DependencyTree, side: string, n: number, index: number): void {
  if (heads.length !== n + 1 || labels.length !== n + 1) {
    const got = `${heads.length} and ${labels.length}`;
    throw invalidArgument(`pair ${index}, ${side}`, `${counted(n + 1, "head")} and labels`, got);
  }
  const fault = checkTree(heads, { singleRoot: false });
  if (fault !== undefined)
    throw new ArcwiseError("invalid-argument", `pair ${index}, ${side}: ${fault}`, { at: side });
}

import { type ConlluSentence, sentenceTree, sentenceWords } from "@arcwise/conllu";
import type { TrainingProgress } from "@arcwise/core/training";
import type { TrainingExample } from "@arcwise/parser";
import type { jackknifeTags } from "@arcwise/sequence";
import { DataError, Interrupted } from "../command/errors.ts";
import { displayName, type Io } from "../files/io.ts";
import { mapSentences, requireSome } from "../files/sentences.ts";

/** Options of jackknifed tags. */
export interface JackknifeArguments {
  /** Number of parts; 0: the tags of the treebank. */
  readonly jackknife: number;
  readonly seed?: number | undefined;
  readonly jackknifeTags: typeof jackknifeTags;
  readonly onProgress: (progress: TrainingProgress) => void;
  /** The file of the sentences, for messages. */
  readonly train: string;
}

/** Reads the sentences of a treebank with their trees. @throws DataError when there are none */
export function readTreebank(io: Io, path: string): Promise<TrainingExample[]> {
  return readExamples(io, path, (sentence) => ({
    sentence: sentenceWords(sentence),
    tree: sentenceTree(sentence),
  }));
}

/** Reads what a training learns from the sentences of a CoNLL-U file. @throws DataError when there are none */
export async function readExamples<Example>(
  io: Io,
  path: string,
  take: (sentence: ConlluSentence) => Example,
): Promise<Example[]> {
  const examples = await mapSentences(io, path, take);
  requireSome(examples, path, "to learn from");
  return examples;
}

/** Returns the training sentences with jackknifed tags, unless `jackknife` is 0. */
export async function jackknifed(
  io: Io,
  examples: TrainingExample[],
  { jackknife: parts, seed, jackknifeTags: tag, train: path, onProgress }: JackknifeArguments,
): Promise<TrainingExample[]> {
  if (parts === 0) return examples;
  if (parts > examples.length) {
    throw new DataError(
      `${displayName(path)}: expected at least ${parts} sentences to cut into ${parts} parts`,
    );
  }
  const sentences = examples.map(({ sentence }) => sentence);
  try {
    const tagged = await tag(sentences, { parts, seed, signal: io.signal, onProgress });
    return tagged.map((sentence, index) => ({ sentence, tree: examples[index]!.tree }));
  } catch (error) {
    throw io.signal.aborted ? new Interrupted("stopped before training began: nothing is kept") : error;
  }
}

/** Describes the size of a treebank. */
export function count(examples: readonly Pick<TrainingExample, "sentence">[]): string {
  const words = examples.reduce((sum, { sentence }) => sum + sentence.length, 0);
  return `${examples.length} sentences (${words} words)`;
}

import { basename } from "node:path";
import {
  ConlluError,
  type ConlluSentence,
  partialTree,
  RULES,
  sentenceTree,
  sentenceWords,
} from "@arcwise/conllu";
import { counted } from "@arcwise/core/errors";
import type { TrainingProgress } from "@arcwise/core/training";
import type { Place } from "@arcwise/jobs";
import type { TrainingExample } from "@arcwise/parser";
import { joinTreebanks, type Treebank, treebanksOf } from "@arcwise/pipeline";
import { jackknifeTags } from "@arcwise/sequence";
import { DataError, Interrupted } from "../errors.ts";
import { displayName, type Io } from "../files/io.ts";
import { mapSentences, requireSome } from "../files/sentences.ts";
import type { TrainingSettings } from "../settings/train-settings.ts";

/** Options of jackknifed tags. */
export interface JackknifeArguments {
  /** Number of parts; 0: the tags of the treebank. */
  readonly jackknife: number;
  readonly seed?: number | undefined;
  readonly place: Place;
  readonly onProgress: (progress: TrainingProgress) => void;
  /** The files of the sentences, for messages. */
  readonly train: string;
}

/** Reads the sentences of a treebank with their trees. */
export function readTreebank(io: Io, path: string): Promise<TrainingExample[]> {
  return readExamples(io, path, (sentence) => exampleOf(sentence));
}

/** How the treebanks of a training are read. */
export interface TreebankOptions {
  readonly weights?: readonly number[] | undefined;
  /** Whether words may lack heads; undefined: they may not, and no setting allows it. */
  readonly partial?: boolean | undefined;
}

/** Reads the treebanks of a training, in the order of their files. */
export async function readFiles(
  io: Io,
  files: readonly string[],
  { weights, partial }: TreebankOptions = {},
): Promise<Treebank[]> {
  const treebanks: Treebank[] = [];
  for (const [t, path] of files.entries()) {
    const sentences = await readTrees(io, path, partial);
    treebanks.push({ name: nameOf(path), sentences, weight: weights?.[t] });
  }
  return treebanks;
}

/** Returns the name of a treebank: the name of its file, without the ending. */
function nameOf(path: string): string {
  return basename(displayName(path)).replace(/\.conllu(?:\.gz)?$/, "");
}

/** Returns the names of files in messages. */
export function namesOf(files: readonly string[]): string {
  return files.map(displayName).join(", ");
}

function readTrees(io: Io, path: string, partial: boolean | undefined): Promise<ConlluSentence[]> {
  return readExamples(io, path, (sentence) => {
    exampleOf(sentence, partial);
    return sentence;
  });
}

/** Reads the sentences of several treebanks, mixed as `trainPipeline` does, with their trees. */
export async function readTreebanks(
  io: Io,
  files: readonly string[],
  { document: { seed = 1, variation = 0, weights, partial = false } }: Pick<TrainingSettings, "document">,
): Promise<TrainingExample[]> {
  const treebanks = treebanksOf(await readFiles(io, files, { weights, partial }), "--train");
  return joinTreebanks(treebanks, { seed, variation }).map((sentence) => exampleOf(sentence, partial));
}

/** @param partial whether words may lack heads; undefined: they may not, and no setting allows it */
function exampleOf(sentence: ConlluSentence, partial?: boolean): TrainingExample {
  try {
    const tree = partial === true ? partialTree(sentence) : sentenceTree(sentence);
    return { sentence: sentenceWords(sentence), tree };
  } catch (error) {
    if (partial === undefined || !(error instanceof ConlluError) || error.rule !== "invalid-head")
      throw error;
    const { line, rule, expected, found } = error;
    const advice = `${expected}, or the setting partial=true for words that are not annotated`;
    const { says } = RULES[rule];
    throw new ConlluError({ line, sentence: error.sentence, rule, says, expected: advice, found });
  }
}

/** Reads what a training learns from the sentences of a CoNLL-U file. */
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
  { jackknife: parts, seed, place, train: path, onProgress }: JackknifeArguments,
): Promise<TrainingExample[]> {
  if (parts === 0) return examples;
  if (parts > examples.length) {
    throw new DataError(`${path}: expected at least ${parts} sentences to cut into ${parts} parts`);
  }
  const sentences = examples.map(({ sentence }) => sentence);
  try {
    const tagged = await jackknifeTags(sentences, { parts, seed, place, signal: io.signal, onProgress });
    return tagged.map((sentence, index) => ({ sentence, tree: examples[index]!.tree }));
  } catch (error) {
    throw io.signal.aborted ? new Interrupted("stopped before training began: nothing is kept") : error;
  }
}

/** Describes the size of a treebank. */
export function count(examples: readonly Pick<TrainingExample, "sentence">[]): string {
  const words = examples.reduce((sum, { sentence }) => sum + sentence.length, 0);
  return `${counted(examples.length, "sentence")} (${counted(words, "word")})`;
}

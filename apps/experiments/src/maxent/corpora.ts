import { join } from "node:path";
import { dataFolder, readSplit, type Split } from "@arcwise/bench/data";
import { random } from "@arcwise/core";
import type { LabelledSentence as Sequence } from "@arcwise/sequence";
import { readColumns, readTagged } from "../sequences/data.ts";

/** A sentence with gold labels, its words and, where they are given, their tags. */
export interface LabelledSentence extends Sequence {
  readonly words: readonly string[];
  readonly tags: readonly string[];
}

export interface LabelledCorpus {
  readonly train: readonly LabelledSentence[];
  /** Development sentences, where the corpus has some. */
  readonly dev?: readonly LabelledSentence[] | undefined;
  readonly test: readonly LabelledSentence[];
}

export type CorpusName = "brown" | "conll2000" | "ewt";
export const CORPORA: readonly CorpusName[] = ["brown", "conll2000", "ewt"];

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Reads a corpus from the data folder: the tagged Brown corpus with a random fifth of its sentences for
 * testing, the chunks of CoNLL-2000 with its own split, or the tags of the Penn Treebank in UD_English-EWT
 * with its three splits.
 */
export function readCorpus(name: CorpusName, env: Env, seed: number): LabelledCorpus {
  if (name === "ewt") return readTreebank(join(dataFolder(env), "treebanks", "UD_English-EWT"));
  const data = dataFolder(env);
  if (name === "brown") return split(readTagged(data, "sequence/brown.tagged.txt").map(withoutMarks), seed);
  const read = (part: string) => readColumns(data, `sequence/conll2000/${part}.txt`).map(labelled);
  return { train: read("train"), test: read("test") };
}

/** Reads a treebank, with the language-specific tags as labels. */
function readTreebank(folder: string): LabelledCorpus {
  const read = (part: Split): LabelledSentence[] =>
    readSplit(folder, part).map(({ sentence }) =>
      labelled({
        sentence: sentence.map(({ form }) => ({ form })),
        labels: sentence.map(({ xpos }) => xpos ?? ""),
      }),
    );
  return { train: read("train"), dev: read("dev"), test: read("test") };
}

/** Returns a sentence with its words and tags as lists. */
export function labelled({ sentence, labels }: Sequence): LabelledSentence {
  const words = sentence.map(({ form }) => form);
  return { sentence, words, tags: sentence.flatMap(({ xpos }) => xpos ?? []), labels };
}

/** Returns tags of the Brown corpus without the marks for titles, headlines, cited and foreign words. */
function withoutMarks({ sentence, labels }: Sequence): LabelledSentence {
  const plain = labels.map((tag) => tag.replace(/^fw-/, "").replace(/-(tl|hl|nc)/g, ""));
  return labelled({ sentence, labels: plain });
}

function split(sentences: LabelledSentence[], seed: number): LabelledCorpus {
  const shuffled = random(seed).shuffle(sentences);
  const rest = Math.floor(shuffled.length / 5);
  return { train: shuffled.slice(rest), test: shuffled.slice(0, rest) };
}

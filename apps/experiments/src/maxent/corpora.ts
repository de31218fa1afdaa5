import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { dataFolder, readSplit, type Split } from "@arcwise/bench/data";
import { DataError } from "@arcwise/cli/command";
import { random } from "@arcwise/core";

/** A sentence with gold labels. */
export interface LabelledSentence {
  readonly words: readonly string[];
  /** Part-of-speech tags, where they are given. */
  readonly tags: readonly string[];
  readonly labels: readonly string[];
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
 *
 * @throws DataError when the file does not exist
 */
export function readCorpus(name: CorpusName, env: Env, seed: number): LabelledCorpus {
  if (name === "ewt") return readTreebank(join(dataFolder(env), "treebanks", "UD_English-EWT"));
  const folder = join(dataFolder(env), "sequence");
  if (name === "brown") return split(readTagged(join(folder, "brown.tagged.txt")), seed);
  const [train, test] = ["train", "test"].map((part) =>
    readColumns(join(folder, "conll2000", `${part}.txt`)),
  );
  return { train: train!, test: test! };
}

/** Reads a treebank, with the language-specific tags as labels. */
function readTreebank(folder: string): LabelledCorpus {
  const read = (part: Split): LabelledSentence[] =>
    readSplit(folder, part).map(({ sentence }) => ({
      words: sentence.map(({ form }) => form),
      tags: [],
      labels: sentence.map(({ xpos }) => xpos ?? ""),
    }));
  return { train: read("train"), dev: read("dev"), test: read("test") };
}

function readText(path: string): string {
  if (!existsSync(path)) throw new DataError(`${path}: no such file; ARCWISE_DATA names the folder of data`);
  return readFileSync(path, "utf8");
}

/** Reads one sentence per line, `word/tag` separated by spaces. */
function readTagged(path: string): LabelledSentence[] {
  const lines = readText(path)
    .split("\n")
    .filter((line) => line.trim() !== "");
  return lines.map((line) => {
    const words: string[] = [];
    const labels: string[] = [];
    for (const token of line.trim().split(/\s+/)) {
      const slash = token.lastIndexOf("/");
      words.push(token.slice(0, slash));
      labels.push(simpleTag(token.slice(slash + 1)));
    }
    return { words, tags: [], labels };
  });
}

/** Returns a tag of the Brown corpus without the marks for titles, headlines, cited and foreign words. */
function simpleTag(tag: string): string {
  return tag.replace(/^fw-/, "").replace(/-(tl|hl|nc)/g, "");
}

/** Reads one word per line: word, tag, label; an empty line after each sentence. */
function readColumns(path: string): LabelledSentence[] {
  const blocks = readText(path)
    .trim()
    .split(/\n\s*\n/);
  return blocks.map((block) => {
    const rows = block.split("\n").map((line) => line.split(" "));
    return {
      words: rows.map((row) => row[0]!),
      tags: rows.map((row) => row[1]!),
      labels: rows.map((row) => row[2]!),
    };
  });
}

function split(sentences: LabelledSentence[], seed: number): LabelledCorpus {
  const shuffled = random(seed).shuffle([...sentences]);
  const rest = Math.floor(shuffled.length / 5);
  return { train: shuffled.slice(rest), test: shuffled.slice(0, rest) };
}

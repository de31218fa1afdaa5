import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readSplit } from "@arcwise/bench/data";
import { DataError } from "@arcwise/cli/command";
import type { LabelledSentence } from "@arcwise/sequence";

/** Training, development and test sentences of a task. */
export interface SequenceData {
  readonly train: readonly LabelledSentence[];
  /** Development sentences, not part of `train`. */
  readonly dev: readonly LabelledSentence[];
  readonly test: readonly LabelledSentence[];
}

function text(folder: string, path: string): string {
  const file = join(folder, path);
  if (!existsSync(file)) throw new DataError(`${file}: no such file; ARCWISE_DATA names the folder of data`);
  return readFileSync(file, "utf8");
}

/** Reads a file with a word, its tag and its label on each line, and blank lines between sentences. */
export function readColumns(folder: string, path: string): LabelledSentence[] {
  const sentences: LabelledSentence[] = [];
  let sentence: { form: string; xpos: string }[] = [];
  let labels: string[] = [];
  const lines = text(folder, path).split("\n");
  for (const [k, line] of [...lines, ""].entries()) {
    const [form, xpos, label, ...more] = line.trim().split(/\s+/);
    if (form === "" || form === undefined) {
      if (labels.length > 0) sentences.push({ sentence, labels });
      sentence = [];
      labels = [];
      continue;
    }
    if (xpos === undefined || label === undefined || more.length > 0) {
      throw new DataError(
        `${path}:${k + 1}: expected a word, a tag and a label, found ${JSON.stringify(line)}`,
      );
    }
    sentence.push({ form, xpos });
    labels.push(label);
  }
  return sentences;
}

/** Reads a file with a sentence per line, each word followed by a slash and its tag. */
export function readTagged(folder: string, path: string): LabelledSentence[] {
  const sentences: LabelledSentence[] = [];
  for (const line of text(folder, path).split("\n")) {
    const words = line
      .trim()
      .split(/\s+/)
      .filter((word) => word !== "");
    if (words.length === 0) continue;
    const cut = words.map((word) => word.lastIndexOf("/"));
    sentences.push({
      sentence: words.map((word, i) => ({ form: word.slice(0, cut[i]) })),
      labels: words.map((word, i) => word.slice(cut[i]! + 1)),
    });
  }
  return sentences;
}

/** Returns CoNLL-2000, with the last tenth of the training file held out for development. */
export function chunkingData(folder: string): SequenceData {
  const all = readColumns(folder, "sequence/conll2000/train.txt");
  const cut = Math.floor(0.9 * all.length);
  return {
    train: all.slice(0, cut),
    dev: all.slice(cut),
    test: readColumns(folder, "sequence/conll2000/test.txt"),
  };
}

/** Returns CoNLL-2002, Spanish. */
export function namesData(folder: string): SequenceData {
  const read = (name: string) => readColumns(folder, `sequence/conll2002/${name}`);
  return { train: read("esp.train"), dev: read("esp.testa"), test: read("esp.testb") };
}

/** Returns the universal tags of UD English EWT. */
export function taggingData(folder: string): SequenceData {
  const read = (split: "train" | "dev" | "test") =>
    readSplit(join(folder, "treebanks", "UD_English-EWT"), split).map(({ sentence }) => ({
      sentence: sentence.map(({ form }) => ({ form })),
      labels: sentence.map(({ upos = "" }) => upos),
    }));
  return { train: read("train"), dev: read("dev"), test: read("test") };
}

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { DataError } from "@arcwise/cli/command";
import { type ConlluSentence, parseConllu, sentenceTree, sentenceWords } from "@arcwise/conllu";
import type { TrainingExample } from "@arcwise/parser";

export type Split = "train" | "dev" | "test";

/** Path of the repository, from src and from dist. */
export const REPOSITORY = fileURLToPath(new URL("../../../../", import.meta.url));
/** Path of the bundled treebank. */
export const SAMPLE = fileURLToPath(new URL("../../sample", import.meta.url));

/** Path of the sentences of UD_English-EWT, which have a licence of their own. */
export const EWT = fileURLToPath(new URL("../../ewt", import.meta.url));
/** Path of the model of English, which has not been trained on these sentences. */
export const ENGLISH = join(REPOSITORY, "packages", "english", "english.model");

/**
 * Reads a split of a treebank: the file of the folder whose name ends with `SPLIT.conllu`.
 *
 * @throws DataError unless there is exactly one such file
 * @throws ConlluError when the file is not valid CoNLL-U or lacks trees
 */
export function readSplit(folder: string, split: Split): TrainingExample[] {
  return readSentences(folder, split).map((sentence) => ({
    sentence: sentenceWords(sentence),
    tree: sentenceTree(sentence),
  }));
}

/** Reads the sentences of a split with all their columns. Throws as `readSplit`. */
export function readSentences(folder: string, split: Split): ConlluSentence[] {
  const path = join(folder, splitFile(folder, split));
  return parseConllu(readFileSync(path, "utf8"), { file: path });
}

function splitFile(folder: string, split: Split): string {
  if (!existsSync(folder)) throw new DataError(`${folder}: no such folder`);
  const files = readdirSync(folder).filter((name) => name.endsWith(`${split}.conllu`));
  if (files.length === 1) return files[0]!;
  throw new DataError(
    `${folder}: expected one file *${split}.conllu, got ${files.length === 0 ? "none" : files.join(", ")}`,
  );
}

/** Returns at most `count` items, evenly spaced, in their order. */
export function spreadEvenly<T>(items: readonly T[], count: number): T[] {
  const size = Math.min(count, items.length);
  return Array.from({ length: size }, (_, i) => items[Math.floor(((i + 0.5) * items.length) / size)]!);
}

/**
 * Checks that folders are treebanks with these splits, before anything runs.
 *
 * @throws DataError that names the folders that are not treebanks
 */
export function checkTreebanks(folders: readonly string[], splits: readonly Split[]): void {
  const faults = folders.flatMap((folder) => {
    try {
      for (const split of splits) splitFile(folder, split);
      return [];
    } catch (error) {
      if (!(error instanceof DataError)) throw error;
      return [error.message];
    }
  });
  if (faults.length > 0) throw new DataError(faults.join("; "));
}

/** Returns names, sizes and times of change of the files of treebanks, which tell versions apart. */
export function treebanksStamp(folders: readonly string[]): unknown[] {
  return folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".conllu"))
      .sort()
      .map((name) => fileStamp(join(folder, name))),
  );
}

/** Returns the path of a file, its size and its time of change. */
export function fileStamp(path: string): unknown[] {
  const { size, mtimeMs } = statSync(path);
  return [resolve(path), size, mtimeMs];
}

/**
 * Checks that files exist and can be read, before anything runs.
 *
 * @throws DataError that names every file that cannot
 */
export function checkFiles(paths: readonly string[]): void {
  const faults = paths.flatMap((path) => {
    if (!existsSync(path)) return [`${path}: no such file`];
    return statSync(path).isDirectory() ? [`${path}: is a folder, expected a file`] : [];
  });
  if (faults.length > 0) throw new DataError(faults.join("; "));
}

/** Returns the name of a treebank: the name of its folder. */
export function treebankName(folder: string): string {
  return basename(resolve(folder));
}

/** Returns the folder of data outside of the repository: ARCWISE_DATA, or `shared` next to the repository. */
export function dataFolder(env: Readonly<Record<string, string | undefined>>): string {
  return env.ARCWISE_DATA ?? join(REPOSITORY, "..", "shared");
}

/** Returns the treebanks in the data folder; none when it is absent. */
export function knownTreebanks(env: Readonly<Record<string, string | undefined>>): string[] {
  const folder = join(dataFolder(env), "treebanks");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name));
}

/** Returns the bytes of the training split of a treebank. */
export function trainingSize(folder: string): number {
  return statSync(join(folder, splitFile(folder, "train"))).size;
}

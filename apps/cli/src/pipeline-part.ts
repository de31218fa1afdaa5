import { readFile } from "node:fs/promises";
import { firstContainer, ModelError, readBundle, readContainerHeader } from "@arcwise/core/container";
import { inFile } from "./errors.ts";

/** A part of a pipeline file that the commands load. */
export type Part = "tokenizer" | "tagger" | "parser" | "graphs";

/** Kinds of files, as messages call them. */
const NAMES: Readonly<Record<string, string>> = {
  tokenizer: "a tokeniser",
  tagger: "a tagger",
  parser: "a parser",
  model: "a parser",
  graphs: "a parser of graphs",
  "graph model": "a parser of graphs",
};

/** What to do when a model lacks a part. */
const ADVICE: Readonly<Record<Part, string>> = {
  tokenizer: "; train --for text makes one, or give words: --input vertical or conllu",
  tagger: "; train --for text makes one",
  parser: "",
  graphs: "; graph train makes one",
};

/**
 * Reads a model file: of a pipeline file the part that is asked for, of others the whole.
 *
 * @throws ModelError that names the file when a pipeline is damaged, the file lacks the part or is of another
 *   kind, or a file error
 */
export async function readPart(path: string, part: Part): Promise<Uint8Array> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw inFile(error, path);
  });
  return namingFile(path, () => {
    if (isBundle(bytes)) {
      const found = readBundle(bytes, "pipeline", () => {}).parts[part];
      if (found === undefined)
        throw new ModelError(`expected a model with ${NAMES[part]}, found one without`);
      return found;
    }
    const kind = kindOf(bytes);
    if (kind === undefined || NAMES[kind] === NAMES[part]) return bytes;
    const found = NAMES[kind] ?? `a ${kind} file`;
    throw new ModelError(`expected a model with ${NAMES[part]}, found ${found}${ADVICE[part]}`);
  });
}

/** Returns the kind of a file; undefined for other files, which those who load them refuse. */
export function kindOf(bytes: Uint8Array): string | undefined {
  try {
    return readContainerHeader(firstContainer(bytes)).kind;
  } catch {
    return undefined;
  }
}

/** Returns whether a file is a pipeline with a part; false as well when it cannot be read. */
export async function hasPart(path: string, part: Part): Promise<boolean> {
  return readPart(path, part).then(
    () => true,
    () => false,
  );
}

/** Returns whether a file holds several parts. */
export function isBundle(bytes: Uint8Array): boolean {
  return firstContainer(bytes).length < bytes.length;
}

/** Calls a function; names the file in a ModelError that it throws. */
export function namingFile<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ModelError) throw new ModelError(`${path}: ${error.message}`, { cause: error });
    throw error;
  }
}

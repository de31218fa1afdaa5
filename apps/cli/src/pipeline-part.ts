import { readFile } from "node:fs/promises";
import { firstContainer, ModelError, readBundle } from "@arcwise/core/container";
import { inFile } from "./errors.ts";

/**
 * Reads a model file: of a pipeline file the part that is asked for, of others the whole.
 *
 * @throws ModelError that names the file when a pipeline is damaged or lacks the part, or a file error
 */
export async function readPart(path: string, part: "tokenizer" | "tagger" | "parser"): Promise<Uint8Array> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw inFile(error, path);
  });
  if (!isBundle(bytes)) return bytes;
  return namingFile(path, () => {
    const found = readBundle(bytes, "pipeline", () => {}).parts[part];
    if (found === undefined) throw new ModelError(`expected a pipeline with a ${part}, found one without`);
    return found;
  });
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

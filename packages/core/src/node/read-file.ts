import { readFile } from "node:fs/promises";
import { ModelError } from "../container/model-error.ts";
import { namedError } from "./replacement.ts";

/**
 * Reads a file with a function that loads its bytes.
 *
 * @throws ModelError that names the file when the bytes are not what the function loads
 */
export async function readFileAs<T>(path: string, load: (bytes: Uint8Array) => T): Promise<T> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw namedError(error, path);
  });
  try {
    return load(bytes);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const { message, at, expected, found } = error;
    throw new ModelError(`${path}: ${message}`, { file: path, at, expected, found, cause: error });
  }
}

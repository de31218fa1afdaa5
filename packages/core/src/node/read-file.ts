import { type FileHandle, open, stat } from "node:fs/promises";
import { beginsContainer } from "../container/container.ts";
import { ModelError } from "../container/model-error.ts";
import { checkArgument, path as isPath } from "../options/index.ts";
import { namedError } from "./replacement.ts";

/** Number of bytes from which a file is recognised as none of Arcwise. */
const BEGINNING = 64;

/**
 * Reads a model with a function that loads its bytes. If the file is not a model, reads only its beginning.
 *
 * @throws ModelError that names the file when the bytes are not what the function loads
 */
export async function readFileAs<T>(path: string, load: (bytes: Uint8Array) => T): Promise<T> {
  return loadAs(path, await readModelBytes(path), load);
}

/** Returns the bytes of a model file, for `loadAs`; only the first ones if the file is not a model. */
export async function readModelBytes(path: string): Promise<Uint8Array> {
  checkArgument(isPath, path, "path");
  try {
    const file = await open(path);
    return await modelBytes(file).finally(() => file.close());
  } catch (error) {
    throw namedError(error, path);
  }
}

/** Loads the bytes of a model file. @throws ModelError that names the file */
export function loadAs<T>(path: string, bytes: Uint8Array, load: (bytes: Uint8Array) => T): T {
  try {
    return load(bytes);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const { message, at, expected, found } = error;
    throw new ModelError(`${path}: ${message}`, { file: path, at, expected, found, cause: error });
  }
}

/** Returns the bytes of a file; only the first ones when they are not a model file. */
async function modelBytes(file: FileHandle): Promise<Uint8Array> {
  // The beginning of a pipe cannot be read twice.
  if (!(await file.stat()).isFile()) return file.readFile();
  const beginning = await beginningOf(file);
  return beginsContainer(beginning) ? file.readFile() : beginning;
}

async function beginningOf(file: FileHandle): Promise<Uint8Array> {
  const { buffer, bytesRead } = await file.read(new Uint8Array(BEGINNING), 0, BEGINNING, 0);
  return buffer.subarray(0, bytesRead);
}

/** Returns whether a regular file begins as model files do; false if it cannot be read. */
export async function isModelFile(path: string): Promise<boolean> {
  // A pipe would wait for its writer when it is opened.
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true) return false;
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return false;
  return beginningOf(file)
    .then(beginsContainer, () => false)
    .finally(() => file.close());
}

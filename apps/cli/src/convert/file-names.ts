import { stat } from "node:fs/promises";
import { endingOf } from "../analysis/output-format.ts";
import type { WrittenFormat } from "./write.ts";

/** Maximum number of characters of the ID of a sentence in the name of its file. */
const NAME_LENGTH = 100;

/** Returns whether an output is a folder: a path that ends with a slash, or an existing folder. */
export async function isFolder(path: string): Promise<boolean> {
  if (/[/\\]$/.test(path)) return true;
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/**
 * Returns a function that names the file of each sentence: by its ID, or by its number from 1 if it does not have an
 * ID, and by the ending of the format.
 */
export function fileNames(format: WrittenFormat): (id: string | undefined) => string {
  const names = new Set<string>();
  return (id) => `${newName(id, names)}.${endingOf(format)}`;
}

/** Returns a name that no earlier sentence has, also if letters of both cases are the same, and adds it. */
function newName(id: string | undefined, names: Set<string>): string {
  const plain = (id ?? "").replaceAll(/[^\p{L}\p{M}\p{N}._-]+/gu, "-").replace(/^[.-]+/, "");
  const name = plain.slice(0, NAME_LENGTH) || `${names.size + 1}`;
  let unique = name;
  for (let k = 2; names.has(unique.toLowerCase()); k++) unique = `${name}-${k}`;
  names.add(unique.toLowerCase());
  return unique;
}

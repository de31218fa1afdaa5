import { readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { nearest } from "../options/suggest.ts";

/**
 * Returns the path of an existing file or folder whose name is similar to the name in a path that does not exist;
 * undefined if there is none. The first part of the path that does not exist is replaced: `otu/a.txt` gives `out`.
 * Reads one folder.
 */
function similarPath(path: string): string | undefined {
  let missing = resolve(path);
  for (let folder = dirname(missing); folder !== missing; folder = dirname(missing)) {
    const names = namesIn(folder);
    if (names !== undefined) {
      const written = relative(folder, missing);
      const name = names.includes(written) ? undefined : nearest(written, names);
      return name === undefined ? undefined : shown(path, join(folder, name));
    }
    missing = folder;
  }
  return undefined;
}

/** The names in a folder without hidden ones; undefined if the folder cannot be read. */
function namesIn(folder: string): string[] | undefined {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith("."));
  } catch {
    return undefined;
  }
}

/** A found path as `path` was written: absolute, or from the working folder. */
function shown(path: string, found: string): string {
  return path === resolve(path) ? found : relative(".", found);
}

/** ` (did you mean "PATH"?)`, or nothing if no existing path is near. */
export function pathSuggestion(path: string): string {
  const found = similarPath(path);
  return found === undefined ? "" : ` (did you mean "${found}"?)`;
}

import { stat } from "node:fs/promises";
import { endingOf } from "../analysis/format-of-output.ts";
import type { PlannedFile } from "../files/file-plan.ts";
import { planFolder } from "../files/folder.ts";
import type { Io } from "../files/io.ts";
import { writeOutput } from "../files/output.ts";
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

/** Writes sentences as files of their own. */
export interface FolderOutput {
  /**
   * Writes the file of the next sentence, completely or not at all.
   *
   * @throws UsageError when it would replace an input, DataError when it cannot be written
   */
  write(id: string | undefined, text: string): Promise<void>;
  /** Number of files that were written. */
  count(): number;
}

/**
 * Returns an output with a file per sentence in a folder, which is made if it does not exist. A file is named by the ID
 * of the sentence, or by its number from 1 if it does not have an ID, and by the ending of the format.
 */
export function folderOutput(
  io: Io,
  folder: string,
  { format, inputs }: { readonly format: WrittenFormat; readonly inputs: readonly PlannedFile[] },
): FolderOutput {
  const names = new Set<string>();
  return {
    write: async (id, text) => {
      const name = `${newName(id, names)}.${endingOf(format)}`;
      const { outputs } = await planFolder(io, { inputs, folder, names: [name] });
      await writeOutput(io, outputs[name]!, text);
    },
    count: () => names.size,
  };
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

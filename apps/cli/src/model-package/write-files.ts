import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beginReplacement, type Replacement, temporaryFor } from "@arcwise/core/node";
import { inFile } from "../command/errors.ts";
import type { Io } from "../files/io.ts";

/**
 * Writes the files of a folder, all or none: under temporary names, which become theirs when all are written.
 *
 * @param files the contents by their paths in the folder
 * @throws DataError when a file cannot be written; files that were there stay as they are
 */
export async function writeFiles(
  io: Io,
  folder: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  const paths = Object.keys(files).map((name) => join(folder, name));
  const folders: string[] = [];
  const begun: Replacement[] = [];
  let path = folder;
  try {
    for (path of paths) {
      const made = await mkdir(dirname(path), { recursive: true });
      if (made !== undefined) folders.push(made);
    }
    io.onOutputs?.({ temporaries: await Promise.all(paths.map(temporaryFor)) });
    for (const [i, content] of Object.values(files).entries()) {
      path = paths[i]!;
      const replacement = await beginReplacement(path);
      begun.push(replacement);
      await replacement.file.writeFile(content);
    }
    for (const [i, replacement] of begun.entries()) {
      path = paths[i]!;
      await replacement.keep();
    }
  } catch (error) {
    for (const replacement of begun) await replacement.abandon();
    for (const made of folders) await rm(made, { recursive: true, force: true });
    throw inFile(error, path);
  }
}

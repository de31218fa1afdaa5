import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beginReplacement, type Replacement } from "@arcwise/core/node";
import { inFile } from "../errors.ts";
import { type PlannedFile, type PlannedOutput, planFiles } from "./file-plan.ts";
import type { Io } from "./io.ts";

/** Files to write into a folder. */
export interface PlannedFolder<Name extends string> {
  readonly outputs: Readonly<Record<Name, PlannedOutput>>;
  /** Removes the folders that were made for them. */
  abandon(): Promise<void>;
}

/**
 * Makes the folder of `--output` or `--out` and plans files in it.
 *
 * @param names paths in the folder
 * @throws DataError when a folder or file cannot be made, UsageError as `planFiles`; then no new folder is left
 */
export async function planFolder<Name extends string>(
  io: Pick<Io, "onOutputs">,
  { inputs, folder, names }: FolderPlan<Name>,
): Promise<PlannedFolder<Name>> {
  const folders: string[] = [];
  const abandon = async () => {
    for (const made of folders) await rm(made, { recursive: true, force: true });
  };
  let path = folder;
  try {
    for (path of new Set([folder, ...names.map((name) => dirname(join(folder, name)))])) {
      const made = await mkdir(path, { recursive: true });
      if (made !== undefined) folders.push(made);
    }
    const paths = Object.fromEntries(names.map((name) => [name, join(folder, name)]));
    return { outputs: await planFiles(io, { inputs, outputs: paths as Record<Name, string> }), abandon };
  } catch (error) {
    await abandon();
    throw inFile(error, path);
  }
}

/** The files that a command reads, and those that it writes into a folder. */
export interface FolderPlan<Name extends string> {
  readonly inputs: readonly PlannedFile[];
  readonly folder: string;
  readonly names: readonly Name[];
}

/** A file of a folder. */
export interface FolderFile {
  /** Its path in the folder. */
  readonly name: string;
  readonly content: string | Uint8Array;
}

/**
 * Writes files into a folder, all or none: under temporary names, which become theirs when the last is written.
 *
 * @param files of names that differ; may be made one by one
 * @returns their number
 */
export async function writeFolder(
  io: Pick<Io, "onOutputs">,
  { inputs, folder }: Omit<FolderPlan<string>, "names">,
  files: Iterable<FolderFile> | AsyncIterable<FolderFile>,
): Promise<number> {
  const plans: (() => Promise<void>)[] = [];
  const written: Replacement[] = [];
  let path = folder;
  try {
    plans.push((await planFolder(io, { inputs, folder, names: [] })).abandon);
    for await (const { name, content } of files) {
      const { outputs, abandon } = await planFolder(io, { inputs, folder, names: [name] });
      plans.push(abandon);
      ({ path } = outputs[name]!);
      const replacement = await beginReplacement(path);
      written.push(replacement);
      await replacement.file.writeFile(content);
      await replacement.finish();
    }
    for (const replacement of written) await replacement.keep();
    return written.length;
  } catch (error) {
    for (const replacement of written) await replacement.abandon();
    for (const abandon of plans) await abandon();
    throw inFile(error, path);
  }
}

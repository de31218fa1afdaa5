import { constants, type Stats } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { followLinks, temporaryFor } from "@arcwise/core/node";
import { DataError, inFile, UsageError } from "../command/errors.ts";
import type { Io } from "./io.ts";

/** A file of a command, and its name in messages: `--model`, `the input`. */
export interface PlannedFile {
  readonly role: string;
  readonly path: string;
}

/**
 * The files that a command reads and writes. `-` and devices are nobody's own and are left out of the
 * comparison.
 */
export interface FilePlan {
  readonly inputs: readonly PlannedFile[];
  readonly outputs: readonly PlannedFile[];
  /** The output from which a training can be resumed. */
  readonly checkpoint?: string | undefined;
}

/** A named file with its target in the file system. */
interface Located extends PlannedFile {
  /** The path with links followed; it need not exist. */
  readonly target: string;
  readonly stats: Stats | undefined;
}

/** Files of options that were given. */
export function given(files: Readonly<Record<string, string | undefined>>): PlannedFile[] {
  return Object.entries(files).flatMap(([role, path]) => (path === undefined ? [] : [{ role, path }]));
}

/**
 * Makes sure, before anything else runs, that no output takes the place of an input or of another output,
 * whatever links lie between, and that each output can be written.
 *
 * @throws UsageError when two of the files are one
 * @throws DataError when an output is a folder or its folder is missing or not writable
 */
export async function checkFiles(io: Io, { inputs, outputs, checkpoint }: FilePlan): Promise<void> {
  const read = await located(inputs);
  const written = await located(outputs);
  for (const [i, output] of written.entries()) {
    const other = [...read, ...written.slice(0, i)].find((file) => isSame(file, output));
    if (other !== undefined) {
      throw new UsageError(
        `${output.path}: ${output.role} would replace ` +
          `${other.role}${other.path === output.path ? "" : ` ${other.path}`}, which is the same file: ` +
          "name another one",
      );
    }
    await checkWritable(output);
  }
  if (io.onOutputs === undefined) return;
  const temporaries = await Promise.all(written.map(({ path }) => temporaryFor(path)));
  io.onOutputs({ temporaries, checkpoint });
}

/** Whether two paths lead to one regular file. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [a, b] = await located([
    { role: "", path: one },
    { role: "", path: other },
  ]);
  return a !== undefined && b !== undefined && isSame(a, b);
}

async function located(files: readonly PlannedFile[]): Promise<Located[]> {
  const named = files.filter(({ path }) => path !== "-");
  return Promise.all(
    named.map(async (file) => {
      const target = await followLinks(file.path);
      return { ...file, target, stats: await stat(target).catch(() => undefined) };
    }),
  );
}

function isSame(a: Located, b: Located): boolean {
  if (a.stats === undefined || b.stats === undefined) return a.target === b.target;
  return a.stats.isFile() && a.stats.dev === b.stats.dev && a.stats.ino === b.stats.ino;
}

async function checkWritable({ path, target, stats }: Located): Promise<void> {
  if (stats?.isDirectory() || path.endsWith("/")) {
    throw new DataError(`${path}: is a directory, expected a file to write`);
  }
  try {
    // A file is replaced by another one in its folder; devices and pipes are written to.
    if (stats !== undefined) await access(target, constants.W_OK);
    if (stats === undefined || stats.isFile()) {
      // The dot asks whether it is a folder at all.
      await access(`${dirname(target)}/.`, constants.W_OK | constants.X_OK);
    }
  } catch (error) {
    throw inFile(error, path);
  }
}

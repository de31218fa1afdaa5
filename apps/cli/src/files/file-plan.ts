import { constants, type Stats } from "node:fs";
import { access, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { followLinks, temporaryFor } from "@arcwise/core/node";
import { DataError, inFile, UsageError } from "../errors.ts";
import type { Io } from "./io.ts";

/** A file of a command, and its name in messages: `--model`, `the input`. */
export interface PlannedFile {
  readonly role: string;
  readonly path: string;
  /** Whether an output may replace it: an input of which the output keeps everything else. */
  readonly isReplaceable?: boolean | undefined;
}

/** The files that a command reads and writes. `-` and devices are left out of the comparison. */
export interface FilePlan<Role extends string> {
  readonly inputs: readonly PlannedFile[];
  /** The paths of outputs by their names in messages: `{ "--output": "trees.conllu" }`. */
  readonly outputs: Readonly<Record<Role, string>>;
  /** The folder from which a training can be resumed. */
  readonly checkpoint?: string | undefined;
}

/**
 * An output that was compared with all inputs and other outputs. Its private member makes it a type of its own: no
 * other object with a path can be opened.
 */
class CheckedOutput {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** `-` is the standard output. */
  get path(): string {
    return this.#path;
  }
}

/** An output of a command, which only `planFiles` makes. */
export type PlannedOutput = CheckedOutput;

/** The standard output, for commands and results without another output. */
export const STANDARD_OUTPUT: PlannedOutput = new CheckedOutput("-");

/** A named file with its target in the file system. */
interface Located extends PlannedFile {
  /** The path with links followed; it need not exist. */
  readonly target: string;
  readonly stats: Stats | undefined;
}

/** Files of options that were given, one or several of a kind, by their names in messages. */
export function given(
  files: Readonly<Record<string, string | readonly string[] | undefined>>,
): PlannedFile[] {
  return Object.entries(files).flatMap(([role, paths = []]) =>
    [paths].flat().map((path) => ({ role, path })),
  );
}

/**
 * Makes sure, before anything else runs, that no output takes the place of an input or of another output, following
 * links, that the standard input is one input at most, and that each output can be written. The only way to an output
 * that can be opened.
 *
 * @returns the outputs by their names
 * @throws UsageError when two of the files are one
 * @throws DataError when an output is a folder or its folder is missing or not writable
 */
export async function planFiles<Role extends string>(
  io: Pick<Io, "onOutputs">,
  { inputs, outputs, checkpoint }: FilePlan<Role>,
): Promise<Readonly<Record<Role, PlannedOutput>>> {
  checkStandardInput(inputs);
  const paths = Object.entries<string>(outputs);
  const read = await located(inputs.filter(({ isReplaceable }) => isReplaceable !== true));
  const written = await located(paths.map(([role, path]) => ({ role, path })));
  for (const [i, output] of written.entries()) {
    const other = [...read, ...written.slice(0, i)].find((file) => isSame(file, output));
    if (other !== undefined) throw sameFile(output, other);
    await checkWritable(output);
  }
  const temporaries = await Promise.all(written.map(({ path }) => temporaryFor(path)));
  io.onOutputs?.({ temporaries, checkpoint });
  return Object.fromEntries(paths.map(([role, path]) => [role, new CheckedOutput(path)])) as Record<
    Role,
    PlannedOutput
  >;
}

function checkStandardInput(inputs: readonly PlannedFile[]): void {
  const roles = inputs.filter(({ path }) => path === "-").map(({ role }) => role);
  if (roles.length < 2) return;
  throw new UsageError(`expected one standard input (-), found ${roles.length}: ${roles.join(", ")}`);
}

function sameFile(output: Located, other: Located): UsageError {
  const path = other.path === output.path ? "" : ` ${other.path}`;
  return new UsageError(
    `${output.path}: ${output.role} would replace ${other.role}${path}, which is the same file: name another one`,
  );
}

/** Whether two paths lead to one regular file. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [a, b] = await located(given({ "": [one, other] }));
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

/** Returns the files of the folder of an encoder, which no output may replace. */
export async function encoderFiles({
  encoder,
}: {
  readonly encoder?: string | undefined;
}): Promise<PlannedFile[]> {
  if (encoder === undefined) return [];
  const names = await readdir(encoder).catch((): string[] => []);
  return given({ "--encoder": names.map((name) => join(encoder, name)) });
}

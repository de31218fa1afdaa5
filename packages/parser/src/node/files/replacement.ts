import { createHash } from "node:crypto";
import { chmod, chown, readdir, readlink, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

/** A file that is written under a temporary name and then takes the place of another one. */
export interface Replacement {
  /** Where to write: a name beside the target, which no other process uses. */
  readonly temporary: string;
  /** What is replaced: the file that the path names, links followed. */
  readonly target: string;
  /** Gives the written file the permissions of the one that it replaces, and its name. */
  keep(): Promise<void>;
  /** Removes the temporary file. */
  abandon(): Promise<void>;
}

/**
 * Prepares to replace a file or to create one. A link is followed: what it points to is replaced. Temporary
 * files of the same target that processes left behind which ended without removing them are removed.
 *
 * @returns undefined when the path names a device or a pipe, which cannot be replaced and is written to as it
 *   is
 */
export async function beginReplacement(path: string): Promise<Replacement | undefined> {
  const target = await followLinks(path);
  const existing = await stat(target).catch(() => undefined);
  if (existing !== undefined && !existing.isFile()) return undefined;
  const temporary = temporaryName(target);
  await removeLeftovers(target);
  return {
    temporary,
    target,
    keep: async () => {
      if (existing !== undefined) {
        await chmod(temporary, existing.mode & 0o7777);
        // Only the superuser may give files away; others keep what they may.
        await chown(temporary, existing.uid, existing.gid).catch(() => {});
      }
      await rename(temporary, target);
    },
    abandon: () => rm(temporary, { force: true }),
  };
}

/** Writes a file wholly or not at all; devices and pipes directly. */
export async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const replacement = await beginReplacement(path);
  try {
    if (replacement === undefined) return await writeFile(path, bytes);
    await writeFile(replacement.temporary, bytes, { flush: true });
    await replacement.keep();
  } catch (error) {
    await replacement?.abandon();
    throw namedError(error, path);
  }
}

/**
 * Where this process writes a file before it has its name: what remains when the process is ended in between.
 */
export async function temporaryFor(path: string): Promise<string> {
  return temporaryName(await followLinks(path));
}

/**
 * An error of the file system with the path that the caller knows: full disks and directories come without
 * one.
 */
export function namedError(error: unknown, path: string): unknown {
  return error instanceof Error && "code" in error ? Object.assign(error, { path }) : error;
}

/** The file that a path names when all links are followed; it need not exist. */
export async function followLinks(path: string): Promise<string> {
  const whole = await realpath(path).catch(() => undefined);
  if (whole !== undefined) return whole;
  const link = await readlink(path).catch(() => undefined);
  const followed = link === undefined ? path : resolve(dirname(path), link);
  const folder = await realpath(dirname(followed)).catch(() => dirname(followed));
  return join(folder, basename(followed));
}

/** Names of temporary files: `.model.bin.1234.tmp` for `model.bin`, where 1234 is a process. */
const ENDING = /^\.(\d+)\.tmp$/;
/** File systems limit names to 255 bytes. */
const MAX_STEM = 200;

function temporaryStem(target: string): string {
  const name = basename(target);
  if (Buffer.byteLength(name) <= MAX_STEM) return `.${name}`;
  return `.${createHash("sha256").update(name).digest("hex").slice(0, 32)}`;
}

function temporaryName(target: string): string {
  return join(dirname(target), `${temporaryStem(target)}.${process.pid}.tmp`);
}

async function removeLeftovers(target: string): Promise<void> {
  const folder = dirname(target);
  const stem = temporaryStem(target);
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names) {
    const owner = name.startsWith(stem) ? ENDING.exec(name.slice(stem.length))?.[1] : undefined;
    if (owner !== undefined && !isAlive(Number(owner)))
      await rm(join(folder, name), { force: true }).catch(() => {});
  }
}

/** Whether a process of this number runs. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: there is one, of another user.
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

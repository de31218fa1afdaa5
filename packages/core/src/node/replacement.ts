import { createHash } from "node:crypto";
import { chmod, chown, open, readdir, readlink, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { FilePieces } from "../container/pieces.ts";

/** A file that is written under a temporary name and then renamed to its target. */
export interface Replacement {
  /** The path to write: in the folder of the target, with a name that no other process uses. */
  readonly temporary: string;
  /** The file to replace: the path with links followed. */
  readonly target: string;
  /** Gives the written file the permissions of the file that it replaces, and renames it. */
  keep(): Promise<void>;
  /** Removes the temporary file. */
  abandon(): Promise<void>;
}

/**
 * Prepares to replace a file or to create one. Links are followed: their target is replaced. Removes
 * temporary files of the same target whose processes ended without removing them.
 *
 * @returns undefined when the path names a device or a pipe, which cannot be replaced and is written to
 *   directly
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
        // Only the superuser may change the owner; others keep what they may.
        await chown(temporary, existing.uid, existing.gid).catch(() => {});
      }
      await rename(temporary, target);
    },
    abandon: () => rm(temporary, { force: true }),
  };
}

/** Writes a file completely or not at all; writes to devices and pipes directly. */
export async function writeWhole(path: string, content: Uint8Array | FilePieces): Promise<void> {
  const replacement = await beginReplacement(path);
  try {
    if (replacement === undefined) return await writePieces(path, content);
    await writePieces(replacement.temporary, content, { flush: true });
    await replacement.keep();
  } catch (error) {
    await replacement?.abandon();
    throw namedError(error, path);
  }
}

async function writePieces(
  path: string,
  content: Uint8Array | FilePieces,
  { flush = false } = {},
): Promise<void> {
  const file = await open(path, "w");
  try {
    // Each call goes on where the one before ended.
    for (const piece of content instanceof Uint8Array ? [content] : content.pieces()) {
      await file.writeFile(piece);
    }
    if (flush) await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Returns the temporary name of a file in this process; the file is left behind when the process is killed.
 */
export async function temporaryFor(path: string): Promise<string> {
  return temporaryName(await followLinks(path));
}

/** Returns an error of the file system with its path, which errors of full disks and directories lack. */
export function namedError(error: unknown, path: string): unknown {
  return error instanceof Error && "code" in error ? Object.assign(error, { path }) : error;
}

/** Returns the path with all links followed; the file need not exist. */
export async function followLinks(path: string): Promise<string> {
  const whole = await realpath(path).catch(() => undefined);
  if (whole !== undefined) return whole;
  const link = await readlink(path).catch(() => undefined);
  const followed = link === undefined ? path : resolve(dirname(path), link);
  const folder = await realpath(dirname(followed)).catch(() => dirname(followed));
  return join(folder, basename(followed));
}

/** Matches names of temporary files: `.model.bin.1234.tmp` for `model.bin` in process 1234. */
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

/** Whether a process with this number is running. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: there is one, of another user.
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

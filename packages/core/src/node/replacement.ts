import { createHash, randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { type FileHandle, open, readdir, readlink, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { FilePieces } from "../container/pieces.ts";
import { checkArgument, path as isPath } from "../options/index.ts";

/** A file that is written under a temporary name and then renamed to its target. */
export interface Replacement {
  /** The file to write: empty, and open. */
  readonly file: FileHandle;
  /** Gives the written file the permissions of the file that it replaces, and closes it. */
  finish(): Promise<void>;
  /** Finishes the file, unless it is, and gives it its name. */
  keep(): Promise<void>;
  /** Closes the file and removes it. */
  abandon(): Promise<void>;
}

/**
 * Begins to replace a file or to create one. Links are followed: their target is replaced. The temporary file
 * is in the folder of the target; its name cannot be foreseen, and no file or link that exists is opened. At
 * no time has it more permissions than the file that it replaces, or than the umask gives. A device or a pipe
 * cannot be replaced and is written to directly.
 *
 * Removes temporary files of the same target whose processes ended without removing them.
 *
 * @throws the error of the file system, with its path, also when links lead in a circle
 */
export async function beginReplacement(path: string): Promise<Replacement> {
  checkArgument(isPath, path, "path");
  try {
    const target = await followLinks(path);
    const existing = await stat(target).catch(() => undefined);
    if (existing !== undefined && !existing.isFile()) return writtenDirectly(await open(target, "w"));
    await removeLeftovers(target);
    return await replacing(target, existing);
  } catch (error) {
    throw namedError(error, path);
  }
}

function writtenDirectly(file: FileHandle): Replacement {
  const close = () => file.close();
  return { file, finish: close, keep: close, abandon: close };
}

/** Creates a file for writing, and fails if a file or link of this name exists. */
const CREATED = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

async function replacing(target: string, existing: Stats | undefined): Promise<Replacement> {
  const temporary = temporaryName(target);
  const file = await open(temporary, CREATED, existing === undefined ? 0o666 : existing.mode & 0o777);
  let finished: Promise<void> | undefined;
  const finish = async () => {
    if (existing !== undefined) {
      // Only the superuser may change the owner; others keep what they may.
      await file.chown(existing.uid, existing.gid).catch(() => {});
      await file.chmod(existing.mode & 0o7777);
    }
    await file.close();
  };
  const finishOnce = () => (finished ??= finish());
  return {
    file,
    finish: finishOnce,
    keep: async () => {
      await finishOnce();
      await rename(temporary, target);
    },
    abandon: async () => {
      await file.close().catch(() => {});
      await rm(temporary, { force: true });
    },
  };
}

/** Writes a file completely or not at all; writes to devices and pipes directly. */
export async function writeWhole(path: string, content: Uint8Array | FilePieces): Promise<void> {
  const replacement = await beginReplacement(path);
  const { file } = replacement;
  try {
    // Each call resumes where the previous one ended.
    for (const piece of content instanceof Uint8Array ? [content] : content.pieces()) {
      await file.writeFile(piece);
    }
    if ((await file.stat()).isFile()) await file.sync();
    await replacement.keep();
  } catch (error) {
    await replacement.abandon();
    throw namedError(error, path);
  }
}

/**
 * Returns the temporary name of a file in this thread; the file is left behind when the process is killed.
 *
 * @throws the error of the file system when links lead in a circle
 */
export async function temporaryFor(path: string): Promise<string> {
  return temporaryName(await followLinks(path));
}

/** Returns an error of the file system with its path, which errors of full disks and directories lack. */
export function namedError(error: unknown, path: string): unknown {
  return error instanceof Error && "code" in error ? Object.assign(error, { path }) : error;
}

/** The most links that Linux follows. */
const MAX_LINKS = 40;

/**
 * Returns the path with all links followed; the file need not exist.
 *
 * @throws an error with the code ELOOP when links lead in a circle
 */
export async function followLinks(path: string): Promise<string> {
  let followed = path;
  for (let links = 0; links <= MAX_LINKS; links++) {
    const whole = await realpath(followed).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ELOOP") throw namedError(error, path);
    });
    if (whole !== undefined) return whole;
    const folder = await realpath(dirname(followed)).catch(() => dirname(followed));
    const link = await readlink(followed).catch(() => undefined);
    if (link === undefined) return join(folder, basename(followed));
    followed = resolve(folder, link);
  }
  throw Object.assign(new Error("links lead in a circle"), { code: "ELOOP", path });
}

/** Matches the end of the name of a temporary file: `.model.bin.1234.0123456789abcdef.tmp`. */
const ENDING = /^\.(\d+)\.[0-9a-f]{16}\.tmp$/;
/** File systems limit names to 255 bytes. */
const MAX_STEM = 200;
/** A part of temporary names that no other process knows, so that it can plant no link there. */
const SECRET = randomBytes(8).toString("hex");

function temporaryStem(target: string): string {
  const name = basename(target);
  if (Buffer.byteLength(name) <= MAX_STEM) return `.${name}`;
  return `.${createHash("sha256").update(name).digest("hex").slice(0, 32)}`;
}

function temporaryName(target: string): string {
  return join(dirname(target), `${temporaryStem(target)}.${process.pid}.${SECRET}.tmp`);
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

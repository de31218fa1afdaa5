import { mkdir, readdir, readFile, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { ModelError } from "../container/index.ts";
import { checkArgument, path as isPath } from "../options/index.ts";
import type { Checkpoint } from "../training/index.ts";
import { writeWhole } from "./replacement.ts";

/** Matches the names of files with a state, and of their temporary files. */
const STATE = /^([^.].*)\.state$/;
const TEMPORARY = /^\..+\.state\.\d+\.[0-9a-f]+\.tmp$/;

/** A checkpoint in the files of a folder. */
export interface CheckpointFolder extends Checkpoint {
  readonly path: string;
  /** Returns the names of the states. @throws ModelError if a file is in place of the folder */
  names(): Promise<string[]>;
  /** Removes temporary files, and the folder if it is empty. No state may be being written. */
  tidy(): Promise<void>;
  /** Removes all states, temporary files, and the folder if it is empty then. */
  remove(): Promise<void>;
}

/**
 * Returns the checkpoint of a training in a folder, which the first state creates. A state replaces the one before it
 * atomically: whenever the process ends, even by a loss of power, there is one of the two.
 *
 * @throws ArcwiseError `invalid-argument` unless `path` is a path
 * @throws from `read` and `names`, ModelError `invalid-model` if a file is in place of the folder
 *
 * @example
 * const checkpoint = checkpointFolder("my.model.checkpoint");
 * const model = await trainPipeline(treebank, { checkpoint }); // again: resumes
 * await checkpoint.remove();
 */
export function checkpointFolder(path: string): CheckpointFolder {
  checkArgument(isPath, path, "checkpointFolder: path");
  const fileOf = (name: string) => join(path, `${name}.state`);
  const entries = () => readdir(path).catch((error: unknown) => missing(error, path) ?? []);
  const removeAll = async (...kinds: readonly RegExp[]) => {
    for (const entry of await entries())
      if (kinds.some((kind) => kind.test(entry))) await rm(join(path, entry), { force: true });
    // Other files are left where they are.
    await rmdir(path).catch(() => {});
  };
  return {
    path,
    read: (name) => readFile(fileOf(name)).catch((error: unknown) => missing(error, path)),
    async write(name, state) {
      await mkdir(path, { recursive: true });
      await writeWhole(fileOf(name), state);
    },
    names: async () => (await entries()).flatMap((entry) => STATE.exec(entry)?.[1] ?? []),
    tidy: () => removeAll(TEMPORARY),
    remove: () => removeAll(STATE, TEMPORARY),
  };
}

/** Returns undefined for what is not there. @throws ModelError if the folder is a file; other errors as they are */
function missing(error: unknown, path: string): undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return undefined;
  if (code !== "ENOTDIR") throw error;
  const [expected, found] = ["the folder of a checkpoint", "a file"];
  throw new ModelError(
    `${path}: expected ${expected}, found ${found}: checkpoints of earlier versions cannot be resumed: delete it`,
    { file: path, expected, found },
  );
}

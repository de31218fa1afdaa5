import { readdir, readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { type Encoder, type EncoderIdentity, requireEncoder } from "@arcwise/core/encoders";
import type { PipelineModel } from "@arcwise/pipeline";
import { ENCODERS, type EncoderArguments } from "../command/options.ts";
import { DataError, UsageError } from "../errors.ts";
import type { Io } from "../files/io.ts";
import { loadOnnx } from "../modules/packages.ts";

/** The environment variable with the folder where vectors are kept. */
const CACHE = "ARCWISE_CACHE";

/** The file with the options of an encoder, in its folder: name, layers and others. */
const OPTIONS = "encoder.json";

/**
 * Opens the encoder of a folder: vectors that were computed before, if it has files *.npy, and else an ONNX model, with the
 * options of its encoder.json.
 */
export async function openEncoder(folder: string): Promise<Encoder> {
  const names = await namesIn(folder);
  if (hasComputed(names)) {
    const { computedVectors } = await import("@arcwise/pipeline/node");
    return computedVectors(folder);
  }
  const options = names.includes(OPTIONS) ? await readOptions(join(folder, OPTIONS)) : undefined;
  const { onnxEncoder } = await loadOnnx();
  return requireEncoder(await onnxEncoder(folder, options), folder);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((cause: Error) => {
    throw new DataError(`${folder}: expected the folder of an encoder: ${cause.message}`, { cause });
  });
}

/** Returns whether a folder has vectors that were computed before. */
function hasComputed(names: readonly string[]): boolean {
  return names.some((name) => name.endsWith(".npy"));
}

async function readOptions(path: string): Promise<object> {
  const text = await readFile(path, "utf8");
  try {
    const options: unknown = JSON.parse(text);
    if (typeof options === "object" && options !== null && !Array.isArray(options)) return options;
  } catch (cause) {
    throw new DataError(`${path}: expected JSON: ${(cause as Error).message}`, { cause });
  }
  throw new DataError(`${path}: expected an object of options, such as {"layers": [6, 7, 8]}`);
}

/** Names of encoders that are names of folders: a model file may come from anywhere. */
const NAME = /^\w[\w.-]*$/;

/**
 * Finds the folder of the encoder of a model by its name: next to the model file, or in the folder of the environment variable
 * ARCWISE_ENCODERS.
 */
export async function findFolder(
  { env }: Pick<Io, "env">,
  model: string,
  { name, fingerprint }: EncoderIdentity,
): Promise<string> {
  const parents = [dirname(model), env[ENCODERS] ?? ""].filter((parent) => parent !== "");
  const folders = NAME.test(name) ? parents.map((parent) => join(parent, name)) : [];
  for (const folder of folders) {
    if ((await stat(folder).catch(() => undefined))?.isDirectory() === true) return folder;
  }
  const sought = folders.length === 0 ? "" : ` in the folder ${folders.join(" or ")}`;
  throw new UsageError(
    `${model}: expected the encoder ${name} (fingerprint ${fingerprint})${sought}, which is not there: ` +
      `put it there, set ${ENCODERS} to the folder that has it, or give --encoder FOLDER if the command has this option`,
  );
}

/**
 * Opens the encoder of a training, which keeps the vectors that it computes in the folder of the environment variable
 * ARCWISE_CACHE, or else in the user's cache; undefined without one.
 *
 * @param continued the model that is continued, whose encoder is found by its name
 */
export async function trainingEncoder(
  { env }: Pick<Io, "env">,
  { encoder: given }: EncoderArguments,
  continued?: { readonly file: string; readonly model: PipelineModel },
): Promise<Encoder | undefined> {
  const needed = continued?.model.parser?.description.encoder;
  const folder = given ?? (needed && (await findFolder({ env }, continued!.file, needed)));
  if (folder === undefined) return undefined;
  const encoder = await openEncoder(folder);
  if (hasComputed(await namesIn(folder))) return encoder;
  const { keptVectors } = await import("@arcwise/pipeline/node");
  const caches = env.XDG_CACHE_HOME || env.LOCALAPPDATA || join(homedir(), ".cache");
  return keptVectors(encoder, join(env[CACHE] || join(caches, "arcwise"), "vectors"));
}

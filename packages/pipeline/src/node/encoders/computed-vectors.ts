import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { readConllu, sentenceWords } from "@arcwise/conllu";
import type { EncodeOptions, Encoder, EncoderIdentity } from "@arcwise/core/encoders";
import { ArcwiseError, counted } from "@arcwise/core/errors";
import { checkArgument, path as isPath, record, string } from "@arcwise/core/options";
import { hashOf } from "./kept-vectors.ts";
import { type NpyMatrix, openNpy } from "./npy.ts";

/** The file that says what computed the vectors of a folder. */
export const ENCODER_FILE = "encoder.json";
const ENDING = ".npy";

/** Where the vectors of a sentence are. */
interface Place {
  readonly matrix: NpyMatrix;
  /** Row of the first word. */
  readonly row: number;
}

const IDENTITY = record<Pick<EncoderIdentity, "name" | "fingerprint">>({ name: string, fingerprint: string });

/**
 * Opens a folder of vectors that something else has computed, as an encoder that looks up sentences by their words. The
 * folder has pairs of files such as train.conllu and train.npy, which `numpy.save` wrote: a matrix of 16-, 32- or 64-bit
 * floats with a row for each word (not for ranges and empty nodes), in the order of the words; and encoder.json with a name,
 * and a fingerprint that is to change when the vectors of words do: `{"name": "camembert", "fingerprint": "base 8-11"}`.
 * Rows are read when they are asked for; the words of the files are in memory.
 *
 * `encode` rejects with `missing-vectors` for a sentence that is in none of the files.
 *
 * @throws ArcwiseError `invalid-vectors` that names the file, what was expected and what was found; `malformed-conllu`; the
 *   error of the file system
 *
 * @example
 * const encoder = await computedVectors("camembert-vectors");
 * const model = await trainPipeline(treebank, { encoder });
 */
export async function computedVectors(folder: string): Promise<Encoder> {
  checkArgument(isPath, folder, "computedVectors: folder");
  const names = (await readdir(folder)).filter((name) => name.endsWith(ENDING)).sort();
  if (names.length === 0) throw invalid(folder, `expected files *${ENDING}, found none`);
  const identity = await readIdentity(join(folder, ENCODER_FILE));
  const places = new Map<string, Place>();
  const matrices: NpyMatrix[] = [];
  for (const name of names) {
    const path = join(folder, name);
    const matrix = await openNpy(path);
    matrices.push(matrix);
    if (matrix.columns !== matrices[0]!.columns)
      throw invalid(
        path,
        `expected ${matrices[0]!.columns} columns as in ${names[0]}, found ${matrix.columns}`,
      );
    await addSentences(places, matrix, path);
  }
  const width = matrices[0]!.columns;
  const encode = async (sentences: readonly (readonly string[])[], { signal }: EncodeOptions = {}) => {
    const found: Float32Array[] = [];
    for (const words of sentences) {
      signal?.throwIfAborted();
      found.push(await vectorsOf(places, words, folder));
    }
    return found;
  };
  const close = async () => {
    for (const matrix of matrices) await matrix.close();
  };
  return { ...identity, width, encode, close };
}

async function readIdentity(path: string): Promise<Omit<EncoderIdentity, "width">> {
  const example = '{"name": "camembert", "fingerprint": "camembert-base, layers 8 to 11"}';
  const text = await readFile(path, "utf8").catch((cause) => {
    throw new ArcwiseError("invalid-vectors", `${path}: expected a file such as ${example}, found none`, {
      file: path,
      cause,
    });
  });
  try {
    const identity = JSON.parse(text) as Omit<EncoderIdentity, "width">;
    IDENTITY(identity, path);
    return identity;
  } catch (cause) {
    const message = `${path}: expected ${example}: ${(cause as Error).message}`;
    throw new ArcwiseError("invalid-vectors", message, { file: path, cause });
  }
}

/** Adds the sentences of the CoNLL-U file next to a matrix. */
async function addSentences(places: Map<string, Place>, matrix: NpyMatrix, path: string): Promise<void> {
  const source = `${path.slice(0, -ENDING.length)}.conllu`;
  const sentences = Array.from(readConllu(await readFile(source), { file: source }), (sentence) =>
    sentenceWords(sentence).map(({ form }) => form),
  );
  const words = sentences.reduce((sum, { length }) => sum + length, 0);
  if (words !== matrix.rows)
    throw invalid(
      path,
      `expected ${counted(words, "row")}, one for each word of ${source}, found ${matrix.rows}`,
    );
  let row = 0;
  for (const own of sentences) {
    const hash = hashOf(own);
    if (!places.has(hash)) places.set(hash, { matrix, row });
    row += own.length;
  }
}

async function vectorsOf(
  places: ReadonlyMap<string, Place>,
  words: readonly string[],
  folder: string,
): Promise<Float32Array> {
  if (words.length === 0) return new Float32Array(0);
  const place = places.get(hashOf(words));
  if (place !== undefined) return place.matrix.read(place.row, words.length);
  const start = words.slice(0, 8).join(" ");
  const shown = JSON.stringify(words.length > 8 ? `${start} ...` : start);
  const message = `${folder}: expected vectors of the sentence ${shown} of ${counted(words.length, "word")}, found none`;
  throw new ArcwiseError("missing-vectors", message, { file: folder });
}

function invalid(path: string, what: string): ArcwiseError {
  return new ArcwiseError("invalid-vectors", `${path}: ${what}`, { file: path });
}

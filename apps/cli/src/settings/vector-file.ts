import { UsageError } from "../errors.ts";
import type { VectorSettings } from "./tables.ts";

/** The file of the word vectors of a training, and how they are read. */
export type WordVectorFile = VectorSettings & { readonly file: string };

/**
 * Returns the file of the word vectors of a training; undefined without one.
 *
 * @param example a setting that gives the model a network
 */
export function vectorFile(
  vectors: VectorSettings | false | undefined,
  { network }: { readonly network: object | false },
  example: string,
): WordVectorFile | undefined {
  if (!vectors) return undefined;
  const { file } = vectors;
  if (file === undefined) throw new UsageError("vectors.limit and vectors.minPrefix require vectors.file");
  if (network === false)
    throw new UsageError(`word vectors require a network: give --settings ${example}, or another --preset`);
  return { ...vectors, file };
}

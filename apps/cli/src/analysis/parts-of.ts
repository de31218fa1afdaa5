import { loadAs, readModelBytes } from "@arcwise/core/node";
import { modelParts, type PipelinePart } from "@arcwise/pipeline";

/** A model file that was read, of which nothing is loaded. */
export interface ModelBytes {
  readonly bytes: Uint8Array;
  readonly parts: readonly PipelinePart[];
}

/** Reads a model file, and returns the parts that it has. @throws ModelError that names the file when it is no model */
export async function partsOf(path: string): Promise<ModelBytes> {
  const bytes = await readModelBytes(path);
  const { parts } = loadAs(path, bytes, modelParts);
  return { bytes, parts: Object.keys(parts) as PipelinePart[] };
}

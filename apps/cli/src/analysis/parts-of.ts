import { readFileAs } from "@arcwise/core/node";
import { modelParts, type PipelinePart } from "@arcwise/pipeline";

/** Returns the parts that a model file has. @throws ModelError that names the file when it is no model */
export async function partsOf(path: string): Promise<PipelinePart[]> {
  const { parts } = await readFileAs(path, modelParts);
  return Object.keys(parts) as PipelinePart[];
}

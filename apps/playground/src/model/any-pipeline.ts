import { readModel } from "@arcwise/english-small";
import { createPipeline, loadPipeline, type Pipeline } from "@arcwise/pipeline";

/** Makes the pipeline of any model. A graph parser alone gets the other steps of the model of English. */
export async function anyPipeline(bytes: Uint8Array): Promise<Pipeline> {
  const model = loadPipeline(bytes);
  const isGraphParser = Object.keys(model).join() === "graphs";
  return createPipeline(isGraphParser ? { ...loadPipeline(await readModel()), ...model } : model);
}

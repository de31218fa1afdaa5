import { kept } from "../../../tools/kept-models.ts";
import {
  loadPipeline,
  type PipelineModel,
  type PipelineTrainOptions,
  savePipeline,
  trainPipeline,
} from "../src/index.ts";

/**
 * The bytes of the model of a training, which is done once for all tests. Options are plain but for a model that is
 * continued, and an encoder, which its name and fingerprint determine.
 */
export function pipelineFile(
  sentences: Parameters<typeof trainPipeline>[0],
  { encoder, continue: base, ...options }: PipelineTrainOptions,
): Promise<Uint8Array> {
  const others = [encoder?.name, encoder?.fingerprint, base && savePipeline(base)];
  return kept(["pipeline", sentences, options, ...others], async () =>
    savePipeline(await trainPipeline(sentences, { ...options, encoder, continue: base })),
  );
}

/** The model of `pipelineFile`. */
export async function trainedPipeline(...training: Parameters<typeof pipelineFile>): Promise<PipelineModel> {
  return loadPipeline(await pipelineFile(...training));
}

export { computedVectors } from "./encoders/computed-vectors.ts";
export { keptVectors } from "./encoders/kept-vectors.ts";
export { readModelPart, readPipelineFile, writePipelineFile } from "./files.ts";
export { type InstalledModel, installedModels } from "./installed-models.ts";
export { howToGet, installedText, modelFile } from "./missing-model.ts";
export { type OpenOptions, openPipeline } from "./open.ts";
export { decoderFamily, type PipelineFiles } from "./pipeline-files.ts";

export { decoderFamily } from "../model-parts.ts";
export { computedVectors } from "./encoders/computed-vectors.ts";
export { keptVectors } from "./encoders/kept-vectors.ts";
export { readModelPart, readPipelineFile, writePipelineFile } from "./files.ts";
export type { PipelineFiles } from "./load.ts";
export { howToGet, type InstalledModel, installedModels, installedText, modelFile } from "./model-names.ts";
export { type OpenOptions, openPipeline } from "./open.ts";

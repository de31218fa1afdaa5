export { type ThreadedPipelineOptions, trainPipelineOnThreads } from "./train.ts";

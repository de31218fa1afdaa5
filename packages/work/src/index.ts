export { here } from "./here.ts";
export {
  type Job,
  type JobContext,
  type JobProgress,
  type JobRun,
  type Place,
  type Resolved,
  type Shared,
  share,
  sharedData,
} from "./job.ts";
export { runStages, type StageOptions, type StageOutputs, type StageTable } from "./stages.ts";

export { CHECKPOINT, type Checkpoint, CheckpointState } from "./checkpoint.ts";
export {
  epochShare,
  jobReports,
  type StepProgress,
  type TrainingProgress,
  TrainingReporter,
  type TrainingStep,
} from "./progress.ts";
export { columnWarnings, distinctValues, identifiersOf, type TrainingWarning } from "./warnings.ts";

export { type Calls, type Channel, openChannel } from "./channel.ts";
export type { ChannelPort } from "./channel-port.ts";
export { here } from "./here.ts";
export { inOrder } from "./in-order.ts";
export {
  isPlace,
  type Job,
  type JobContext,
  type JobProgress,
  type JobRun,
  PLACE,
  type Place,
  type Resolved,
  resolved,
  type Shared,
  share,
  sharedData,
} from "./job.ts";
export { doAll, runStages, type StageOutputs, type StageTable } from "./stages.ts";

export {
  type LostWorker,
  type ThreadOptions,
  type ThreadRunner,
  threadRunner,
  WorkerLost,
} from "./threads.ts";
export type { ShardWork, WorkSource } from "./work.ts";
export { type ShardWorker, shardWorker } from "./worker.ts";

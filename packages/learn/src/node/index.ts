export { type LostWorker, type ThreadRunner, threadRunner } from "./threads.ts";
export { type ShardWorker, shardWorker } from "./worker.ts";

export { checkServer } from "./check-server.ts";
export { type QueueOptions, type QueueRunnerOptions, queueRunner } from "./queue-runner.ts";
export { type DeadJob, type QueueStatus, queueStatus } from "./queue-status.ts";
export { type QueueWorker, type ServeOptions, serveQueue } from "./serve-queue.ts";

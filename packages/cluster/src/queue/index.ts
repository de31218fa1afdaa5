export { checkServer } from "./check-server.ts";
export type { QueueOptions, QueueRunnerOptions, ServeOptions } from "./options.ts";
export { queueRunner } from "./queue-runner.ts";
export { type DeadJob, type QueueStatus, queueStatus } from "./queue-status.ts";
export { type QueueWorker, serveQueue } from "./serve-queue.ts";

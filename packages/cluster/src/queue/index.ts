export { onQueue } from "./on-queue.ts";
export type { QueueOptions, QueuePlaceOptions, ServeOptions } from "./options.ts";
export { type QueueStatus, queueStatus } from "./queue-status.ts";
export { type QueueWorker, serveQueue } from "./serve-queue.ts";

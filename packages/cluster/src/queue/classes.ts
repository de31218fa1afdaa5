import { anything, isReceived, list, record } from "@arcwise/core/options";
import { createPostgresBackend, Queue, QueueEvents, WaitingError, Worker, withBackend } from "bullmq";
import { Client, type ClientConfig } from "pg";
import { checkOrder, type Order } from "../order.ts";
import type { QueueAddress } from "./address.ts";

/** Name of the queue where none is given. */
export const QUEUE_NAME = "arcwise";

/** A server, and the name of a queue on it. */
export interface QueueServer {
  readonly address: QueueAddress;
  /** Letters, digits, `-` and `_`. */
  readonly name: string;
}

/** Time between two attempts to connect, in milliseconds. */
const RECONNECT = 1000;

/** Commands wait for a server that is away, rather than fail. */
function redisConnection({ url }: QueueAddress) {
  return { url, maxRetriesPerRequest: null, retryStrategy: () => RECONNECT, enableReadyCheck: true };
}

/**
 * A PostgreSQL client; lost connections surface as errors of pending commands. While a transaction has it,
 * nothing else listens to its errors, and an unhandled error ends the process.
 */
export class PostgresClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    this.on("error", () => {});
  }
}

function postgresConnection({ url }: QueueAddress) {
  return { connectionString: url, migrate: true, Client: PostgresClient };
}

const postgres = withBackend(createPostgresBackend);

/** Called with the errors of a connection, which is tried again. */
export type OnConnectionError = (error: Error) => void;

/** The data of a job: some kilobytes per order at most. */
export interface JobData {
  /** Orders that one thread carries out, in sequence. */
  readonly orders: readonly Order[];
}

/** The result of a job: who did it, in which time. */
export interface JobResult {
  /** A name that no other worker has. */
  readonly worker: string;
  /** Number of jobs that the worker does at a time. */
  readonly threads: number;
  readonly milliseconds: number;
}

/** Begins the reason of a job that failed since an input was damaged: who has ordered it writes the input again. */
export const INPUT_FAULT = "an input is damaged: ";

const JOB = record<JobData>({ orders: list(anything, { min: 1, max: 2 ** 10 }) });

/** Returns the orders of a job as they are. The data of a job of another version is one order. */
export function givenOrders(data: unknown): readonly unknown[] {
  return isReceived<JobData>(JOB, data) ? data.orders : [data];
}

/** Returns the orders of a job, whose data is chosen by whoever may write to the queue. */
export function ordersOf(data: unknown): readonly Order[] {
  const orders = givenOrders(data) as readonly Order[];
  for (const order of orders) checkOrder(order);
  return orders;
}

/** The jobs of a queue. */
export type JobQueue = Pick<
  Queue<JobData>,
  | "addBulk"
  | "getJob"
  | "getJobCounts"
  | "getFailed"
  | "getWorkersCount"
  | "waitUntilReady"
  | "obliterate"
  | "close"
>;

/** Opens a queue, to add, list and count its jobs. */
export function openQueue({ address, name }: QueueServer, onError: OnConnectionError): JobQueue {
  if (address.server === "redis")
    return new Queue<JobData>(name, { connection: redisConnection(address) }).on("error", onError);
  return new postgres.Queue<JobData>(name, { connection: postgresConnection(address) }).on("error", onError);
}

/** Callbacks for the ends of jobs. Events may be lost while a server is away. */
export interface JobListener {
  completed(jobId: string, result: unknown): void;
  failed(jobId: string, reason: string): void;
}

/** Listens to the events of a queue. */
export function openEvents(
  { address, name }: QueueServer,
  listener: JobListener,
  onError: OnConnectionError,
): Pick<QueueEvents, "close" | "waitUntilReady"> {
  const events =
    address.server === "redis"
      ? new QueueEvents(name, { connection: redisConnection(address) })
      : new postgres.QueueEvents(name, { connection: postgresConnection(address) });
  events.on("error", onError);
  events.on("completed", ({ jobId, returnvalue }) => listener.completed(jobId, returnvalue));
  events.on("failed", ({ jobId, failedReason }) => listener.failed(jobId, failedReason));
  return events;
}

/** The number of jobs that a worker runs at once, and the limits after which others take over from it. */
export interface WorkerSettings {
  readonly concurrency: number;
  /** Milliseconds after which the job of a worker that has not been heard of is given to another. */
  readonly lockDuration: number;
  /** How often a job may be taken over. */
  readonly maxStalledCount: number;
}

/**
 * Runs the data of a job. `giveBack` puts the job back into the queue, as if it had not been started: what it returns
 * is thrown.
 */
export type RunJob = (data: unknown, giveBack: () => Promise<Error>) => Promise<JobResult>;

/** A job, as a worker is given it. */
interface GivenJob {
  readonly data: unknown;
  moveToWait(token?: string): Promise<unknown>;
}

/** Starts a worker, which runs jobs, `concurrency` at a time. */
export function openWorker(
  { address, name }: QueueServer,
  runJob: RunJob,
  settings: WorkerSettings,
  onError: OnConnectionError,
): Pick<Worker, "close" | "waitUntilReady"> {
  const common = {
    ...settings,
    // A lock that has ended is noticed within half of its time.
    stalledInterval: Math.ceil(settings.lockDuration / 2),
    // Commands of PostgreSQL fail while the server is away: the worker asks again soon, not after 15 seconds.
    runRetryDelay: RECONNECT,
  };
  const run = (job: GivenJob, token: string | undefined) =>
    runJob(job.data, async () => {
      await job.moveToWait(token);
      return new WaitingError();
    });
  if (address.server === "redis")
    return new Worker<JobData>(name, run, { ...common, connection: redisConnection(address) }).on(
      "error",
      onError,
    );
  const connection = postgresConnection(address);
  return new postgres.Worker<JobData>(name, run, { ...common, connection }).on("error", onError);
}

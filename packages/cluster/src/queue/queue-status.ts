import { checkOptions, isReceived, withMembers } from "@arcwise/core/options";
import type { Order } from "../order.ts";
import { queueAddress, withoutCredentials } from "./address.ts";
import { answerOf, checkServer, closeSoon } from "./check-server.ts";
import { givenOrders, openQueue } from "./classes.ts";
import { QUEUE_OPTIONS, type QueueOptions } from "./options.ts";

/** A job that failed at each attempt. */
export interface DeadJob {
  readonly id: string;
  /** Name of the job that was ordered; "unknown" if it is not an order of Arcwise. */
  readonly job: string;
  /** Names of the inputs; of an unknown job its data. */
  readonly inputs: readonly unknown[];
  readonly reason: string;
}

/** The state of a queue. */
export interface QueueStatus {
  /** The address without credentials. */
  readonly address: string;
  readonly workers: number;
  /** Jobs that wait for a worker, that are repeated later, that are being done. */
  readonly waiting: number;
  readonly delayed: number;
  readonly active: number;
  /** The latest jobs that failed, at most 20. */
  readonly dead: readonly DeadJob[];
}

const MAX_DEAD = 20;

/** Returns the state of a queue. @throws as `onQueue` */
export async function queueStatus(options: QueueOptions): Promise<QueueStatus> {
  const { queue: url, password, name, signal } = checkOptions(QUEUE_OPTIONS, options, "queueStatus");
  const address = queueAddress(url, password);
  await checkServer(address, signal);
  const queue = openQueue({ address, name }, () => {});
  try {
    const asked = Promise.all([
      queue.getJobCounts("waiting", "delayed", "active"),
      queue.getFailed(0, MAX_DEAD - 1),
      queue.getWorkersCount(),
    ]);
    const [counts, failed, workers] = await answerOf(asked, address, signal);
    return {
      address: address.shown,
      workers,
      waiting: counts.waiting ?? 0,
      delayed: counts.delayed ?? 0,
      active: counts.active ?? 0,
      dead: failed.map(({ id = "", data, failedReason }) => ({
        id,
        ...jobAndInputs(data),
        reason: withoutCredentials(failedReason ?? "", address),
      })),
    };
  } finally {
    await closeSoon(queue);
  }
}

const NAMED = withMembers("an order", "job", "input");

function jobAndInputs(data: unknown): Pick<DeadJob, "job" | "inputs"> {
  const orders = givenOrders(data).filter((order) => isReceived<Order>(NAMED, order));
  if (orders.length === 0) return { job: "unknown", inputs: [data] };
  return { job: String(orders[0]!.job), inputs: orders.map(({ input }) => input) };
}

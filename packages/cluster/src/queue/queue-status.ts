import { checkOptions, isReceived, withMembers } from "@arcwise/core/options";
import type { StepOrder } from "../steps/order.ts";
import { queueAddress, withoutCredentials } from "./address.ts";
import { answerOf, checkServer, closeSoon } from "./check-server.ts";
import { openQueue, ordersOf } from "./classes.ts";
import { QUEUE_OPTIONS, type QueueOptions } from "./options.ts";

/** A job that failed at each attempt. */
export interface DeadJob {
  readonly id: string;
  /** "unknown" if the job is not an order of Arcwise. */
  readonly step: string;
  /** Of the step; of a job of several steps, a list. */
  readonly settings: unknown;
  readonly reason: string;
}

/** The state of a queue. */
export interface QueueStatus {
  /** The address without credentials. */
  readonly address: string;
  readonly workers: number;
  /** Steps that wait for a worker, that wait for other steps, that are repeated later, that run. */
  readonly waiting: number;
  readonly blocked: number;
  readonly delayed: number;
  readonly active: number;
  /** The latest jobs that failed, at most 20. */
  readonly dead: readonly DeadJob[];
}

const MAX_DEAD = 20;

/** Returns the state of a queue. @throws as `queueRunner` */
export async function queueStatus(options: QueueOptions): Promise<QueueStatus> {
  const { queue: url, password, name, signal } = checkOptions(QUEUE_OPTIONS, options, "queueStatus");
  const address = queueAddress(url, password);
  await checkServer(address, signal);
  const queue = openQueue({ address, name }, () => {});
  try {
    const asked = Promise.all([
      queue.getJobCounts("waiting", "waiting-children", "delayed", "active"),
      queue.getFailed(0, MAX_DEAD - 1),
      queue.getWorkersCount(),
    ]);
    const [counts, failed, workers] = await answerOf(asked, address, signal);
    return {
      address: address.shown,
      workers,
      waiting: counts.waiting ?? 0,
      blocked: counts["waiting-children"] ?? 0,
      delayed: counts.delayed ?? 0,
      active: counts.active ?? 0,
      dead: failed.map(({ id = "", data, failedReason }) => ({
        id,
        ...stepAndSettings(data),
        reason: withoutCredentials(failedReason ?? "", address),
      })),
    };
  } finally {
    await closeSoon(queue);
  }
}

const NAMED = withMembers("an order", "step", "settings");

function stepAndSettings(data: unknown): Pick<DeadJob, "step" | "settings"> {
  const orders = ordersOf(data).filter((order) => isReceived<StepOrder>(NAMED, order));
  if (orders.length === 0) return { step: "unknown", settings: data };
  const settings = orders.map((order) => order.settings);
  return { step: String(orders[0]!.step), settings: settings.length === 1 ? settings[0] : settings };
}

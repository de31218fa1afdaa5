import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { checkOptions } from "@arcwise/core/options";
import { share } from "@arcwise/jobs";
import { onThreads } from "@arcwise/jobs/node";
import { UnrecoverableError } from "bullmq";
import { PARSING_JOBS } from "../jobs.ts";
import { describeOrders, type Order } from "../order.ts";
import { carryOut, type WorkerSettings } from "../order-jobs.ts";
import { openStores } from "../stores/layered-store.ts";
import { queueAddress, withoutCredentials } from "./address.ts";
import { answerOf, checkServer, closeSoon } from "./check-server.ts";
import { INPUT_FAULT, openWorker, ordersOf, type RunJob } from "./classes.ts";
import { SERVE_OPTIONS, type ServeOptions } from "./options.ts";

/** A worker that does the jobs of a queue. */
export interface QueueWorker {
  /**
   * Ends the worker: after the jobs that are being done, or at once: then they go back to the queue, which does not
   * count as one of their attempts.
   */
  close(options?: { readonly now?: boolean | undefined }): Promise<void>;
}

/** How often a job may be taken over from a worker that was lost: a job that ends its worker ends ten. */
const MAX_STALLED = 10;
/** Milliseconds that a server which is away may hold up the end of a worker. */
const FAREWELL = 10_000;

/**
 * Does the jobs of a queue, until it is closed. They are done in threads: the thread that renews the locks of jobs
 * is idle. A job of another version of Arcwise, or of other data, fails at once.
 *
 * @throws as `onQueue`; the error of a store that cannot be opened
 */
export async function serveQueue(options: ServeOptions): Promise<QueueWorker> {
  const given = checkOptions(SERVE_OPTIONS, options, "serveQueue");
  const { threads, lockDuration, onNote = () => {}, onDone, name, signal, store, readOnlyStore } = given;
  const address = queueAddress(given.queue, given.password);
  await openStores({ store, readOnlyStore });
  await checkServer(address, signal);
  const settings = share<WorkerSettings>({ store, readOnlyStore, modules: moduleUrls(given.modules ?? []) });
  const pool = onThreads(threads, { attempts: 1 });
  const stop = new AbortController();
  const id = randomBytes(8).toString("hex");
  const runJob: RunJob = async (data, giveBack) => {
    const orders = acceptedOrders(data, given.onlyParses, onNote);
    const start = performance.now();
    try {
      const outcomes = await pool.do(carryOut, { settings, orders }, { signal: stop.signal });
      for (const [k, outcome] of outcomes.entries()) onDone?.(orders[k]!, outcome);
      return { worker: id, threads, milliseconds: performance.now() - start };
    } catch (error) {
      if (stop.signal.aborted) throw await giveBack();
      const message = withoutCredentials(error instanceof Error ? error.message : String(error), address);
      onNote(`${describeOrders(orders)}: ${message}`);
      throw (error as Error).name === "DamagedBlob" ? new UnrecoverableError(INPUT_FAULT + message) : error;
    }
  };
  let last = "";
  const onError = ({ message }: Error) => {
    if (message !== last) onNote(`${address.shown}: ${withoutCredentials(message, address)}; trying again`);
    last = message;
  };
  const limits = { concurrency: threads, lockDuration, maxStalledCount: MAX_STALLED };
  const worker = openWorker({ address, name }, runJob, limits, onError);
  try {
    await answerOf(worker.waitUntilReady(), address, signal);
  } catch (error) {
    await closeSoon({ close: () => worker.close(true) }, pool);
    throw error;
  }
  return {
    async close({ now = false } = {}) {
      // A worker that is closing takes no other job.
      const closed = worker.close();
      if (now) {
        stop.abort(new Error("the worker was stopped"));
        // Without the server, the jobs are given to another worker when their locks end.
        await Promise.race([closed, sleep(FAREWELL, undefined, { ref: false })]);
      } else await closed;
      await pool.close();
    },
  };
}

/** Returns the URLs of modules: of `file:` URLs themselves, and of paths. */
export function moduleUrls(modules: readonly string[]): readonly string[] {
  return modules.map((name) => (name.startsWith("file:") ? name : pathToFileURL(resolve(name)).href));
}

/** Returns the orders of a job. */
function acceptedOrders(
  data: unknown,
  onlyParses: boolean,
  onNote: (line: string) => void,
): readonly Order[] {
  try {
    const orders = ordersOf(data);
    const other = onlyParses ? orders.find(({ job }) => !PARSING_JOBS.has(job)) : undefined;
    if (other !== undefined)
      throw new Error(
        `this worker only parses, and refuses the job ${other.job}: give trainings a queue of another name`,
      );
    return orders;
  } catch (error) {
    const { message } = error as Error;
    onNote(`a job is refused: ${message}`);
    throw new UnrecoverableError(message);
  }
}

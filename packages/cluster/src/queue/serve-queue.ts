import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { UnrecoverableError } from "bullmq";
import { openStore } from "../blobs/open-store.ts";
import { StepThreads } from "../runners/step-threads.ts";
import { describeSteps, type StepOrder } from "../steps/order.ts";
import { queueAddress, withoutCredentials } from "./address.ts";
import { checkServer, lostConnection } from "./check-server.ts";
import { openWorker, QUEUE_NAME, type RunJob, stepsOf } from "./classes.ts";
import type { QueueOptions } from "./queue-runner.ts";

/** Options of `serveQueue`. */
export interface ServeOptions extends QueueOptions {
  /** Address of the store, see `openStore`. */
  readonly store: string;
  /** Number of steps that are run at a time, each in a thread of its own. Default: 1. */
  readonly threads?: number | undefined;
  /**
   * Milliseconds after which the steps of a worker that has not been heard of are given to another one, which
   * happens after half as long again. Default: 10,000.
   */
  readonly lockDuration?: number | undefined;
  /** Called with each step that is done. */
  readonly onDone?: ((step: StepOrder, outcome: "run" | "present") => void) | undefined;
}

/** A worker that runs the steps of a queue. */
export interface QueueWorker {
  /**
   * Ends the worker: after the steps that are running, or at once: then they go back to the queue, which does not
   * count as one of their attempts.
   */
  close(options?: { readonly now?: boolean | undefined }): Promise<void>;
}

/** How often a step may be taken over from a worker that was lost: a step that ends its worker ends ten. */
const MAX_STALLED = 10;
/** Locks are renewed by an idle thread, and a step that runs twice costs only its time. */
const LOCK = 10_000;
/** Milliseconds that a server which is away may hold up the end of a worker. */
const FAREWELL = 10_000;

/**
 * Runs the steps of a queue, until it is closed. Steps run in threads: the thread that renews the locks of jobs
 * is idle. A job of another version of Arcwise, or of other data, fails at once.
 *
 * @throws as `queueRunner`; the error of a store that cannot be opened
 */
export async function serveQueue(options: ServeOptions): Promise<QueueWorker> {
  const { threads = 1, lockDuration = LOCK, onNote = () => {}, onDone, name = QUEUE_NAME } = options;
  const address = queueAddress(options.queue, options.password);
  await openStore(options.store);
  await checkServer(address);
  const pool = new StepThreads({ store: options.store }, threads);
  const stop = new AbortController();
  const id = randomBytes(8).toString("hex");
  const runJob: RunJob = async (data, giveBack) => {
    const steps = acceptedSteps(data, onNote);
    try {
      const outcomes = await pool.run(steps, stop.signal);
      for (const [k, outcome] of outcomes.entries()) onDone?.(steps[k]!, outcome);
      return { worker: id, threads };
    } catch (error) {
      if (stop.signal.aborted) throw await giveBack();
      const message = withoutCredentials(error instanceof Error ? error.message : String(error), address);
      onNote(`${describeSteps(steps)}: ${message}`);
      throw error;
    }
  };
  let last = "";
  const onError = ({ message }: Error) => {
    if (message !== last) onNote(`${address.shown}: ${withoutCredentials(message, address)}; trying again`);
    last = message;
  };
  const settings = { concurrency: threads, lockDuration, maxStalledCount: MAX_STALLED };
  const worker = openWorker({ address, name }, runJob, settings, onError);
  try {
    await worker.waitUntilReady();
  } catch (error) {
    await Promise.allSettled([worker.close(true), pool.close()]);
    throw lostConnection(error, address);
  }
  return {
    async close({ now = false } = {}) {
      // A worker that is closing takes no other job.
      const closed = worker.close();
      if (now) {
        stop.abort(new Error("the worker was stopped"));
        // Without the server, the steps are given to another worker when their locks end.
        await Promise.race([closed, sleep(FAREWELL, undefined, { ref: false })]);
      } else await closed;
      await pool.close();
    },
  };
}

/** Returns the steps of a job. @throws UnrecoverableError if there are none that this worker may run */
function acceptedSteps(data: unknown, onNote: (line: string) => void): readonly StepOrder[] {
  try {
    return stepsOf(data);
  } catch (error) {
    const { message } = error as Error;
    onNote(`a job is refused: ${message}`);
    throw new UnrecoverableError(message);
  }
}

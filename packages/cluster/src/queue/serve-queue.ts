import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { checkOptions } from "@arcwise/core/options";
import { UnrecoverableError } from "bullmq";
import { openStores } from "../blobs/layered-store.ts";
import { StepThreads } from "../runners/step-threads.ts";
import { moduleUrls } from "../steps/modules.ts";
import { describeSteps, type StepName, type StepOrder } from "../steps/order.ts";
import { queueAddress, withoutCredentials } from "./address.ts";
import { answerOf, checkServer, closeSoon } from "./check-server.ts";
import { openWorker, type RunJob, stepsOf } from "./classes.ts";
import { SERVE_OPTIONS, type ServeOptions } from "./options.ts";

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
/** Milliseconds that a server which is away may hold up the end of a worker. */
const FAREWELL = 10_000;

/**
 * Runs the steps of a queue, until it is closed. Steps run in threads: the thread that renews the locks of jobs
 * is idle. A job of another version of Arcwise, or of other data, fails at once.
 *
 * @throws as `queueRunner`; the error of a store that cannot be opened
 */
export async function serveQueue(options: ServeOptions): Promise<QueueWorker> {
  const given = checkOptions(SERVE_OPTIONS, options, "serveQueue");
  const { threads, lockDuration, onNote = () => {}, onDone, name, signal, store, readOnlyStore } = given;
  const address = queueAddress(given.queue, given.password);
  await openStores({ store, readOnlyStore });
  await checkServer(address, signal);
  const pool = new StepThreads({ store, readOnlyStore, modules: moduleUrls(given.modules ?? []) }, threads);
  const stop = new AbortController();
  const id = randomBytes(8).toString("hex");
  const runJob: RunJob = async (data, giveBack) => {
    const steps = acceptedSteps(data, given.onlyParses, onNote);
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
        // Without the server, the steps are given to another worker when their locks end.
        await Promise.race([closed, sleep(FAREWELL, undefined, { ref: false })]);
      } else await closed;
      await pool.close();
    },
  };
}

/** The steps of workers that only parse. */
const PARSING: readonly StepName[] = ["parse-chunk", "evaluate"];

/** Returns the steps of a job. @throws UnrecoverableError if there are none that this worker may run */
function acceptedSteps(
  data: unknown,
  onlyParses: boolean,
  onNote: (line: string) => void,
): readonly StepOrder[] {
  try {
    const steps = stepsOf(data);
    const other = onlyParses ? steps.find(({ step }) => !PARSING.includes(step)) : undefined;
    if (other !== undefined)
      throw new Error(
        `this worker only parses, and refuses the step ${other.step}: give trainings a queue of another name`,
      );
    return steps;
  } catch (error) {
    const { message } = error as Error;
    onNote(`a job is refused: ${message}`);
    throw new UnrecoverableError(message);
  }
}

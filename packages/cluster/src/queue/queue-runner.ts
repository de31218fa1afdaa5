import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { ArcwiseError } from "@arcwise/core/errors";
import { abortable } from "@arcwise/core/messages";
import { checkOptions } from "@arcwise/core/options";
import type { Flow, FlowRun, StepRunner } from "../runners/runner.ts";
import { describeSteps, type StepOrder } from "../steps/order.ts";
import { StepOutputs } from "../steps/step-outputs.ts";
import { queueAddress, withoutCredentials } from "./address.ts";
import { answerOf, checkServer, closeSoon } from "./check-server.ts";
import { type JobData, openEvents, openFlows, openQueue, type QueuePlace } from "./classes.ts";
import { JobSizes } from "./job-sizes.ts";
import { type QueueRunnerOptions, RUNNER_OPTIONS } from "./options.ts";

/** Runs of a step by workers before it counts as failed, and the first pause between them. */
const ATTEMPTS = 5;
const BACKOFF = 1000;
/** How often a flow is given to the queue when its jobs are lost. */
const SUBMISSIONS = 50;
/** Milliseconds between two attempts to add jobs to a server that is away, and their number. */
const AWAY = 1000;
const MAX_AWAY = 600;
/** Looks at the store between two looks at the jobs. */
const LOOKS = 5;
/** Jobs that are done are kept as long, for `queueStatus`. Seconds, and their number. */
const KEPT = { age: 3600, count: 1000 } as const;

/**
 * Connects to a queue, and returns a runner of steps by its workers (`serveQueue`). A flow is a parent job with
 * a child per step, or per several short ones. Whether a step is done is decided by the store, not by the queue: jobs that are lost, or run
 * twice, change nothing.
 *
 * @throws as `checkServer`; ArcwiseError `invalid-argument` when the address is not valid, `invalid-option`
 */
export async function queueRunner(options: QueueRunnerOptions): Promise<StepRunner> {
  const { queue, password, name, signal, ...given } = checkOptions(RUNNER_OPTIONS, options, "queueRunner");
  const address = queueAddress(queue, password);
  await checkServer(address, signal);
  const runner = new QueueRunner({ address, name }, given);
  await runner.open(signal);
  return runner;
}

/** The jobs of one submission of a flow. */
interface Submission {
  readonly last: string;
  /** The steps that had no output, by the ids of their jobs. */
  readonly steps: ReadonlyMap<string, readonly StepOrder[]>;
}

class QueueRunner implements StepRunner {
  readonly #place: QueuePlace;
  readonly #outputs: StepOutputs;
  readonly #note: (line: string) => void;
  readonly #poll: number;
  readonly #queue;
  readonly #flows;
  readonly #events;
  /** Part of the ids of all jobs of this runner: an id that was used before would hide the job. */
  readonly #session = randomBytes(4).toString("hex");
  readonly #reasons = new Map<string, string>();
  readonly #sizes = new JobSizes();
  /** Called with the events of a job, for each flow that is running. */
  readonly #listeners = new Set<(jobId: string) => void>();
  #isAway = false;

  constructor(
    place: QueuePlace,
    {
      store,
      poll,
      onNote = () => {},
    }: Pick<QueueRunnerOptions, "store" | "onNote"> & { readonly poll: number },
  ) {
    this.#place = place;
    this.#outputs = new StepOutputs(store);
    this.#note = onNote;
    this.#poll = poll;
    const onError = (error: Error) => this.#reportAway(error);
    this.#queue = openQueue(place, onError);
    this.#flows = openFlows(place, onError);
    const listener = {
      completed: (jobId: string, result: unknown) => {
        this.#sizes.see(result);
        this.#tell(jobId);
      },
      failed: (jobId: string, reason: string) => {
        this.#reasons.set(jobId, reason);
        this.#tell(jobId);
      },
    };
    this.#events = openEvents(place, listener, onError);
  }

  /**
   * Waits for the connections. One to PostgreSQL that could not be made is never made again.
   *
   * @throws ArcwiseError `lost-connection` when the server went away after it was checked
   */
  async open(signal: AbortSignal | undefined): Promise<void> {
    const opened = [this.#events, this.#flows, this.#queue].map((open) => open.waitUntilReady());
    try {
      await answerOf(Promise.all(opened), this.#place.address, signal);
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  #tell(jobId: string): void {
    for (const listener of this.#listeners) listener(jobId);
  }

  #reportAway(error: Error): void {
    if (this.#isAway) return;
    this.#isAway = true;
    const { address } = this.#place;
    this.#note(`${address.shown}: ${withoutCredentials(error.message, address)}; trying again`);
  }

  async run(flow: Flow, run: FlowRun = {}): Promise<void> {
    await abortable(this.#run(flow, run), run.signal);
  }

  async #run(flow: Flow, { onDone, signal }: FlowRun): Promise<void> {
    for (let submission = 1; submission <= SUBMISSIONS; submission++) {
      if (await this.#outputs.isDone(flow.last)) return;
      const start = performance.now();
      const jobs = await this.#submit(flow, submission, signal);
      this.#isAway = false;
      if (await this.#wait(flow, jobs, { onDone, signal })) {
        this.#sizes.time([...jobs.steps.values()].flat().length, performance.now() - start);
        return;
      }
      this.#note(`${flow.id}: the queue has lost jobs; they are given to it again`);
    }
    throw new ArcwiseError("step-failed", `${flow.id}: the queue has lost its jobs ${SUBMISSIONS} times`);
  }

  /** Adds jobs for the steps that have no output, and for the last one. */
  async #submit(flow: Flow, submission: number, signal: AbortSignal | undefined): Promise<Submission> {
    const done = await Promise.all(flow.steps.map((step) => this.#outputs.isDone(step)));
    const id = (part: string) => `${flow.id}-${part}-${this.#session}-${submission}`;
    const open = flow.steps.filter((_, k) => !done[k]);
    const steps = new Map(this.#sizes.jobsOf(open).map((job, k) => [id(`s${k}`), job]));
    const queueName = this.#place.name;
    const common = {
      attempts: ATTEMPTS,
      backoff: { type: "exponential", delay: BACKOFF },
      removeOnComplete: KEPT,
      removeOnFail: KEPT,
    };
    const jobOf = (orders: readonly StepOrder[]) => {
      const data: JobData = { steps: orders };
      return { name: orders[0]!.step, queueName, data };
    };
    const children = [...steps].map(([jobId, orders]) => {
      const opts = { ...common, jobId, failParentOnFailure: true };
      return { ...jobOf(orders), opts };
    });
    const last = id("last");
    const parent = { ...jobOf([flow.last]), opts: { ...common, jobId: last } };
    await this.#add(children.length === 0 ? parent : { ...parent, children }, signal);
    return { last, steps };
  }

  /**
   * Adds the jobs of a flow, and waits for a server that is away. Adding them twice is adding them once.
   *
   * @throws ArcwiseError `lost-connection` when the server is away for too long
   */
  async #add(jobs: Parameters<ReturnType<typeof openFlows>["add"]>[0], signal: AbortSignal | undefined) {
    for (let attempt = 1; ; attempt++) {
      try {
        await abortable(this.#flows.add(jobs), signal);
        return;
      } catch (error) {
        signal?.throwIfAborted();
        const { address } = this.#place;
        this.#reportAway(error as Error);
        if (attempt === MAX_AWAY)
          throw new ArcwiseError(
            "lost-connection",
            `${address.shown}: ${withoutCredentials((error as Error).message, address)}, for ${MAX_AWAY} s; the ` +
              "same command continues from there",
          );
        await abortable(sleep(AWAY), signal);
      }
    }
  }

  /**
   * Waits for the output of the last step. Returns whether it is there; false when no job is left that would
   * write it.
   */
  async #wait(flow: Flow, jobs: Submission, { onDone, signal }: FlowRun): Promise<boolean> {
    let wake = () => {};
    const listener = (jobId: string) => {
      if (!this.#reasons.has(jobId)) for (const step of jobs.steps.get(jobId) ?? []) onDone?.(step);
      if (jobId === jobs.last || this.#reasons.has(jobId)) wake();
    };
    this.#listeners.add(listener);
    try {
      for (let look = 1; ; look++) {
        const event = new Promise<void>((resolve) => {
          wake = resolve;
        });
        if (await this.#outputs.isDone(flow.last)) {
          onDone?.(flow.last);
          return true;
        }
        this.#throwFailure(flow, jobs);
        // The server may be away: what it says of jobs is waited for no longer than the store.
        const isLost = look % LOOKS === 0 && (await this.#isLost(flow, jobs, signal));
        if (isLost) return false;
        await abortable(Promise.race([event, sleep(this.#poll)]), signal);
      }
    } finally {
      this.#listeners.delete(listener);
    }
  }

  /** @throws ArcwiseError `step-failed` when a job of a flow has failed at each attempt */
  #throwFailure(flow: Flow, { last, steps }: Submission): void {
    const failed = [...steps.keys(), last].find((jobId) => this.#reasons.has(jobId));
    if (failed === undefined) return;
    const reason = withoutCredentials(this.#reasons.get(failed)!, this.#place.address);
    const orders = steps.get(failed) ?? [flow.last];
    throw new ArcwiseError(
      "step-failed",
      `the step ${describeSteps(orders)} failed ${ATTEMPTS} times, at last with: ${reason}; the ` +
        "same command continues from there",
      { at: orders[0]!.step, found: reason },
    );
  }

  /** Returns whether the jobs of a flow cannot write its output any more. */
  async #isLost(flow: Flow, { last, steps }: Submission, signal: AbortSignal | undefined): Promise<boolean> {
    const lastState = await this.#state(last, signal);
    if (lastState === "away") return false;
    if (!isAlive(lastState)) return !(await this.#outputs.isDone(flow.last));
    if (lastState !== "waiting-children") return false;
    let waiting = 0;
    for (const [jobId, orders] of steps) {
      const state = await this.#state(jobId, signal);
      if (state === "away") return false;
      if (isAlive(state)) waiting++;
      else if (!(await this.#areDone(orders))) return true;
    }
    // All children are done, and the parent does not know: unless it has just been told.
    return waiting === 0 && (await this.#state(last, signal)) === "waiting-children";
  }

  async #areDone(orders: readonly StepOrder[]): Promise<boolean> {
    const done = await Promise.all(orders.map((order) => this.#outputs.isDone(order)));
    return done.every(Boolean);
  }

  /** Returns the state of a job; "away" when the server does not answer; "failed" also notes the reason. */
  async #state(jobId: string, signal: AbortSignal | undefined): Promise<string> {
    const found = (async () => {
      const job = await this.#queue.getJob(jobId);
      if (job === undefined) return "unknown";
      const state = await job.getState();
      if (state === "failed" && job.failedReason) this.#reasons.set(jobId, job.failedReason);
      return state;
    })();
    return abortable(Promise.race([found.catch(() => "away"), sleep(this.#poll, "away")]), signal);
  }

  async close(): Promise<void> {
    await closeSoon(this.#events, this.#flows, this.#queue);
  }
}

const ALIVE: readonly string[] = [
  "waiting",
  "active",
  "delayed",
  "prioritized",
  "waiting-children",
  "paused",
];

function isAlive(state: string): boolean {
  return ALIVE.includes(state);
}

import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { ArcwiseError } from "@arcwise/core/errors";
import { abortable } from "@arcwise/core/messages";
import { checkOptions } from "@arcwise/core/options";
import type { Job, JobProgress, JobRun, Place } from "@arcwise/jobs";
import { JobBlobs, replayed, type Store } from "@arcwise/jobs/node";
import { describeOrders, type Order, orderOf } from "../order.ts";
import { queueAddress, withoutCredentials } from "./address.ts";
import { answerOf, checkServer, closeSoon } from "./check-server.ts";
import { INPUT_FAULT, type JobData, openEvents, openQueue, type QueueServer } from "./classes.ts";
import { JobSizes } from "./job-sizes.ts";
import { PLACE_OPTIONS, type QueuePlaceOptions } from "./options.ts";

/** Attempts of workers at a job before it counts as failed, and the first pause between them. */
const ATTEMPTS = 5;
const BACKOFF = 1000;
/** How often an order is given to the queue when its job is lost, or its input was damaged. */
const SUBMISSIONS = 50;
/** Milliseconds between two attempts to add jobs to a server that is away, and their number. */
const AWAY = 1000;
const MAX_AWAY = 600;
/** Looks at the store between two looks at the job. */
const LOOKS = 5;
/** Jobs that are done are kept as long, for `queueStatus`. Seconds, and their number. */
const KEPT = { age: 3600, count: 1000 } as const;
/** Orders that are given to the queue without waiting for those that are being prepared. */
const MANY = 16;

/**
 * Connects to a queue, and returns a place whose jobs are done by its workers (`serveQueue`), with which it shares a
 * store. Whether a job is done is decided by the store, not by the queue: jobs that are lost, or done twice, change
 * nothing. A job whose output is in the store is not done again.
 *
 * Inputs and outputs are plain data: what JSON can represent, and typed arrays. Workers do the jobs of Arcwise alone.
 *
 * @throws as `checkServer`; ArcwiseError `invalid-argument` when the address is not valid, `invalid-option`
 * @throws from `do`, ArcwiseError `step-failed` when workers fail at each attempt; `lost-connection` when the server is
 *   away for ten minutes
 *
 * @example
 * const place = await onQueue({ queue: "redis://one", store: await openStore("/srv/arcwise") });
 * const model = await trainPipeline(treebank, { place });
 */
export async function onQueue(options: QueuePlaceOptions): Promise<Place> {
  const { queue, password, name, signal, ...given } = checkOptions(PLACE_OPTIONS, options, "onQueue");
  const address = queueAddress(queue, password);
  await checkServer(address, signal);
  const place = new QueuePlace({ address, name }, given);
  await place.open(signal);
  return place;
}

/** An order that is being carried out. */
interface Waiting {
  readonly order: Order;
  readonly signal: AbortSignal | undefined;
  /** From 1. Later ones have a job of their own. */
  readonly submission: number;
  /** Called with its job in the queue. */
  readonly submit: (job: Promise<Submitted>) => void;
}

/** A job of the queue: orders that one worker carries out. */
interface Submitted {
  readonly id: string;
  readonly orders: readonly Order[];
  readonly wake: Set<() => void>;
  /** Why it has failed at each attempt. */
  failure?: string | undefined;
}

class QueuePlace implements Place {
  readonly width: number = Number.POSITIVE_INFINITY;
  readonly isPlain = true;
  readonly #server: QueueServer;
  readonly #blobs: JobBlobs;
  readonly #note: (line: string) => void;
  readonly #poll: number;
  readonly #queue;
  readonly #events;
  /** Part of the ids of all jobs of this place: an id that was used before would hide the job. */
  readonly #session = randomBytes(4).toString("hex");
  readonly #sizes = new JobSizes();
  readonly #jobs = new Map<string, Submitted>();
  /** Orders that are not in the queue, and the number of those that are being prepared. */
  #pending: Waiting[] = [];
  #preparing = 0;
  #lastId = 0;
  #isAway = false;

  constructor(
    server: QueueServer,
    {
      store,
      poll,
      onNote = () => {},
    }: {
      readonly store: Store;
      readonly poll: number;
      readonly onNote?: ((line: string) => void) | undefined;
    },
  ) {
    this.#server = server;
    this.#blobs = new JobBlobs(store);
    this.#note = onNote;
    this.#poll = poll;
    const onError = (error: Error) => this.#reportAway(error);
    this.#queue = openQueue(server, onError);
    const listener = {
      completed: (id: string, result: unknown) => {
        const job = this.#jobs.get(id);
        if (job !== undefined) this.#sizes.see(job.orders, result);
        this.#wake(job);
      },
      failed: (id: string, reason: string) => this.#fail(this.#jobs.get(id), reason),
    };
    this.#events = openEvents(server, listener, onError);
  }

  /** Waits for the connections. One to PostgreSQL that could not be made is never made again. */
  async open(signal: AbortSignal | undefined): Promise<void> {
    const opened = [this.#events, this.#queue].map((open) => open.waitUntilReady());
    try {
      await answerOf(Promise.all(opened), this.#server.address, signal);
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  do<In extends object, Out, Progress>(
    job: Job<In, Out>,
    input: In,
    run: JobRun<Progress> = {},
  ): Promise<Out> {
    return abortable(this.#do(job, input, run as JobRun<JobProgress>), run.signal);
  }

  async #do<In extends object, Out>(job: Job<In, Out>, input: In, run: JobRun<JobProgress>): Promise<Out> {
    for (let submission = 1; submission <= SUBMISSIONS; submission++) {
      run.signal?.throwIfAborted();
      const { order, present } = await this.#prepared(job, input);
      // An order that shared a job which failed may be sound.
      const found = present ?? (await this.#outputOf({ order, submission, signal: run.signal }));
      if (found !== undefined) return replayed(found, run);
      // A worker may have set an input aside.
      this.#blobs.forget(input);
    }
    const what = `the queue has lost the job ${job.name} ${SUBMISSIONS} times`;
    throw new ArcwiseError("step-failed", what, { at: job.name });
  }

  /** Writes the input of a job; returns its order, and its output if that is there. */
  async #prepared<In extends object, Out>(job: Job<In, Out>, input: In) {
    this.#preparing++;
    try {
      const order = orderOf(await this.#blobs.write(job, input));
      return { order, present: await this.#blobs.output(order) };
    } finally {
      this.#preparing--;
      this.#submitSoon();
    }
  }

  /** Returns the output of an order that is carried out; undefined when its job was lost. */
  async #outputOf(waiting: Omit<Waiting, "submit">) {
    const submitted = new Promise<Submitted>((submit) => this.#pending.push({ ...waiting, submit }));
    return this.#wait(waiting, await submitted);
  }

  /** Gives all pending orders to the queue once no other one is about to follow, so that short ones share a job. */
  #submitSoon(): void {
    setImmediate(() => {
      if (this.#preparing > 0 && this.#pending.length < MANY) return;
      const pending = this.#pending.splice(0).filter(({ signal }) => signal?.aborted !== true);
      const groups = new Map<string | Waiting, Waiting[]>();
      for (const waiting of pending) {
        const key = waiting.submission > 1 ? waiting : waiting.order.job;
        groups.set(key, [...(groups.get(key) ?? []), waiting]);
      }
      for (const orders of [...groups.values()].flatMap((group) => this.#sizes.jobsOf(group))) {
        const added = this.#add(orders.map(({ order }) => order));
        added.catch(() => {});
        for (const { submit } of orders) submit(added);
      }
    });
  }

  /** Adds a job, and waits for a server that is away. Adding it twice is adding it once. */
  async #add(orders: readonly Order[]): Promise<Submitted> {
    const id = `${this.#session}-${++this.#lastId}`;
    const job: Submitted = { id, orders, wake: new Set() };
    this.#jobs.set(id, job);
    const data: JobData = { orders };
    const opts = {
      jobId: id,
      attempts: ATTEMPTS,
      backoff: { type: "exponential", delay: BACKOFF },
      removeOnComplete: KEPT,
      removeOnFail: KEPT,
    };
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#queue.addBulk([{ name: orders[0]!.job, data, opts }]);
        this.#isAway = false;
        return job;
      } catch (error) {
        this.#reportAway(error as Error);
        if (attempt === MAX_AWAY) throw this.#awayTooLong(error as Error);
        await sleep(AWAY);
      }
    }
  }

  #awayTooLong({ message }: Error): ArcwiseError {
    const { address } = this.#server;
    const found = withoutCredentials(message, address);
    return new ArcwiseError(
      "lost-connection",
      `${address.shown}: ${found}, for ${MAX_AWAY} s; the same command continues from there`,
    );
  }

  /**
   * Waits for the output of an order. Returns undefined when the job would not write it any more, and may be repeated.
   */
  async #wait({ order, submission, signal }: Omit<Waiting, "submit">, job: Submitted) {
    let wake = () => {};
    const listener = () => wake();
    job.wake.add(listener);
    try {
      for (let look = 1; ; look++) {
        signal?.throwIfAborted();
        const event = new Promise<void>((resolve) => {
          wake = resolve;
        });
        const found = await this.#blobs.output(order);
        if (found !== undefined) return found;
        if (job.failure !== undefined) return this.#failed(order, submission, job.failure, job.orders.length);
        // The server may be away: what it says of jobs is waited for no longer than the store.
        if (look % LOOKS === 0 && (await this.#isLost(job)) && !(await this.#blobs.isDone(order))) {
          this.#note(`${describeOrders([order])}: the queue has lost the job; it is given to it again`);
          return undefined;
        }
        await abortable(Promise.race([event, sleep(this.#poll)]), signal);
      }
    } finally {
      job.wake.delete(listener);
      if (job.wake.size === 0) this.#jobs.delete(job.id);
    }
  }

  /**
   * Returns undefined if an input was damaged or is missing, which is then written again, or the fault may be another
   * order's.
   */
  async #failed(order: Order, submission: number, failure: string, orders: number): Promise<undefined> {
    const isDamaged = failure.startsWith(INPUT_FAULT) && submission < ATTEMPTS;
    if (isDamaged || orders > 1 || !(await this.#blobs.hasInput(order))) return undefined;
    const reason = withoutCredentials(failure, this.#server.address);
    const what = `the job ${describeOrders([order])} failed ${ATTEMPTS} times, at last with: ${reason}`;
    throw new ArcwiseError("step-failed", `${what}; the same command continues from there`, {
      at: order.job,
      found: reason,
    });
  }

  /** Returns whether a job is not in the queue any more; notes its failure. */
  async #isLost(job: Submitted): Promise<boolean> {
    const found = (async () => {
      const inQueue = await this.#queue.getJob(job.id);
      if (inQueue === undefined) return "unknown";
      const state = await inQueue.getState();
      if (state === "failed") this.#fail(job, inQueue.failedReason ?? "");
      return state;
    })();
    const state = await Promise.race([found.catch(() => "away"), sleep(this.#poll, "away")]);
    return LOST.includes(state);
  }

  #fail(job: Submitted | undefined, reason: string): void {
    if (job !== undefined) job.failure = reason;
    this.#wake(job);
  }

  #wake(job: Submitted | undefined): void {
    for (const wake of job?.wake ?? []) wake();
  }

  #reportAway(error: Error): void {
    if (this.#isAway) return;
    this.#isAway = true;
    const { address } = this.#server;
    this.#note(`${address.shown}: ${withoutCredentials(error.message, address)}; trying again`);
  }

  async close(): Promise<void> {
    await closeSoon(this.#events, this.#queue);
  }
}

/** States of jobs that write nothing any more. */
const LOST: readonly string[] = ["unknown", "completed"];

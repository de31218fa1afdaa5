import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { ArcwiseError, describeValue } from "@arcwise/core/errors";
import { type Channel, openChannel } from "../channel.ts";
import { type Job, type JobProgress, type Shared, sharedElsewhere } from "../job.ts";
import { Kept } from "../kept.ts";
import type { PlaceCalls, SharedToken, ThreadData, ThreadOrder } from "./messages.ts";

/** Minimum time between two reports of progress within an epoch, in milliseconds. */
const REPORTED = 100;

/** Does the jobs of a place, in sequence. */
class JobThread {
  readonly #place: Channel<PlaceCalls>;
  readonly #keeps: number;
  readonly #kept = new Kept();
  /** Shared data by number, the last used last. */
  readonly #data = new Map<number, object>();
  /** Handles in lists, whose data is not kept. */
  readonly #handles = new Map<number, Shared<object>>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(port: MessagePort, { keeps }: ThreadData) {
    this.#keeps = keeps;
    this.#place = openChannel<PlaceCalls>(port, {
      do: (order: ThreadOrder, report) => {
        const done = this.#last.then(() => this.#do(order, report));
        this.#last = done.catch(() => {});
        return done;
      },
    });
  }

  async #do(order: ThreadOrder, report: (progress: object) => void): Promise<unknown> {
    const job = await jobOf(order);
    let last = Number.NEGATIVE_INFINITY;
    const onProgress = (progress: JobProgress) => {
      const now = performance.now();
      if (now - last < REPORTED && progress.epochDone !== true) return;
      last = now;
      report(progress);
    };
    const context = { onProgress, signal: undefined, keep: this.#kept.for(job.name) };
    return job.run(await this.#resolved(order.input), context);
  }

  /** Returns an input with the data of its shared members. */
  async #resolved(input: object): Promise<object> {
    const entries: [string, unknown][] = [];
    for (const [name, member] of Object.entries(input)) {
      const given = Array.isArray(member) ? member.map((one) => this.#handleOf(one)) : member;
      entries.push([name, isToken(given) ? await this.#dataOf(given.arcwiseShared) : given]);
    }
    for (const number of [...this.#data.keys()].slice(0, -this.#keeps)) this.#data.delete(number);
    return Object.fromEntries(entries);
  }

  /** Returns a handle of the data of a token; other values as they are. */
  #handleOf(one: unknown): unknown {
    if (!isToken(one)) return one;
    const number = one.arcwiseShared;
    const handle = this.#handles.get(number) ?? sharedElsewhere(() => this.#fetch(number));
    this.#handles.set(number, handle);
    return handle;
  }

  async #dataOf(number: number): Promise<object> {
    const data = this.#data.get(number) ?? (await this.#fetch(number));
    this.#data.delete(number);
    this.#data.set(number, data);
    return data;
  }

  #fetch(number: number): Promise<object> {
    return this.#place.call("data", number).catch((cause: Error) => {
      throw new ArcwiseError("invalid-argument", cause.message, { at: "input", cause });
    });
  }
}

function isToken(member: unknown): member is SharedToken {
  return typeof member === "object" && member !== null && "arcwiseShared" in member;
}

/** Imports a job. */
async function jobOf({ name, module }: ThreadOrder): Promise<Job<object, unknown>> {
  const expected = `a module that exports the job "${name}"`;
  const refused = (found: string, cause?: unknown) =>
    new ArcwiseError("invalid-module", `expected ${expected}, found ${found}`, { expected, found, cause });
  const exported: Record<string, unknown> = await import(module).catch((cause?: NodeJS.ErrnoException) => {
    throw cause?.code?.startsWith("ERR_")
      ? refused(`${describeValue(module)}: ${cause.message}`, cause)
      : cause;
  });
  const job = Object.values(exported).find(
    (value): value is Job<object, unknown> =>
      typeof value === "object" && value !== null && "run" in value && "name" in value && value.name === name,
  );
  if (job !== undefined) return job;
  throw refused(module);
}

new JobThread(parentPort!, workerData as ThreadData);

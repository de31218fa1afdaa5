import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { ArcwiseError, describeValue, errorToData } from "@arcwise/core/errors";
import { type Job, type JobProgress, type Shared, sharedElsewhere } from "../job.ts";
import { Kept } from "../kept.ts";
import {
  ANSWER,
  type JobAddress,
  REQUEST,
  type SharedToken,
  type ThreadAnswer,
  type ThreadData,
} from "./messages.ts";

/** Minimum time between two reports of progress within an epoch, in milliseconds. */
const REPORTED = 100;

/** Does the jobs that arrive at a port, in sequence. */
class JobThread {
  readonly #port: MessagePort;
  readonly #keeps: number;
  readonly #kept = new Kept();
  /** Shared data by number, the last used last. */
  readonly #data = new Map<number, object>();
  /** Handles in lists, whose data is not kept. */
  readonly #handles = new Map<number, Shared<object>>();
  readonly #awaited = new Map<number, (data: object) => void>();
  #last: Promise<void> = Promise.resolve();

  constructor(port: MessagePort, { keeps }: ThreadData) {
    this.#port = port;
    this.#keeps = keeps;
    REQUEST.listen(port, (request) => {
      if (request.kind === "data") this.#awaited.get(request.number)?.(request.data);
      else this.#last = this.#last.then(() => this.#do(request.job, request.input));
    });
  }

  #answer(answer: ThreadAnswer): void {
    this.#port.postMessage(ANSWER.seal(answer));
  }

  async #do(address: JobAddress, input: object): Promise<void> {
    try {
      const job = await jobAt(address);
      let last = Number.NEGATIVE_INFINITY;
      const onProgress = (progress: JobProgress) => {
        const now = performance.now();
        if (now - last < REPORTED && progress.epochDone !== true) return;
        last = now;
        this.#answer({ kind: "progress", progress });
      };
      const context = { onProgress, signal: undefined, keep: this.#kept.for(job.name) };
      this.#answer({ kind: "done", output: await job.run(await this.#resolved(input), context) });
    } catch (error) {
      this.#answer({ kind: "failed", error: errorToData(error) });
    }
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

  async #fetch(number: number): Promise<object> {
    const arrival = new Promise<object>((resolve) => this.#awaited.set(number, resolve));
    this.#answer({ kind: "need", number });
    const data = await arrival;
    this.#awaited.delete(number);
    return data;
  }
}

function isToken(member: unknown): member is SharedToken {
  return typeof member === "object" && member !== null && "arcwiseShared" in member;
}

/** Imports a job. */
async function jobAt({ name, module }: JobAddress): Promise<Job<object, unknown>> {
  const expected = `a module that exports the job "${name}"`;
  const refused = (found: string, cause?: unknown) =>
    new ArcwiseError("invalid-module", `expected ${expected}, found ${found}`, { expected, found, cause });
  const exported: Record<string, unknown> = await import(module).catch((cause: NodeJS.ErrnoException) => {
    throw cause.code?.startsWith("ERR_")
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

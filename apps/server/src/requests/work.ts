import { abortable } from "@arcwise/core/messages";
import { limitExceeded, overloaded, RequestFailure, stopping } from "../failures.ts";
import type { Metrics } from "../metrics.ts";
import type { ModelSet, ServedModel } from "../models/served-models.ts";
import { type ServerResults, type ServerTask, serverJob } from "../models/server-jobs.ts";
import type { Written } from "../routes/plan.ts";
import type { CompleteLimits } from "../server-options.ts";
import type { Admission } from "./admission.ts";

/** The work of one request: its models, its limits, and the signal that ends it. */
export interface Work {
  readonly set: ModelSet;
  readonly limits: CompleteLimits;
  /** Aborted when the client has gone, or the server stops. */
  readonly signal: AbortSignal;
  /**
   * Does a task when it is the turn of the request.
   *
   * @param model the model that the task needs
   */
  do<Task extends ServerTask>(task: Task, model?: ServedModel): Promise<ServerResults[Task["kind"]]>;
  /** Counts sentences that were analysed. */
  count(model: ServedModel, written: Pick<Written, "sentences" | "words">): void;
  /** Ends the work. May be called again. */
  end(): void;
}

/** What works share. */
export interface WorkSettings {
  readonly limits: CompleteLimits;
  readonly admission: Admission;
  readonly metrics: Metrics;
}

/** Milliseconds that a thread has to complete a task after its request has ended. */
const GRACE = 5000;
/**
 * Milliseconds of a thread per byte of a request, roughly. A request comes before a longer one that arrived up to their
 * difference earlier: a sentence does not wait for a book, and no request waits for all that come after it.
 */
const COST = 0.02;

/** Keeps account of the works under way. */
export class Works {
  readonly #settings: WorkSettings;
  readonly #running = new Set<AbortController>();
  /** Mean milliseconds of the last works. */
  #mean = 0;
  #idle: (() => void) | undefined;
  #isStopping = false;

  constructor(settings: WorkSettings) {
    this.#settings = settings;
  }

  /**
   * Begins the work of a request.
   *
   * @param bytes length of its body
   * @param gone aborted when the client has gone
   */
  begin(set: ModelSet, bytes: number, gone: AbortSignal): Work {
    if (this.#isStopping) throw stopping();
    const { limits, admission, metrics } = this.#settings;
    admission.enter();
    set.use();
    const began = performance.now();
    const controller = new AbortController();
    this.#running.add(controller);
    const leave = () => controller.abort(clientGone());
    if (gone.aborted) leave();
    else gone.addEventListener("abort", leave, { once: true });
    const end = () => {
      if (!this.#running.delete(controller)) return;
      // Other tasks of a request that failed, or has all its matches, would keep the threads from other requests.
      controller.abort();
      this.#mean += (performance.now() - began - this.#mean) / 8;
      gone.removeEventListener("abort", leave);
      admission.leave();
      set.leave();
      if (this.#running.size === 0) this.#idle?.();
    };
    const { signal } = controller;
    const order = began + COST * bytes;
    let hasBegun = false;
    const work: Work = {
      ...{ set, limits, signal, end, count: (model, written) => metrics.count(model, written) },
      do: async (task, model) => {
        const late = hasBegun ? undefined : () => this.#late(set);
        return doInTurn(work, { task, model, order, late, begin: () => (hasBegun = true) });
      },
    };
    return work;
  }

  #late({ turns }: ModelSet): RequestFailure {
    const wait = Math.ceil((this.#mean * this.#running.size) / turns.width / 1000);
    return overloaded("requests that came before took all the time", Math.max(1, wait));
  }

  /** Lets no more works begin; resolves when none is under way, at the latest after some milliseconds: they are aborted then. */
  async stop(milliseconds: number): Promise<void> {
    this.#isStopping = true;
    if (this.#running.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        for (const controller of this.#running) controller.abort(stopping());
        // Works end when what waits for their signal has seen it.
        setTimeout(resolve, 100);
      }, milliseconds);
      this.#idle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

interface TurnTask<Task extends ServerTask> {
  readonly task: Task;
  readonly model: ServedModel | undefined;
  readonly order: number;
  /** Makes the error of a turn that does not come in time; undefined: it may come at any time. */
  readonly late: (() => RequestFailure) | undefined;
  /** Called when the turn has come. */
  readonly begin: () => void;
}

async function doInTurn<Task extends ServerTask>(
  { set, limits, signal }: Work,
  { task, model, order, late, begin }: TurnTask<Task>,
): Promise<ServerResults[Task["kind"]]> {
  const controller = new AbortController();
  const stop = () => controller.abort(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  const after = (error: () => RequestFailure) =>
    setTimeout(() => controller.abort(error()), 1000 * limits.seconds);
  let timer = late && after(late);
  try {
    await set.turns.take(order, controller.signal);
    begin();
    clearTimeout(timer);
    timer = after(() => limitExceeded("seconds", limits));
    const thread = endsLater(controller.signal);
    const done = set.place.do(serverJob, { files: model?.files, task }, { signal: thread.signal });
    // The time of the next task begins when a thread is free for it.
    const free = () => {
      thread.forget();
      set.turns.give();
    };
    done.then(free, free);
    const reply = await abortable(done, controller.signal);
    if ("failure" in reply) throw new RequestFailure(reply.failure);
    return reply.result as ServerResults[Task["kind"]];
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

/** Returns a signal that is aborted `GRACE` milliseconds after another one, unless that is forgotten. */
function endsLater(signal: AbortSignal): { readonly signal: AbortSignal; readonly forget: () => void } {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    timer = setTimeout(() => controller.abort(signal.reason), GRACE).unref();
  };
  signal.addEventListener("abort", wait, { once: true });
  const forget = () => {
    signal.removeEventListener("abort", wait);
    clearTimeout(timer);
  };
  return { signal: controller.signal, forget };
}

/** The reason of the end of a work whose client does not wait for it. */
function clientGone(): RequestFailure {
  return new RequestFailure({
    status: 400,
    code: "client-gone",
    message: "the client has closed the connection",
  });
}

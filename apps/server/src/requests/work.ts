import type { ConlluSentence } from "@arcwise/conllu";
import type { Metrics } from "../metrics.ts";
import type { ModelSet, ServedModel } from "../models/served-models.ts";
import type { CompleteLimits } from "../server-options.ts";
import type { Admission } from "./admission.ts";
import { limitExceeded, RequestFailure, stopping } from "./failures.ts";

/** The analyses of one request: its model, its limits, and the signal that ends it. */
export interface Work {
  readonly model: ServedModel;
  readonly set: ModelSet;
  readonly limits: CompleteLimits;
  /** Aborted when the client has gone, the time is over, or the server stops. */
  readonly signal: AbortSignal;
  /** Counts a sentence that is done. */
  count(sentence: ConlluSentence): void;
  /** Ends the work. May be called again. */
  end(): void;
}

/** What works share. */
export interface WorkSettings {
  readonly limits: CompleteLimits;
  readonly admission: Admission;
  readonly metrics: Metrics;
}

/** Keeps account of the works under way. */
export class Works {
  readonly #settings: WorkSettings;
  readonly #running = new Set<AbortController>();
  #idle: (() => void) | undefined;
  #isStopping = false;

  constructor(settings: WorkSettings) {
    this.#settings = settings;
  }

  /**
   * Begins the work of a request.
   *
   * @param gone aborted when the client has gone
   * @throws RequestFailure `overloaded`; `stopping`; `unknown-model`
   */
  begin(set: ModelSet, name: string | undefined, gone: AbortSignal): Work {
    if (this.#isStopping) throw stopping();
    const { limits, admission, metrics } = this.#settings;
    const model = set.named(name);
    admission.enter();
    set.use();
    const controller = new AbortController();
    this.#running.add(controller);
    const leave = () => controller.abort(clientGone());
    const timer = setTimeout(() => controller.abort(limitExceeded("seconds", limits)), limits.seconds * 1000);
    if (gone.aborted) leave();
    else gone.addEventListener("abort", leave, { once: true });
    const end = () => {
      if (!this.#running.delete(controller)) return;
      clearTimeout(timer);
      gone.removeEventListener("abort", leave);
      admission.leave();
      set.leave();
      if (this.#running.size === 0) this.#idle?.();
    };
    return { model, set, limits, signal: controller.signal, count: (one) => metrics.count(model, one), end };
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

/** The reason of the end of a work whose client does not wait for it. */
function clientGone(): RequestFailure {
  return new RequestFailure({
    status: 400,
    code: "client-gone",
    message: "the client has closed the connection",
  });
}

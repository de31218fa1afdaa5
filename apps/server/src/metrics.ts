import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { ServedModel } from "./models/served-models.ts";
import type { Admission } from "./requests/admission.ts";
import type { Written } from "./routes/plan.ts";

/** Seconds of the buckets of the durations of requests. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** A request that has ended. */
export interface EndedRequest {
  readonly method: string;
  /** The pattern of its path: other paths have one name together. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/** Figures of a server, as Prometheus reads them. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #duration: Histogram<"method" | "route" | "status">;
  readonly #sentences: Counter<"model">;
  readonly #words: Counter<"model">;
  readonly #lost: Counter;
  readonly #reloads: Counter<"result">;

  constructor(admission: Admission) {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.#duration = new Histogram({
      name: "arcwise_http_request_duration_seconds",
      help: "Seconds from the first line of a request to the end of its answer",
      labelNames: ["method", "route", "status"],
      buckets: BUCKETS,
      registers,
    });
    const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
      new Counter<Label>({ name: `arcwise_${name}_total`, help, labelNames: [...labelNames], registers });
    this.#sentences = counter("sentences", "Sentences that were analysed", ["model"]);
    this.#words = counter("words", "Words of sentences that were analysed", ["model"]);
    this.#lost = counter("threads_lost", "Threads that ended early", []);
    this.#reloads = counter("reloads", "Times that the models were loaded again", ["result"]);
    const gauge = (name: string, help: string, value: () => number) =>
      new Gauge({
        name: `arcwise_${name}`,
        help,
        registers,
        collect() {
          this.set(value());
        },
      });
    gauge("requests_under_way", "Requests that are worked on or wait for a thread", () => admission.requests);
    gauge("body_bytes", "Bytes of bodies of requests in memory", () => admission.bytes);
  }

  readonly contentType = this.#registry.contentType;

  /** Counts a request that has ended. */
  request({ method, route, status, seconds }: EndedRequest): void {
    this.#duration.observe({ method, route, status }, seconds);
  }

  /** Counts sentences that were analysed, and their words. */
  count({ name: model }: ServedModel, { sentences, words }: Pick<Written, "sentences" | "words">): void {
    this.#sentences.inc({ model }, sentences);
    this.#words.inc({ model }, words);
  }

  /** Counts a thread that ended early. */
  threadLost(): void {
    this.#lost.inc();
  }

  /** Counts a time that the models were loaded again. */
  reloaded(result: "done" | "failed"): void {
    this.#reloads.inc({ result });
  }

  /** Returns all figures in the text format of Prometheus. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }
}

import {
  callback,
  defineOptions,
  flag,
  having,
  integer,
  joinOptions,
  list,
  number,
  satisfying,
  signal,
  string,
  threadCount,
} from "@arcwise/core/options";
import type { Store } from "@arcwise/work/node";
import type { Order } from "../order.ts";
import type { OrderOutcome } from "../order-jobs.ts";
import type { StoreAddresses } from "../stores/layered-store.ts";
import { QUEUE_NAME } from "./classes.ts";

/** Where a queue is. */
export interface QueueOptions {
  /** `redis://`, `rediss://` or `postgres://`, with user and password where the server asks for them. */
  readonly queue: string;
  /** The password of the server, instead of one in the address. */
  readonly password?: string | undefined;
  /** Name of the queue: letters, digits, `-` and `_`. Default: "arcwise". */
  readonly name?: string | undefined;
  /** Called with a line about what happens: a server that is away, jobs that were lost. */
  readonly onNote?: ((line: string) => void) | undefined;
  /** Ends the wait for the server by throwing its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of `onQueue`. */
export interface QueuePlaceOptions extends QueueOptions {
  /** The store of the workers. */
  readonly store: Store;
  /** Milliseconds between two looks at the store, besides the events of the queue. Default: 1000. */
  readonly poll?: number | undefined;
}

/** Options of `serveQueue`. */
export interface ServeOptions extends QueueOptions, StoreAddresses {
  /** Whether jobs of trainings are refused. Default: false. */
  readonly onlyParses?: boolean | undefined;
  /**
   * Paths or `file:` URLs of modules on this machine that trainings may name: decoders, learners, features of trees.
   * Their code is run. Default: none.
   */
  readonly modules?: readonly string[] | undefined;
  /** Number of jobs that are done at a time, each in a thread of its own. Default: 1. */
  readonly threads?: number | undefined;
  /**
   * Milliseconds after which the jobs of a worker that has not been heard of are given to another one, which
   * happens after half as long again. Default: 10,000.
   */
  readonly lockDuration?: number | undefined;
  /** Called with each order that is carried out. */
  readonly onDone?: ((order: Order, outcome: OrderOutcome) => void) | undefined;
}

const queueName = satisfying(
  "a name of letters, digits, - and _",
  (value) => typeof value === "string" && /^[\w-]{1,200}$/.test(value),
);

/** The options of where a queue is. */
export const QUEUE_OPTIONS = defineOptions<QueueOptions>()({
  queue: {
    check: string,
    required: true,
    help: "redis://, rediss:// or postgres://, with user and password where the server asks for them",
  },
  password: { check: string, help: "the password of the server, instead of one in the address" },
  name: { check: queueName, default: QUEUE_NAME, help: "name of the queue: letters, digits, - and _" },
  onNote: { check: callback, help: "called with a line about what happens" },
  signal: { check: signal, help: "ends the wait for the server by throwing its reason" },
});

/** The options of `onQueue`. */
export const PLACE_OPTIONS = joinOptions(
  QUEUE_OPTIONS,
  defineOptions<Pick<QueuePlaceOptions, "store" | "poll">>()({
    store: {
      check: having("a store", "has", "read", "write", "setAside"),
      required: true,
      help: "the store of the workers",
    },
    poll: {
      check: number(1, 2 ** 31 - 1),
      default: 1000,
      help: "milliseconds between two looks at the store, besides the events of the queue",
    },
  }),
);

/** The options of `serveQueue`. */
export const SERVE_OPTIONS = joinOptions(
  QUEUE_OPTIONS,
  defineOptions<Omit<ServeOptions, keyof QueueOptions>>()({
    store: { check: string, required: true, help: "address of the store, see openStore" },
    readOnlyStore: { check: string, help: "address of a store that is read as well, and never written to" },
    onlyParses: { check: flag, default: false, help: "whether jobs of trainings are refused" },
    modules: { check: list(string), help: "modules that trainings may name: their code is run" },
    threads: { check: threadCount, default: 1, help: "jobs that are done at a time, each in a thread" },
    lockDuration: {
      check: integer(100, 2 ** 31 - 1),
      default: 10_000,
      help: "milliseconds after which the jobs of a silent worker are given to another one",
    },
    onDone: { check: callback, help: "called with each order that is carried out" },
  }),
);

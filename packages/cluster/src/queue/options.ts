import {
  accepting,
  callback,
  defineOptions,
  flag,
  having,
  integer,
  joinOptions,
  list,
  number,
  type OptionsOf,
  satisfying,
  signal,
  string,
  threadCount,
} from "@arcwise/core/options";
import type { Store } from "@arcwise/jobs/node";
import type { Order } from "../order.ts";
import type { OrderOutcome } from "../order-jobs.ts";
import { QUEUE_NAME } from "./classes.ts";

const queueName = satisfying<string>(
  "a name of letters, digits, - and _",
  (value) => typeof value === "string" && /^[\w-]{1,200}$/.test(value),
);

/** The options of where a queue is. */
export const QUEUE_OPTIONS = defineOptions({
  queue: {
    check: string,
    required: true,
    help: "redis://, rediss:// or postgres://, with user and password where the server asks for them",
  },
  password: { check: string, help: "the password of the server, instead of one in the address" },
  name: { check: queueName, default: QUEUE_NAME, help: "name of the queue: letters, digits, - and _" },
  onNote: {
    check: accepting<(line: string) => void>(callback),
    help: "called with a line about what happens: a server that is away, jobs that were lost",
  },
  signal: { check: signal, help: "ends the wait for the server by throwing its reason" },
});

/** Where a queue is. */
export interface QueueOptions extends OptionsOf<typeof QUEUE_OPTIONS> {}

/** The options of `onQueue`. */
export const PLACE_OPTIONS = joinOptions(
  QUEUE_OPTIONS,
  defineOptions({
    store: {
      check: having<Store>("a store", "has", "read", "write", "setAside"),
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

/** Options of `onQueue`. */
export interface QueuePlaceOptions extends OptionsOf<typeof PLACE_OPTIONS> {}

/** The options of `serveQueue`. */
export const SERVE_OPTIONS = joinOptions(
  QUEUE_OPTIONS,
  defineOptions({
    store: { check: string, required: true, help: "address of the store, see openStore" },
    readOnlyStore: {
      check: string,
      help: "address of a store that is read as well, where store lacks a blob, and never written to or changed",
    },
    onlyParses: { check: flag, default: false, help: "whether jobs of trainings are refused" },
    /** Their code is run. */
    modules: {
      check: list(string),
      help: "paths or file: URLs of modules on this machine that trainings may name: decoders, learners, features of trees",
      defaultHelp: "none",
    },
    threads: { check: threadCount, default: 1, help: "jobs that are done at a time, each in a thread" },
    lockDuration: {
      check: integer(100, 2 ** 31 - 1),
      default: 10_000,
      help: "milliseconds after which the jobs of a silent worker are given to another one, which happens after half as long again",
    },
    onDone: {
      check: accepting<(order: Order, outcome: OrderOutcome) => void>(callback),
      help: "called with each order that is carried out",
    },
  }),
);

/** Options of `serveQueue`. */
export interface ServeOptions extends OptionsOf<typeof SERVE_OPTIONS> {}

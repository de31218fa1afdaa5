import { availableParallelism } from "node:os";
import type { Encoder, EncoderIdentity } from "@arcwise/core/encoders";
import {
  accepting,
  callback,
  defineOptions,
  having,
  integer,
  list,
  type OptionsOf,
  positive,
  string,
  threadCount,
} from "@arcwise/core/options";
import type { Place } from "@arcwise/jobs";
import type { DestinationStream } from "pino";

/** The limits of requests. */
export const LIMIT_OPTIONS = defineOptions({
  body: {
    check: integer(1),
    default: 4 * 2 ** 20,
    help: "maximum length of the body of a request, in bytes",
  },
  sentence: { check: integer(1), default: 1000, help: "maximum number of words of a sentence" },
  sentences: { check: integer(1), default: 250_000, help: "maximum number of sentences of a request" },
  words: { check: integer(1), default: 1_000_000, help: "maximum number of words of a request" },
  kBest: { check: integer(1), default: 100, help: "maximum number of trees of a sentence" },
  pattern: { check: integer(1), default: 4096, help: "maximum length of a pattern, in UTF-16 code units" },
  answer: { check: integer(1), default: 2 ** 30, help: "maximum length of an answer, in bytes" },
  seconds: {
    check: positive,
    default: 60,
    help:
      "maximum time, in seconds, that a thread works on 64 sentences, or the sentences of 2048 words; that a request waits " +
      "for its turn; and that a client takes to read a part of its answer. A whole request may take longer",
  },
  bodySeconds: { check: positive, default: 30, help: "maximum time in which a body arrives, in seconds" },
  requests: {
    check: integer(1),
    help: "maximum number of requests that are worked on or wait for a thread; others get the status 503",
    defaultHelp: "32 per thread",
  },
});

/** The limits of requests. Larger requests get a status 4xx that names the limit. */
export interface ServerLimits extends OptionsOf<typeof LIMIT_OPTIONS> {}

/** Options of `startServer`. */
export const SERVER_OPTIONS = defineOptions({
  models: {
    check: list(string),
    required: true,
    help: "the models: files, or names of packages; NAME=MODEL gives one a name. The first one is the default of requests",
  },
  host: {
    check: string,
    default: "127.0.0.1",
    help: "the address to listen at; 0.0.0.0 and :: are all addresses of the machine",
  },
  port: { check: integer(0, 65535), default: 8080, help: "the port to listen at; 0: any free one" },
  threads: {
    check: threadCount,
    help: "maximum number of threads that parse",
    defaultHelp: "one per core",
  },
  limits: { options: LIMIT_OPTIONS, help: "the limits of requests" },
  cors: {
    check: list(string),
    default: [],
    help: "origins whose pages may call the server, such as https://example.org; *: all",
  },
  token: {
    check: string,
    help: "a secret that requests must have: Authorization: Bearer TOKEN",
    defaultHelp: "requests need none",
  },
  grace: {
    check: positive,
    default: 10,
    help: "seconds that requests have to end after the server is asked to stop",
  },
  log: {
    check: having<DestinationStream>("a stream: an object with write", "write"),
    programmatic: true,
    help: "a stream that takes the log, a line of JSON per event",
    defaultHelp: "the standard output",
  },
  encoder: {
    check: accepting<(needed: EncoderIdentity, file: string) => Promise<Encoder>>(callback),
    programmatic: true,
    help: "returns the encoder that the model of a file was trained with; it runs in the main thread",
    defaultHelp: "models that need an encoder are refused",
  },
  place: {
    check: accepting<() => Place>(callback),
    programmatic: true,
    help: "makes the place that parses, for each time that models are loaded",
    defaultHelp: "worker threads",
  },
});

/**
 * Options of `startServer`.
 *
 * @example
 * const options: ServerOptions = { models: ["english", "de=german.model"], port: 0, limits: { body: 2 ** 20 } };
 * const server = await startServer(options);
 */
export interface ServerOptions extends OptionsOf<typeof SERVER_OPTIONS> {}

/** Returns the number of threads of options. */
export function threadsOf({ threads }: Pick<ServerOptions, "threads">): number {
  return threads ?? availableParallelism();
}

/** Requests per thread that are worked on or wait. */
const REQUESTS = 32;

/** Limits with their defaults. */
export type CompleteLimits = Readonly<Record<keyof ServerLimits, number>>;

/** Returns limits with their defaults. */
export function limitsOf(limits: ServerLimits, threads: number): CompleteLimits {
  return { ...(limits as CompleteLimits), requests: limits.requests ?? REQUESTS * threads };
}

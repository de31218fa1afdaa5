import { type ArcwiseError, errorKind, hasCode } from "@arcwise/core/errors";
import type { CompleteLimits } from "./server-options.ts";

/** Statuses of failures that the server itself finds. */
type Status = 400 | 401 | 404 | 405 | 406 | 408 | 413 | 415 | 422 | 500 | 503;

/** A limit that a request exceeds. */
export interface ExceededLimit {
  /** A member of the option `limits`, or a field of the request. */
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

/** A failure as its client sees it. */
export interface Failure {
  readonly status: Status;
  /** One of `FAILURE_CODES`, or a code of an ArcwiseError. */
  readonly code: string;
  readonly message: string;
  readonly limit?: ExceededLimit | undefined;
  /** Seconds after which the request may be sent again. */
  readonly retryAfter?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** An error that is answered by its failure. */
export class RequestFailure extends Error {
  override readonly name = "RequestFailure";
  readonly failure: Failure;

  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.message, options);
    this.failure = failure;
  }
}

/** Returns the error of a request that the client can mend. */
export function badRequest(message: string): RequestFailure {
  return new RequestFailure({ status: 400, code: "invalid-request", message });
}

const EXCEEDED: Readonly<
  Record<Exclude<keyof CompleteLimits, "requests">, { status: Status; unit: string; what: string }>
> = {
  body: { status: 413, unit: "bytes", what: "a body of" },
  sentence: { status: 422, unit: "words", what: "sentences of" },
  sentences: { status: 422, unit: "sentences", what: "a request of" },
  words: { status: 422, unit: "words", what: "a request of" },
  kBest: { status: 400, unit: "trees", what: "kBest, for each sentence, of" },
  pattern: { status: 400, unit: "characters", what: "a pattern of" },
  answer: { status: 422, unit: "bytes", what: "an answer of" },
  seconds: { status: 422, unit: "seconds", what: "sentences that take" },
  bodySeconds: { status: 408, unit: "seconds", what: "a body that arrives within" },
};

/** Returns the error of a request that exceeds a limit. @param found what was found, in words */
export function limitExceeded(
  name: keyof typeof EXCEEDED,
  limits: CompleteLimits,
  found = "more",
): RequestFailure {
  const { status, unit, what } = EXCEEDED[name];
  const value = limits[name];
  const message = `expected ${what} at most ${value} ${unit} (the limit "${name}" of this server), found ${found}`;
  return new RequestFailure({ status, code: "limit-exceeded", message, limit: { name, value, unit } });
}

/** Returns the error of a field beyond its maximum, which is not an option of the server. */
export function beyondMaximum(name: string, value: number, unit: string, found: number): RequestFailure {
  const message = `${name}: expected at most ${value} ${unit}, found ${found}`;
  return new RequestFailure({ status: 400, code: "limit-exceeded", message, limit: { name, value, unit } });
}

/** Returns the error of a body of another media type. */
export function unsupportedType(expected: string, found: string): RequestFailure {
  const message = `expected a body of ${expected}, found ${JSON.stringify(found.slice(0, 100))}`;
  return new RequestFailure({ status: 415, code: "unsupported-media-type", message });
}

/** Returns the error of a request that the server has no room for. */
export function overloaded(what: string, retryAfter: number): RequestFailure {
  const message = `${what}: send the request again in ${retryAfter} s`;
  return new RequestFailure({ status: 503, code: "overloaded", message, retryAfter });
}

/** Returns the error of a request that is not done because the server stops. */
export function stopping(): RequestFailure {
  return new RequestFailure({ status: 503, code: "stopping", message: "the server stops", retryAfter: 1 });
}

/** Errors of an engine or a thread may name files of the machine: clients see these texts. */
const LOST =
  "the thread that worked on this request ended, each time: it may have run out of memory; send shorter sentences";
const INTERNAL = "internal error: the log of the server has it under the id of this request";

/**
 * Returns the failure that an error is to its client: without stacks and paths.
 *
 * @param hidden names of files, in place of which the client sees others
 */
export function failureOf(error: unknown, hidden: ReadonlyMap<string, string> = new Map()): Failure {
  if (error instanceof RequestFailure) return error.failure;
  if (hasCode(error, "thread-lost")) return { status: 500, code: "thread-lost", message: LOST };
  const kind = errorKind(error);
  if (kind !== "usage" && kind !== "data") return { status: 500, code: "internal", message: INTERNAL };
  const { code, message } = error as ArcwiseError;
  const shown = [...hidden].reduce((text, [path, name]) => text.replaceAll(path, name), message);
  return { status: kind === "usage" ? 400 : 422, code, message: shown };
}

/** Returns a failure as JSON. */
export function failureJson({ code, message, limit }: Failure, requestId: string): object {
  return { error: { code, message, ...(limit && { limit }), requestId } };
}

/** Returns the headers of a failure. */
export function failureHeaders({ retryAfter, headers }: Failure): Record<string, string> {
  return { ...headers, ...(retryAfter === undefined ? {} : { "Retry-After": `${retryAfter}` }) };
}

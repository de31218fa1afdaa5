/* The messages between a place and its threads. */
import type { ErrorData } from "@arcwise/core/errors";
import { errorData, messageKind } from "@arcwise/core/messages";
import { anyOf, anything, integer, oneOf, record, string, withMembers } from "@arcwise/core/options";

/** Data with which a thread is started. */
export interface ThreadData {
  /** Number of shared data that it keeps. */
  readonly keeps: number;
}

/** A shared member of an input, by the number of its data. */
export interface SharedToken {
  readonly arcwiseShared: number;
}

export type ThreadRequest =
  | { readonly kind: "do"; readonly job: JobAddress; readonly input: object }
  | { readonly kind: "data"; readonly number: number; readonly data: object };

/** Where a job is found. */
export interface JobAddress {
  readonly name: string;
  readonly module: string;
}

export type ThreadAnswer =
  /** Asks for shared data. */
  | { readonly kind: "need"; readonly number: number }
  | { readonly kind: "progress"; readonly progress: object }
  | { readonly kind: "done"; readonly output: unknown }
  | { readonly kind: "failed"; readonly error: ErrorData };

const number = integer(0);
const address = record<JobAddress>({ name: string, module: string });
const plain = withMembers("an object");

export const REQUEST = messageKind<ThreadRequest>(
  "job",
  anyOf(
    record<Record<"kind" | "job" | "input", unknown>>({
      kind: oneOf("do"),
      job: address,
      input: plain,
    }),
    record<Record<"kind" | "number" | "data", unknown>>({ kind: oneOf("data"), number, data: plain }),
  ),
);
export const ANSWER = messageKind<ThreadAnswer>(
  "job answer",
  anyOf(
    record<Record<"kind" | "number", unknown>>({ kind: oneOf("need"), number }),
    record<Record<"kind" | "progress", unknown>>({
      kind: oneOf("progress"),
      progress: plain,
    }),
    record<Record<"kind" | "output", unknown>>({ kind: oneOf("done"), output: anything }),
    record<Record<"kind" | "error", unknown>>({ kind: oneOf("failed"), error: errorData }),
  ),
);

/* The messages between `connectPipeline` and `servePipeline`. */
import { sentenceCheck } from "@arcwise/conllu";
import type { SentenceVectors } from "@arcwise/core/encoders";
import type { ErrorData } from "@arcwise/core/errors";
import { errorData, messageKind } from "@arcwise/core/messages";
import {
  anyOf,
  type Check,
  encoderIdentity,
  integer,
  list,
  oneOf,
  optional,
  partial,
  record,
  satisfying,
  string,
  tree,
  withMembers,
  words,
} from "@arcwise/core/options";
import type { AnalysisQuestion, GraphTask, SentenceTask } from "./analysis.ts";
import { RUN_OPTIONS } from "./run-options.ts";

/** The version of the messages: both ends must have the same. */
export const PROTOCOL = 5;

/**
 * A request to the other end. `cut` reads a chunk of the text of a session; without one the text ends. `leave`
 * frees a text that may not have ended.
 */
export type Question =
  | AnalysisQuestion
  | { readonly kind: "hello"; readonly protocol: number }
  | {
      readonly kind: "cut";
      readonly session: number;
      readonly lines?: boolean | undefined;
      readonly chunk?: string | undefined;
    }
  | { readonly kind: "leave"; readonly session: number };

export interface Request {
  readonly id: number;
  readonly question: Question;
}

/** `heard` says at once that there will be an answer. */
export type Answer = { readonly id: number } & (
  | { readonly heard: true }
  | { readonly result: unknown }
  | { readonly error: ErrorData }
);

const id = integer(0);
const something = satisfying("a result", (value) => value !== undefined);

/** Requests with any question, which `QUESTIONS` checks. */
export const REQUEST = messageKind<Request>(
  "pipeline request",
  record<Request>({ id, question: withMembers("a question", "kind") }),
);

export const ANSWER = messageKind<Answer>(
  "pipeline answer",
  anyOf(
    record<{ id: number; heard: true }>({ id, heard: oneOf(true) }),
    record<{ id: number; error: ErrorData }>({ id, error: errorData }),
    record<{ id: number; result: unknown }>({ id, result: something }),
  ),
);

const options = new Map(RUN_OPTIONS.map(({ name, check }) => [name, check]));
const settings = partial(
  Object.fromEntries(
    ["tags", "kBest", "marginals", "minConfidence", "deps", "lines", "offsets", "report"].map((name) => [
      name,
      options.get(name)!,
    ]),
  ),
);

/** Accepts the vectors of a sentence, whose number is checked when they are read. */
const VECTORS = record<SentenceVectors>({
  encoder: encoderIdentity,
  values: satisfying("16-bit floats", (value) => value instanceof Uint16Array),
});

/** Accepts questions, by their kind. */
export const QUESTIONS: { readonly [Kind in Question["kind"]]: Check } = {
  hello: record<{ kind: string; protocol: number }>({ kind: string, protocol: integer(0) }),
  analyse: record<{ kind: string; tasks: unknown; settings: unknown }>({
    kind: string,
    tasks: list(
      record<SentenceTask>({
        sentence: sentenceCheck,
        constraints: optional(withMembers("constraints")),
        vectors: optional(VECTORS),
      }),
    ),
    settings,
  }),
  text: record<{ kind: string; text: string; settings: unknown }>({ kind: string, text: string, settings }),
  graphs: record<{ kind: string; tasks: unknown }>({
    kind: string,
    tasks: list(record<GraphTask>({ words, syntax: optional(tree), vectors: optional(VECTORS) })),
  }),
  cut: record<{ kind: string; session: number; lines: boolean; chunk: string }>({
    kind: string,
    session: integer(0),
    lines: optional(options.get("lines")!),
    chunk: optional(string),
  }),
  leave: record<{ kind: string; session: number }>({ kind: string, session: integer(0) }),
};
/** Accepts the kinds of questions. */
export const questionKind = oneOf(...Object.keys(QUESTIONS));

/** Accepts the results of questions about tasks. */
export const RESULTS = record<{ results: unknown; counts: unknown }>({
  results: list(withMembers("a result")),
  counts: withMembers("counts", "words"),
});
/** Accepts sentences of a text. */
export const CUT = list(withMembers("a sentence with tokens", "tokens"));

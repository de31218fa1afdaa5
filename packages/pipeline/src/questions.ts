/* The questions of `connectPipeline` to `servePipeline`. */
import { sentenceCheck } from "@arcwise/conllu";
import type { SentenceVectors } from "@arcwise/core/encoders";
import {
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

/**
 * A question to the other end. `cut` reads a chunk of the text of a session; without one the text ends. `leave`
 * frees a text that may not have ended.
 */
export type Question =
  | AnalysisQuestion
  | { readonly kind: "facts" }
  | {
      readonly kind: "cut";
      readonly session: number;
      readonly lines?: boolean | undefined;
      readonly chunk?: string | undefined;
    }
  | { readonly kind: "leave"; readonly session: number };

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
const QUESTIONS: { readonly [Kind in Question["kind"]]: Check } = {
  facts: record<{ kind: string }>({ kind: string }),
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
const kinds = oneOf(...Object.keys(QUESTIONS));

/** Accepts questions. */
export const isQuestion: Check = (value, at) => {
  withMembers("a question", "kind")(value, at);
  const { kind } = value as Question;
  kinds(kind, `${at}.kind`);
  QUESTIONS[kind](value, at);
};

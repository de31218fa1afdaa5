import { sentenceCheck } from "@arcwise/conllu";
import { type Encoder, requireEncoder, type SentenceVectors } from "@arcwise/core/encoders";
import { abortable } from "@arcwise/core/messages";
import {
  accepting,
  anyOf,
  type Check,
  checkArgument,
  checkOptions,
  checkReceived,
  defineOptions,
  encoderIdentity,
  having,
  integer,
  list,
  number,
  type OptionsOf,
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
import { type Calls, type Channel, type ChannelPort, openChannel } from "@arcwise/jobs";
import type { TextSession, TokenizedSentence } from "@arcwise/tokenize";
import type { AnalysisQuestion, GraphTask, PipelineFacts, SentenceTask } from "./analysis.ts";
import type { AnalysisPipeline, Pipeline } from "./assemble.ts";
import {
  type AskOptions,
  analysisOf,
  answerTo,
  aPipeline,
  PipelineElsewhere,
  type RemotePipeline,
} from "./elsewhere.ts";
import type { EncodedPipeline } from "./encoded-pipeline.ts";
import { ANALYSIS_OPTIONS } from "./run-options.ts";
import { type Analyser, SESSION_OPTIONS, type SessionOptions } from "./runner.ts";

/**
 * One end of a channel, as of `openChannel` of `@arcwise/jobs`.
 *
 * @example
 * const port: PipelinePort = new Worker("./worker.js", { type: "module" });
 * const nlp = connectPipeline(port);
 */
export interface PipelinePort extends ChannelPort {}

/** The name of the function that answers questions: both ends must have the same version. */
export const ANSWER = "pipeline 6";

/** Accepts sentences of a text. */
const CUT = list(withMembers("a sentence with tokens", "tokens"));

/** Accepts ends of channels. */
const PORT = anyOf(
  having("a worker or a port", "postMessage", "addEventListener"),
  having("a worker or a port", "postMessage", "on"),
);

/**
 * Serves the requests of `connectPipeline` at the other end of a channel. Other messages, such as messages of other
 * libraries, are ignored.
 *
 * @param pipeline may be a promise, so that a worker serves at once: requests wait for it, and are rejected
 *   with its error
 * @param calls further functions that the other end may call, by `openChannel` of `@arcwise/jobs`
 * @throws ArcwiseError `invalid-argument`
 *
 * @example
 * // worker.js
 * servePipeline(load().then((model) => createPipeline(model)), self);
 */
export function servePipeline(
  pipeline: Pipeline | EncodedPipeline | Promise<Pipeline | EncodedPipeline>,
  port: PipelinePort,
  calls: Calls = {},
): void {
  checkArgument(anyOf(having("a pipeline", "then"), aPipeline), pipeline, "servePipeline: pipeline");
  checkArgument(PORT, port, "servePipeline: port");
  const served = Promise.resolve(pipeline).then((made) => analysisOf(made as Pipeline) as ServedPipeline);
  // Its error is the answer to each request.
  served.catch(() => {});
  const sessions = new Map<number, TextSession>();
  const answer = async (question: Question) => {
    checkReceived(isQuestion, question, "request");
    return replyTo(await served, question, sessions);
  };
  openChannel(port, { [ANSWER]: answer, ...calls });
}

/** Common members of a pipeline in this thread and a pipeline with an encoder. */
type ServedPipeline = Omit<Analyser, "session" | "width"> & Pick<AnalysisPipeline, "facts" | "session">;

function replyTo(pipeline: ServedPipeline, question: Question, sessions: Map<number, TextSession>): unknown {
  if (question.kind === "facts") return pipeline.facts;
  if (question.kind !== "cut" && question.kind !== "leave") return answerTo(pipeline, question);
  if (question.kind === "leave") return sessions.delete(question.session);
  const session = sessions.get(question.session) ?? pipeline.session({ lines: question.lines });
  sessions.set(question.session, session);
  if (question.chunk !== undefined) return session.push(question.chunk);
  sessions.delete(question.session);
  return session.end();
}

/** Maximum time of a timer. */
const MAX_TIME = 2 ** 31 - 1;

/** The options of `connectPipeline`. */
export const CONNECT_OPTIONS = defineOptions({
  timeout: {
    check: number(0, MAX_TIME),
    default: 30_000,
    help: "milliseconds that the other end has for its first sign of life; loading a model may take longer",
  },
  patience: {
    check: number(0, MAX_TIME),
    default: 600_000,
    help: "milliseconds without any answer, while there are requests, after which the other end counts as lost",
  },
  /** It runs at this end; vectors go with the sentences. A served pipeline may have it instead. */
  encoder: {
    check: accepting<Encoder>((value, at) => void requireEncoder(value, at)),
    help: "the encoder that the model of the served pipeline was trained with, if that has no encoder",
  },
});

/**
 * Options of `connectPipeline`.
 *
 * @example
 * const options: ConnectOptions = { timeout: 60_000 };
 * const nlp = connectPipeline(worker, options);
 */
export interface ConnectOptions extends OptionsOf<typeof CONNECT_OPTIONS> {}

/**
 * Returns the pipeline that `servePipeline` serves at the other end of a channel. All its methods reject with
 * `lost-connection` when the other end fails, ends, or does not answer in time. Other messages are ignored.
 *
 * @throws ArcwiseError `invalid-argument`, `unknown-option`, `invalid-option`
 *
 * @example
 * const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
 * const nlp = connectPipeline(worker); // worker.ts calls servePipeline(…, self)
 * const sentences = await nlp.run("Dogs bark.");
 */
export function connectPipeline(port: PipelinePort, options?: ConnectOptions): RemotePipeline {
  checkArgument(PORT, port, "connectPipeline: port");
  return new Connection(port, checkOptions(CONNECT_OPTIONS, options, "connectPipeline"));
}

/** The functions of `servePipeline`. */
type Served = Record<typeof ANSWER, (question: Question) => Promise<unknown>>;

/** A pipeline at the other end of a channel. */
class Connection extends PipelineElsewhere {
  readonly width = 1;
  readonly #channel: Channel<Served>;
  readonly #facts: Promise<PipelineFacts>;
  #sessions = 0;

  constructor(port: PipelinePort, { encoder, timeout, patience }: ConnectOptions) {
    super();
    if (encoder !== undefined) this.encodeBy(encoder);
    this.#channel = openChannel<Served>(port, {}, { timeout, patience });
    this.#facts = this.#ask({ kind: "facts" }) as Promise<PipelineFacts>;
    // Its error is met by whoever asks.
    this.#facts.catch(() => {});
  }

  ready({ signal }: AskOptions = {}): Promise<PipelineFacts> {
    return abortable(this.#facts, signal);
  }

  answer(question: AnalysisQuestion, signal: AbortSignal | undefined): Promise<unknown> {
    return this.#ask(question, signal);
  }

  /** Begins a text, which the other end cuts into words. */
  session(options?: SessionOptions) {
    const { signal, lines } = checkOptions(SESSION_OPTIONS, options, "session");
    const session = this.#sessions++;
    const cut = async (chunk?: string) => {
      const sentences = await this.#ask({ kind: "cut", session, lines, chunk }, signal);
      checkReceived(CUT, sentences, "answer");
      return sentences as TokenizedSentence[];
    };
    const leave = () => void this.#ask({ kind: "leave", session }).catch(() => {});
    return { push: cut, end: () => cut(), leave };
  }

  #ask(question: Question, signal?: AbortSignal): Promise<unknown> {
    return this.#channel.call(ANSWER, question, { signal });
  }
}

/**
 * A question to the other end. `cut` reads a chunk of the text of a session; without one the text ends. `leave`
 * frees a text that may not have ended.
 */
type Question =
  | AnalysisQuestion
  | { readonly kind: "facts" }
  | {
      readonly kind: "cut";
      readonly session: number;
      readonly lines?: boolean | undefined;
      readonly chunk?: string | undefined;
    }
  | { readonly kind: "leave"; readonly session: number };

const CHECKS = Object.fromEntries(ANALYSIS_OPTIONS.map(({ name, check }) => [name, check]));
const SETTINGS = partial(CHECKS);

/** Accepts the vectors of a sentence, whose number is checked when they are read. */
const VECTORS = record<SentenceVectors>({
  encoder: encoderIdentity,
  values: satisfying("16-bit floats", (value) => value instanceof Uint16Array),
});

const withKind = (members: Readonly<Record<string, Check>>): Check =>
  record<Record<string, unknown>>({ kind: string, ...members });
/** Accepts questions, by their kind. */
const QUESTIONS: { readonly [Kind in Question["kind"]]: Check } = {
  facts: withKind({}),
  analyse: withKind({
    tasks: list(
      record<SentenceTask>({
        sentence: sentenceCheck,
        constraints: optional(withMembers("constraints")),
        vectors: optional(VECTORS),
      }),
    ),
    settings: SETTINGS,
  }),
  text: withKind({ text: string, settings: SETTINGS }),
  graphs: withKind({
    tasks: list(record<GraphTask>({ words, syntax: optional(tree), vectors: optional(VECTORS) })),
  }),
  cut: withKind({ session: integer(0), lines: optional(CHECKS.lines!), chunk: optional(string) }),
  leave: withKind({ session: integer(0) }),
};
const kinds = oneOf(...Object.keys(QUESTIONS));

/** Accepts questions. */
const isQuestion: Check = (value, at) => {
  withMembers("a question", "kind")(value, at);
  const { kind } = value as Question;
  kinds(kind, `${at}.kind`);
  QUESTIONS[kind](value, at);
};

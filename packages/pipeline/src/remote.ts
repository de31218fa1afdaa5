import { type Encoder, requireEncoder } from "@arcwise/core/encoders";
import { ArcwiseError, errorFromData, errorToData } from "@arcwise/core/errors";
import { abortable } from "@arcwise/core/messages";
import {
  accepting,
  anyOf,
  checkArgument,
  checkOptions,
  checkReceived,
  defineOptions,
  having,
  number,
  type OptionsOf,
} from "@arcwise/core/options";
import type { TextSession, TokenizedSentence } from "@arcwise/tokenize";
import type { AnalysisQuestion, PipelineFacts } from "./analysis.ts";
import { analysisOf, aPipeline } from "./analysis-pipeline.ts";
import type { AnalysisPipeline, Pipeline } from "./assemble.ts";
import { type AskOptions, answerTo, PipelineElsewhere, type RemotePipeline } from "./elsewhere.ts";
import type { EncodedPipeline } from "./encoded-pipeline.ts";
import { listenTo, type PipelinePort } from "./port.ts";
import {
  ANSWER,
  type Answer,
  CUT,
  PROTOCOL,
  QUESTIONS,
  type Question,
  questionKind,
  REQUEST,
  type Request,
} from "./remote-messages.ts";
import { type Analyser, SESSION_OPTIONS, type SessionOptions } from "./runner.ts";

/** Accepts ends of channels. */
const PORT = anyOf(
  having("a worker or a port", "postMessage", "addEventListener"),
  having("a worker or a port", "postMessage", "on"),
);

/**
 * Serves the requests of `connectPipeline` at the other end of a channel, in sequence. Other messages, such as
 * messages of other libraries, are ignored.
 *
 * @param pipeline may be a promise, so that a worker serves at once: requests wait for it, and are rejected
 *   with its error
 * @throws ArcwiseError `invalid-argument`
 *
 * @example
 * // worker.js
 * servePipeline(load().then((model) => createPipeline(model)), self);
 */
export function servePipeline(
  pipeline: Pipeline | EncodedPipeline | Promise<Pipeline | EncodedPipeline>,
  port: PipelinePort,
): void {
  checkArgument(anyOf(having("a pipeline", "then"), aPipeline), pipeline, "servePipeline: pipeline");
  checkArgument(PORT, port, "servePipeline: port");
  const served = Promise.resolve(pipeline).then((made) => analysisOf(made as Pipeline) as ServedPipeline);
  // Its error is the answer to each request.
  served.catch(() => {});
  const sessions = new Map<number, TextSession>();
  const answer = async ({ id, question }: Request): Promise<Answer> => {
    try {
      checkReceived(questionKind, question.kind, "request.kind");
      checkReceived(QUESTIONS[question.kind], question, "request");
      if (question.kind === "hello" && question.protocol !== PROTOCOL) {
        const versions = `expected messages of version ${PROTOCOL}, found ${question.protocol}`;
        throw new ArcwiseError("lost-connection", `${versions}: use one version of Arcwise at both ends`);
      }
      return { id, result: await replyTo(await served, question, sessions) };
    } catch (error) {
      return { id, error: errorToData(error) };
    }
  };
  listenTo(port, {
    message: (data) => {
      const request = REQUEST.open(data);
      if (request === undefined) return;
      const { id, question } = request;
      if (question.kind === "hello") port.postMessage(ANSWER.seal({ id, heard: true }));
      void answer(request).then((reply) => postAnswer(port, reply));
    },
    lost: () => sessions.clear(),
  });
}

/** Posts an answer. Steps of a program may return what no message can carry, which is the answer then. */
function postAnswer(port: PipelinePort, answer: Answer): void {
  try {
    port.postMessage(ANSWER.seal(answer));
  } catch (cause) {
    const { message } = cause as Error;
    const error = new ArcwiseError("invalid-data", `the answer cannot be sent: ${message}`, { cause });
    port.postMessage(ANSWER.seal({ id: answer.id, error: errorToData(error) }));
  }
}

/** Common members of a pipeline in this thread and a pipeline with an encoder. */
type ServedPipeline = Omit<Analyser, "session" | "width"> & Pick<AnalysisPipeline, "facts" | "session">;

function replyTo(pipeline: ServedPipeline, question: Question, sessions: Map<number, TextSession>): unknown {
  if (question.kind === "hello") return pipeline.facts;
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

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** An end of a channel that asks. */
class Connection extends PipelineElsewhere {
  readonly width = 1;
  readonly #port: PipelinePort;
  readonly #limits: ConnectOptions;
  readonly #waiting = new Map<number, Waiting>();
  readonly #facts: Promise<PipelineFacts>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isHeard = false;
  #requests = 0;
  #sessions = 0;
  #lost: ArcwiseError | undefined;

  constructor(port: PipelinePort, limits: ConnectOptions) {
    super();
    if (limits.encoder !== undefined) this.encodeBy(limits.encoder);
    this.#port = port;
    this.#limits = limits;
    listenTo(port, {
      message: (data) => {
        const answer = ANSWER.open(data);
        if (answer !== undefined) this.#receive(answer);
      },
      lost: (reason, cause) => this.#lose(reason, cause),
    });
    this.#facts = this.#ask({ kind: "hello", protocol: PROTOCOL }) as Promise<PipelineFacts>;
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
    const id = this.#requests++;
    const asked = new Promise((resolve, reject) => {
      if (this.#lost !== undefined) return reject(this.#lost);
      try {
        this.#port.postMessage(REQUEST.seal({ id, question }));
      } catch (cause) {
        const message = `the request cannot be sent: ${(cause as Error).message}`;
        return reject(new ArcwiseError("invalid-argument", message, { cause }));
      }
      this.#waiting.set(id, { resolve, reject });
      this.#timer ??= this.#startTimer();
    });
    if (signal === undefined) return asked;
    return abortable(asked, signal).finally(() => this.#waiting.delete(id));
  }

  #startTimer() {
    const { timeout, patience } = this.#limits;
    const limit = this.#isHeard ? patience : timeout;
    const reason = this.#isHeard ? `it did not answer for ${limit} ms` : "it gave no sign of life";
    return setTimeout(() => this.#lose(reason), limit);
  }

  #receive(answer: Answer): void {
    this.#isHeard = true;
    this.#stopTimer();
    if (!("heard" in answer)) {
      const waiting = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      if ("error" in answer) waiting?.reject(errorFromData(answer.error));
      else waiting?.resolve(answer.result);
    }
    if (this.#waiting.size > 0) this.#timer = this.#startTimer();
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #lose(reason: string, cause?: unknown): void {
    this.#stopTimer();
    this.#lost ??= new ArcwiseError("lost-connection", `the pipeline ended: ${reason}`, { cause });
    for (const { reject } of this.#waiting.values()) reject(this.#lost);
    this.#waiting.clear();
  }
}

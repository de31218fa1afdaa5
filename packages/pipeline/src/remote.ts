import type { SentenceView } from "@arcwise/conllu";
import { ArcwiseError } from "@arcwise/core";
import { type ErrorData, errorFromData, errorToData } from "@arcwise/core/errors";
import { checkArgument, checkOptions, defineOptions, having, number } from "@arcwise/core/options";
import type { TextSession, TokenizedSentence } from "@arcwise/tokenize";
import type {
  AnalysisResults,
  AnalysisSettings,
  GraphResults,
  GraphTask,
  PipelineFacts,
  SentenceTask,
} from "./analysis.ts";
import type { Pipeline } from "./assemble.ts";
import { isIterable, isTextToRun, type SentenceInput } from "./inputs.ts";
import { listenTo, type PipelinePort } from "./port.ts";
import type { RunOptions, StreamInput } from "./run-options.ts";
import { annotateStream } from "./runner.ts";

/** A pipeline elsewhere, such as in a worker. It has the methods of `Pipeline`, which reject with what `Pipeline` throws. */
export interface RemotePipeline {
  run(text: string, options?: RunOptions): Promise<SentenceView[]>;
  annotate(sentences: Iterable<SentenceInput>, options?: RunOptions): Promise<SentenceView[]>;
  stream(input: StreamInput, options?: RunOptions): AsyncGenerator<SentenceView>;
  analyse(tasks: readonly SentenceTask[], settings?: AnalysisSettings): Promise<AnalysisResults>;
  findGraphs(tasks: readonly GraphTask[]): Promise<GraphResults>;
  /** Resolves when the pipeline is loaded, with what it was trained with. */
  ready(): Promise<PipelineFacts>;
}

/** The version of the messages: both ends must have the same. */
const PROTOCOL = 1;

/**
 * What is asked of the other end. `cut` reads a chunk of the text of a session; without one the text ends. `leave`
 * frees a text that may not have ended.
 */
type Question =
  | { readonly kind: "hello"; readonly protocol: number }
  | { readonly kind: "analyse"; readonly tasks: readonly SentenceTask[]; readonly settings: AnalysisSettings }
  | { readonly kind: "graphs"; readonly tasks: readonly GraphTask[] }
  | { readonly kind: "cut"; readonly session: number; readonly chunk?: string | undefined }
  | { readonly kind: "leave"; readonly session: number };

interface Request {
  readonly id: number;
  readonly question: Question;
  /** Shared memory in which the index of the sentence that is under way is kept. */
  readonly reached?: Int32Array | undefined;
}

/** `heard` says at once that there will be an answer. */
type Answer = { readonly id: number } & (
  | { readonly heard: true }
  | { readonly result: unknown }
  | { readonly error: ErrorData }
);

/**
 * Serves the requests of `connectPipeline` at the other end of a channel, one after the other.
 *
 * @param pipeline may be a promise, so that a worker serves at once: requests wait for it, and are rejected
 *   with its error
 */
export function servePipeline(pipeline: Pipeline | Promise<Pipeline>, port: PipelinePort): void {
  const served = Promise.resolve(pipeline);
  // Its error is the answer to each request.
  served.catch(() => {});
  const sessions = new Map<number, TextSession>();
  const answer = async ({ id, question, reached }: Request): Promise<Answer> => {
    try {
      if (question.kind === "hello" && question.protocol !== PROTOCOL) {
        const versions = `expected messages of version ${PROTOCOL}, found ${question.protocol}`;
        throw new ArcwiseError("lost-connection", `${versions}: use one version of Arcwise at both ends`);
      }
      return { id, result: replyTo(await served, question, sessions, reached) };
    } catch (error) {
      return { id, error: errorToData(error) };
    }
  };
  listenTo(port, {
    message: (data) => {
      const request = data as Request;
      const { id, question } = request;
      if (question.kind === "hello") port.postMessage({ id, heard: true } satisfies Answer);
      void answer(request).then((reply) => port.postMessage(reply));
    },
    lost: () => sessions.clear(),
  });
}

function replyTo(
  pipeline: Pipeline,
  question: Question,
  sessions: Map<number, TextSession>,
  reached: Int32Array | undefined,
): unknown {
  const onSentence = (index: number) => {
    if (reached !== undefined) Atomics.store(reached, 0, index);
  };
  if (question.kind === "hello") return pipeline.facts;
  if (question.kind === "analyse") {
    const { results, counts } = pipeline.analyse(question.tasks, question.settings, onSentence);
    return { results: results.map(errorAsData), counts };
  }
  if (question.kind === "graphs") {
    const { results, counts } = pipeline.findGraphs(question.tasks, onSentence);
    return { results: results.map(errorAsData), counts };
  }
  if (question.kind === "leave") return sessions.delete(question.session);
  const session = sessions.get(question.session) ?? pipeline.session();
  sessions.set(question.session, session);
  if (question.chunk !== undefined) return session.push(question.chunk);
  sessions.delete(question.session);
  return session.end();
}

function errorAsData<Result extends { readonly error?: unknown }>(result: Result) {
  return result.error === undefined ? result : { error: errorToData(result.error) };
}

function errorFrom<Result extends { readonly error?: unknown }>(result: Result): Result {
  return result.error === undefined ? result : { ...result, error: errorFromData(result.error as ErrorData) };
}

/** Options of `connectPipeline`. */
export interface ConnectOptions {
  readonly timeout?: number | undefined;
}

/** The options of `connectPipeline`. */
export const CONNECT_OPTIONS = defineOptions<ConnectOptions>()({
  timeout: {
    check: number(0, 2 ** 31 - 1),
    default: 30_000,
    help: "milliseconds that the other end has for its first sign of life; loading a model may take longer",
  },
});

/**
 * Returns the pipeline that `servePipeline` serves at the other end of a channel. All its methods reject with
 * `lost-connection` when the other end fails, ends, or gives no sign of life in time.
 *
 * @throws ArcwiseError `invalid-argument`, `unknown-option`, `invalid-option`
 */
export function connectPipeline(port: PipelinePort, options?: ConnectOptions): RemotePipeline {
  checkArgument(having("a worker or a port", "postMessage"), port, "connectPipeline: port");
  return new Connection(port, checkOptions(CONNECT_OPTIONS, options, "connectPipeline").timeout);
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** An end of a channel that asks. */
export class Connection implements RemotePipeline {
  readonly #port: PipelinePort;
  readonly #waiting = new Map<number, Waiting>();
  readonly #facts: Promise<PipelineFacts>;
  #requests = 0;
  #sessions = 0;
  #lost: ArcwiseError | undefined;

  /** @param timeout milliseconds for the first sign of life; undefined: no limit */
  constructor(port: PipelinePort, timeout: number | undefined) {
    this.#port = port;
    const silent =
      timeout === undefined ? undefined : setTimeout(() => this.#lose("it gave no sign of life"), timeout);
    listenTo(port, {
      message: (data) => {
        clearTimeout(silent);
        this.#receive(data as Answer);
      },
      lost: (reason, cause) => {
        clearTimeout(silent);
        this.#lose(reason, cause);
      },
    });
    this.#facts = this.#ask({ kind: "hello", protocol: PROTOCOL }) as Promise<PipelineFacts>;
    // Its error is met by whoever asks.
    this.#facts.catch(() => {});
  }

  /** The error of all requests since the other end cannot answer any more. */
  get lost(): Error | undefined {
    return this.#lost;
  }

  ready(): Promise<PipelineFacts> {
    return this.#facts;
  }

  async run(text: string, options?: RunOptions): Promise<SentenceView[]> {
    checkArgument(isTextToRun, text, "run: text");
    return gathered(this.stream([text], options));
  }

  async annotate(sentences: Iterable<SentenceInput>, options?: RunOptions): Promise<SentenceView[]> {
    checkArgument(isIterable, sentences, "annotate: sentences");
    return gathered(this.stream(sentences, options));
  }

  stream(input: StreamInput, options?: RunOptions): AsyncGenerator<SentenceView> {
    return annotateStream(
      { analyse: this.analyse.bind(this), session: () => this.session() },
      input,
      options,
    );
  }

  async analyse(
    tasks: readonly SentenceTask[],
    settings: AnalysisSettings = {},
    reached?: Int32Array,
  ): Promise<AnalysisResults> {
    const answer = await this.#ask({ kind: "analyse", tasks, settings }, reached);
    const { results, counts } = answer as AnalysisResults;
    return { results: results.map(errorFrom), counts };
  }

  async findGraphs(tasks: readonly GraphTask[], reached?: Int32Array): Promise<GraphResults> {
    const { results, counts } = (await this.#ask({ kind: "graphs", tasks }, reached)) as GraphResults;
    return { results: results.map(errorFrom), counts };
  }

  /** Begins a text, which the other end cuts into words. */
  session() {
    const session = this.#sessions++;
    const cut = (chunk?: string) =>
      this.#ask({ kind: "cut", session, chunk }) as Promise<TokenizedSentence[]>;
    const leave = () => void this.#ask({ kind: "leave", session }).catch(() => {});
    return { push: cut, end: () => cut(), leave };
  }

  #ask(question: Question, reached?: Int32Array): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#lost !== undefined) return reject(this.#lost);
      const request: Request = { id: this.#requests++, question, reached };
      this.#waiting.set(request.id, { resolve, reject });
      this.#port.postMessage(request);
    });
  }

  #receive(answer: Answer): void {
    if ("heard" in answer) return;
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ("error" in answer) waiting?.reject(errorFromData(answer.error));
    else waiting?.resolve(answer.result);
  }

  #lose(reason: string, cause?: unknown): void {
    this.#lost ??= new ArcwiseError("lost-connection", `the pipeline ended: ${reason}`, { cause });
    for (const { reject } of this.#waiting.values()) reject(this.#lost);
    this.#waiting.clear();
  }
}

async function gathered(sentences: AsyncIterable<SentenceView>): Promise<SentenceView[]> {
  const all: SentenceView[] = [];
  for await (const sentence of sentences) all.push(sentence);
  return all;
}

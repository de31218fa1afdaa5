import { type SentenceView, sentenceWords } from "@arcwise/conllu";
import { type Encoder, encodeSentences, requireSameEncoder } from "@arcwise/core/encoders";
import { type ErrorData, errorFromData, errorToData } from "@arcwise/core/errors";
import { errorData } from "@arcwise/core/messages";
import {
  checkArgument,
  checkOptions,
  checkReceived,
  having,
  list,
  oneOf,
  record,
  withMembers,
} from "@arcwise/core/options";
import type {
  AnalysisQuestion,
  AnalysisResults,
  GraphResults,
  GraphTask,
  PipelineFacts,
  SentenceTask,
} from "./analysis.ts";
import type { AnalysisPipeline, Pipeline } from "./assemble.ts";
import { UnknownWatch } from "./input-counts.ts";
import { isIterable, isTextToRun, type SentenceInput, SHORT_TEXT } from "./inputs.ts";
import { type AnalysisSettings, RUN_OPTIONS, type RunOptions, type StreamInput } from "./run-options.ts";
import {
  type Analyser,
  type AnalyserSession,
  type Awaitable,
  analyseText,
  annotateStream,
  outcome,
  type SessionOptions,
  settingsOf,
} from "./runner.ts";

/** A signal that ends the wait for an answer. */
export interface AskOptions {
  /** Rejects with its reason. The other end may complete the work. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A pipeline elsewhere: in a worker, or in threads. It has the methods of `Pipeline`, which reject with what `Pipeline`
 * throws; several calls may be under way.
 *
 * @example
 * const nlp: RemotePipeline = connectPipeline(worker);
 * const [sentence] = await nlp.run("Dogs bark.");
 */
export interface RemotePipeline {
  run(text: string, options?: RunOptions): Promise<SentenceView[]>;
  annotate(sentences: Iterable<SentenceInput>, options?: RunOptions): Promise<SentenceView[]>;
  stream(input: StreamInput, options?: RunOptions): AsyncGenerator<SentenceView>;
  /** Resolves when the pipeline is loaded, with what it was trained with. */
  ready(options?: AskOptions): Promise<PipelineFacts>;
}

/** A pipeline whose methods return promises. With an encoder, it encodes the sentences of tasks. */
export abstract class AsyncPipeline implements RemotePipeline, Analyser {
  abstract readonly width: number;
  #encoder: Encoder | undefined;

  /** Encodes sentences from now on. */
  encodeBy(encoder: Encoder): void {
    this.#encoder = encoder;
  }

  abstract ready(options?: AskOptions): Promise<PipelineFacts>;
  abstract session(options?: SessionOptions): AnalyserSession;
  abstract analyse(
    tasks: readonly SentenceTask[],
    settings?: AnalysisSettings,
    signal?: AbortSignal,
  ): Promise<AnalysisResults>;
  abstract findGraphs(tasks: readonly GraphTask[], signal?: AbortSignal): Promise<GraphResults>;

  async run(text: string, options?: RunOptions): Promise<SentenceView[]> {
    checkArgument(isTextToRun, text, "run: text");
    const given = checkOptions(RUN_OPTIONS, options, "run");
    if (text.length > SHORT_TEXT || given.constraints !== undefined)
      return gathered(this.stream([text], options));
    given.signal?.throwIfAborted();
    const results = await this.analyseText(text, settingsOf(given), given.signal);
    const sentences = outcome({ sentences: [], from: 0 }, results, given);
    const unknown = new UnknownWatch(given.onMostlyUnknown);
    unknown.add(results.counts);
    unknown.end();
    return sentences;
  }

  async annotate(sentences: Iterable<SentenceInput>, options?: RunOptions): Promise<SentenceView[]> {
    checkArgument(isIterable, sentences, "annotate: sentences");
    return gathered(this.stream(sentences, options));
  }

  stream(input: StreamInput, options?: RunOptions): AsyncGenerator<SentenceView> {
    return annotateStream(this, input, options);
  }

  /** Whether sentences are encoded before they are analysed. */
  protected get isEncoding(): boolean {
    return this.#encoder !== undefined;
  }

  /** Cuts a text and analyses its sentences. @param text of at most `SHORT_TEXT` characters */
  protected analyseText(
    text: string,
    settings: AnalysisSettings,
    signal: AbortSignal | undefined,
  ): Promise<AnalysisResults> {
    return analyseText(this, text, settings, signal);
  }

  /** Returns tasks with the vectors of their words; without an encoder, the tasks. */
  protected async encoded<Task extends SentenceTask | GraphTask>(
    tasks: readonly Task[],
    signal: AbortSignal | undefined,
  ): Promise<readonly Task[]> {
    const encoder = this.#encoder;
    if (encoder === undefined || tasks.length === 0) return tasks;
    requireSameEncoder((await this.ready({ signal })).encoder, encoder);
    const vectors = await encodeSentences(encoder, tasks.map(formsOf), { signal });
    return tasks.map((task, k) => ({ ...task, vectors: vectors[k] }));
  }
}

function formsOf(task: SentenceTask | GraphTask): string[] {
  const words = "words" in task ? task.words : sentenceWords(task.sentence);
  return words.map(({ form }) => form);
}

/** Accepts the results of questions about tasks. */
const RESULTS = record<{ results: unknown; counts: unknown }>({
  results: list(withMembers("a result")),
  counts: withMembers("counts", "words"),
});

/** A pipeline elsewhere, by its answers to questions. */
export abstract class PipelineElsewhere extends AsyncPipeline {
  /** Returns the result of `answerTo` there. */
  abstract answer(question: AnalysisQuestion, signal: AbortSignal | undefined): Promise<unknown>;

  async analyse(
    given: readonly SentenceTask[],
    settings: AnalysisSettings = {},
    signal?: AbortSignal,
  ): Promise<AnalysisResults> {
    const tasks = await this.encoded(given, signal);
    return resultsOf(await this.answer({ kind: "analyse", tasks, settings }, signal), tasks);
  }

  protected override async analyseText(
    text: string,
    settings: AnalysisSettings,
    signal: AbortSignal | undefined,
  ): Promise<AnalysisResults> {
    if (this.isEncoding) return super.analyseText(text, settings, signal);
    return resultsOf(await this.answer({ kind: "text", text, settings }, signal));
  }

  async findGraphs(given: readonly GraphTask[], signal?: AbortSignal): Promise<GraphResults> {
    const tasks = await this.encoded(given, signal);
    return resultsOf(await this.answer({ kind: "graphs", tasks }, signal), tasks);
  }
}

/** Answers a question: errors of sentences become plain data. */
export async function answerTo(
  pipeline: Omit<Analyser, "width">,
  question: AnalysisQuestion,
): Promise<object> {
  const { results, counts } = await resultsOfQuestion(pipeline, question);
  return { results: results.map(withErrorData), counts };
}

function resultsOfQuestion(
  pipeline: Omit<Analyser, "width">,
  question: AnalysisQuestion,
): Awaitable<AnalysisResults | GraphResults> {
  switch (question.kind) {
    case "text":
      return analyseText(pipeline, question.text, question.settings);
    case "analyse":
      return pipeline.analyse(question.tasks, question.settings);
    case "graphs":
      return pipeline.findGraphs(question.tasks);
  }
}

function withErrorData<Result extends { readonly error?: unknown }>(result: Result): Result {
  return result.error === undefined ? result : { ...result, error: errorToData(result.error) };
}

function withError<Result extends { readonly error?: unknown }>(result: Result): Result {
  if (result.error === undefined) return result;
  checkReceived(errorData, result.error, "answer.results.error");
  return { ...result, error: errorFromData(result.error as ErrorData) };
}

/** Returns the results of an answer. */
function resultsOf<Results extends AnalysisResults | GraphResults>(
  answer: unknown,
  tasks?: readonly unknown[],
): Results {
  checkReceived(RESULTS, answer, "answer");
  const { results, counts } = answer as Results;
  if (tasks !== undefined) checkReceived(oneOf(tasks.length), results.length, "answer.results.length");
  return { results: results.map(withError), counts } as unknown as Results;
}

async function gathered(sentences: AsyncIterable<SentenceView>): Promise<SentenceView[]> {
  const all: SentenceView[] = [];
  for await (const sentence of sentences) all.push(sentence);
  return all;
}

/** Accepts pipelines. */
export const aPipeline = having("a pipeline", "analyse", "findGraphs", "session");

/** Returns a pipeline with what threads, workers and machines call. @throws ArcwiseError `invalid-argument` */
export function analysisOf(pipeline: Pipeline): AnalysisPipeline;
export function analysisOf(pipeline: RemotePipeline): Analyser;
export function analysisOf(pipeline: Pipeline | RemotePipeline): Analyser {
  checkArgument(aPipeline, pipeline, "pipeline");
  return pipeline as AnalysisPipeline;
}

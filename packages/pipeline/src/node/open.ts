import {
  type Encoder,
  type EncoderIdentity,
  requireEncoder,
  requireSameEncoder,
} from "@arcwise/core/encoders";
import { errorToData, hasCode } from "@arcwise/core/errors";
import { abortable } from "@arcwise/core/messages";
import {
  accepting,
  anyOf,
  callback,
  checkArgument,
  checkOptions,
  defineOptions,
  number,
  type OptionsOf,
  satisfying,
} from "@arcwise/core/options";
import { isPlace, type Place, type Shared, share } from "@arcwise/jobs";
import type {
  AnalysisQuestion,
  AnalysisResults,
  PipelineFacts,
  SentenceTask,
  TaskQuestion,
  TextQuestion,
} from "../analysis.ts";
import type { Pipeline } from "../assemble.ts";
import { type AskOptions, PipelineElsewhere, type RemotePipeline } from "../elsewhere.ts";
import { addCounts, noInput } from "../input-counts.ts";
import { type AnalyserSession, analyseText, SESSION_OPTIONS, type SessionOptions } from "../runner.ts";
import type { PipelineFiles } from "./load.ts";
import { askPipeline, type CutText, type FilesQuestion } from "./pipeline-jobs.ts";

const isEncoder = anyOf(
  accepting<(needed: EncoderIdentity) => Promise<Encoder>>(callback),
  accepting<Encoder>((value, at) => void requireEncoder(value, at)),
);

const OPTIONS = defineOptions({
  place: {
    check: isPlace,
    help: "the threads that load the files, cut texts and parse; the calling thread stays free",
    required: true,
  },
  grace: {
    check: number(0),
    help: "milliseconds that a thread has to complete its batch after the signal of the call is aborted, before the thread ends",
    defaultHelp: "as long as it takes",
  },
  encoder: {
    check: isEncoder,
    help: "the encoder that the model was trained with: it runs in this thread, vectors go with the sentences, and the methods of the pipeline return promises; or a function that returns it, which is called if the model was trained with one",
  },
});

/**
 * Options of `openPipeline`.
 *
 * @example
 * const options: OpenOptions = { place: onThreads(4) };
 * const nlp = await openPipeline({ model: "my.model" }, options);
 */
export interface OpenOptions extends OptionsOf<typeof OPTIONS> {}

const FILES = satisfying(
  "the files of a pipeline: { model: PATH }",
  (value) =>
    typeof value === "object" && value !== null && "model" in value && typeof value.model === "string",
);

/**
 * Makes a pipeline of files in this thread, or at a place, such as worker threads (`onThreads`). Resolves when it is
 * loaded once.
 *
 * At a place, the sentences of each call are shared among its threads, and its threads cut texts. A thread loads the
 * files when it is first needed. If a thread ends early, each sentence of its batch is tried once more by itself; the
 * error `thread-lost` is the error of a sentence whose thread ends again. Signals end the wait at once; the threads keep
 * what they have loaded, unless they exceed `grace`. The place is closed by the caller.
 *
 * @throws ModelError that names the file when it is damaged, or lacks a part
 * @throws ArcwiseError `invalid-argument`; `invalid-module`, `missing-decoder` and others that say why the files do not
 *   go together; `thread-lost`
 *
 * @example
 * const nlp = await openPipeline({ model: "my.model" });
 * const sentences = nlp.run("Dogs bark.");
 *
 * const place = onThreads(4);
 * const onFour = await openPipeline({ model: "my.model" }, { place });
 * for await (const sentence of onFour.stream(createReadStream("letters.txt", "utf8"))) console.log(sentence.text);
 * await place.close();
 */
export function openPipeline(files: PipelineFiles): Promise<Pipeline>;
export function openPipeline(files: PipelineFiles, options: OpenOptions): Promise<RemotePipeline>;
export async function openPipeline(
  files: PipelineFiles,
  options?: OpenOptions,
): Promise<Pipeline | RemotePipeline> {
  checkArgument(FILES, files, "openPipeline: files");
  // A pipeline at a place does not load models in this thread.
  if (options === undefined) return (await import("./load.ts")).loadFiles(files);
  const { encoder } = checkOptions(OPTIONS, options, "openPipeline");
  const pipeline = new PlacedPipeline(files, options);
  const { encoder: needed } = await pipeline.ready();
  const found = typeof encoder === "function" ? needed && (await encoder(needed)) : encoder;
  requireSameEncoder(needed, found);
  if (found !== undefined) pipeline.encodeBy(found);
  return pipeline;
}

/** Batches under way for each thread of a place. */
const BATCHES = 3;

/** A pipeline of files at a place. */
class PlacedPipeline extends PipelineElsewhere {
  readonly width: number;
  readonly #files: Shared<PipelineFiles>;
  readonly #place: Place;
  readonly #completes: boolean | number;
  #facts: Promise<PipelineFacts> | undefined;

  constructor(files: PipelineFiles, { place, grace }: OpenOptions) {
    super();
    this.width = BATCHES * place.width;
    this.#files = share(files);
    this.#place = place;
    this.#completes = grace ?? true;
  }

  ready({ signal }: AskOptions = {}): Promise<PipelineFacts> {
    this.#facts ??= this.#ask<PipelineFacts>({ kind: "facts" });
    return abortable(this.#facts, signal);
  }

  /** Begins a text. Each chunk is cut by any thread, from the rest of those before it. */
  session(options?: SessionOptions): AnalyserSession {
    let { signal, lines, rest } = checkOptions(SESSION_OPTIONS, options, "session");
    const cut = async (chunk?: string) => {
      const found = await this.#ask<CutText>({ kind: "cut", lines, rest, chunk }, signal);
      rest = found.rest;
      return found.sentences;
    };
    return { push: cut, end: () => cut() };
  }

  /** Answers a question; if its thread ends, each task is tried once more by itself. */
  async answer(question: AnalysisQuestion, signal: AbortSignal | undefined): Promise<object> {
    try {
      return await this.#ask<object>(question, signal);
    } catch (error) {
      if (!hasCode(error, "thread-lost")) throw error;
      if (question.kind === "text") return this.#inSteps(question, signal);
      const alone = question.tasks.map((task) =>
        this.#alone({ ...question, tasks: [task] } as typeof question, signal),
      );
      return joined(await Promise.all(alone));
    }
  }

  /** Cuts a text and analyses its sentences by questions of their own. */
  #inSteps({ text, settings }: TextQuestion, signal: AbortSignal | undefined): Promise<object> {
    const session = (options?: SessionOptions) => this.session(options);
    const analyse = (tasks: readonly SentenceTask[]) =>
      this.answer({ kind: "analyse", tasks, settings }, signal) as Promise<Answer>;
    return analyseText({ session, analyse }, text, settings, signal);
  }

  async #alone(question: TaskQuestion, signal: AbortSignal | undefined): Promise<Answer> {
    try {
      return await this.#ask<Answer>(question, signal);
    } catch (error) {
      if (!hasCode(error, "thread-lost")) throw error;
      return { results: [{ error: errorToData(error) }], counts: noInput() };
    }
  }

  #ask<Found>(question: FilesQuestion, signal?: AbortSignal): Promise<Found> {
    const run = { signal, completes: this.#completes };
    return this.#place.do(askPipeline, { files: this.#files, question }, run) as Promise<Found>;
  }
}

/** The answer to a question about tasks. */
type Answer = AnalysisResults;

function joined(answers: readonly Answer[]): Answer {
  const counts = noInput();
  for (const answer of answers) addCounts(counts, answer.counts);
  return { results: answers.flatMap(({ results }) => results), counts };
}

import type { SentenceView } from "@arcwise/conllu";
import { type Encoder, requireSameEncoder } from "@arcwise/core/encoders";
import { checkArgument, checkOptions } from "@arcwise/core/options";
import type { TextOptions } from "@arcwise/tokenize";
import type { AnalysisResults, GraphResults, GraphTask, PipelineFacts, SentenceTask } from "./analysis.ts";
import type { AnalysisPipeline } from "./assemble.ts";
import { AsyncPipeline, type RemotePipeline } from "./elsewhere.ts";
import { isReadable, type SentenceInput, sentenceOf } from "./inputs.ts";
import type { PipelineReading } from "./reading.ts";
import { type AnalysisSettings, READ_OPTIONS } from "./run-options.ts";
import type { SessionOptions } from "./runner.ts";

/**
 * A pipeline with an encoder, which computes vectors of words before they are parsed: it has the methods of `Pipeline`, which
 * return promises. Several calls may be under way.
 *
 * @example
 * const open = (encoder: Encoder): EncodedPipeline => createPipeline(model, { encoder });
 * const parsed = async (encoder: Encoder) => await open(encoder).run("Dogs bark.");
 */
export interface EncodedPipeline extends RemotePipeline {
  /** Tags sentences and reads them by the parser, as `Pipeline.read`. */
  read(
    input: string | Iterable<SentenceInput>,
    options?: Pick<AnalysisSettings, "tags" | "lines">,
  ): Promise<PipelineReading[]>;
  /** Returns the sentences of a text, cut into words and nothing else. */
  tokenize(text: string, options?: TextOptions): SentenceView[];
  /** The columns and graphs that it was trained with. */
  readonly facts: PipelineFacts;
}

/** Batches under way: the encoder may work while another batch is parsed. */
const BATCHES = 2;

class LocalPipeline extends AsyncPipeline implements EncodedPipeline {
  readonly width = BATCHES;
  readonly facts: PipelineFacts;
  readonly #inner: AnalysisPipeline;

  constructor(inner: AnalysisPipeline, encoder: Encoder) {
    super();
    this.encodeBy(encoder);
    this.#inner = inner;
    // Whoever asks this pipeline need not encode.
    this.facts = { ...inner.facts, encoder: undefined };
  }

  async ready(): Promise<PipelineFacts> {
    return this.#inner.facts;
  }

  session(options?: SessionOptions) {
    return this.#inner.session(options);
  }

  tokenize(text: string, options?: TextOptions): SentenceView[] {
    return this.#inner.tokenize(text, options);
  }

  async analyse(
    tasks: readonly SentenceTask[],
    settings?: AnalysisSettings,
    signal?: AbortSignal,
  ): Promise<AnalysisResults> {
    return this.#inner.analyse(await this.encoded(tasks, signal), settings);
  }

  async findGraphs(tasks: readonly GraphTask[], signal?: AbortSignal): Promise<GraphResults> {
    return this.#inner.findGraphs(await this.encoded(tasks, signal));
  }

  async read(
    input: string | Iterable<SentenceInput>,
    options?: Pick<AnalysisSettings, "tags" | "lines">,
  ): Promise<PipelineReading[]> {
    const settings = checkOptions(READ_OPTIONS, options, "read");
    checkArgument(isReadable, input, "read: input");
    const sentences =
      typeof input === "string"
        ? this.tokenize(input, { lines: settings.lines })
        : [...input].map(sentenceOf);
    const tasks = await this.encoded(
      sentences.map((sentence) => ({ sentence })),
      undefined,
    );
    return this.#inner.readTasks(tasks, settings);
  }
}

/** Returns a pipeline that encodes sentences before it parses them. */
export function encodedPipeline(pipeline: AnalysisPipeline, encoder: Encoder): EncodedPipeline {
  requireSameEncoder(pipeline.facts.encoder, encoder);
  return new LocalPipeline(pipeline, encoder);
}

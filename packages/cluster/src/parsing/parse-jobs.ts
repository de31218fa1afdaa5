import { type ConlluSentence, parseConllu, rawText, writeConllu } from "@arcwise/conllu";
import { evaluateConllu, type UdEvaluation } from "@arcwise/evaluate";
import type { Job, JobContext, Shared } from "@arcwise/jobs";
import {
  type AnalysisPipeline,
  type AnalysisSettings,
  analysisOf,
  createPipeline,
  type InputCounts,
  loadPipeline,
  noInput,
  type PipelineFacts,
} from "@arcwise/pipeline";
import { tokenizedSentence } from "@arcwise/tokenize";

const module = import.meta.url;

/** The format of a chunk: CoNLL-U, or text, where lines end sentences as they show, always, or never. */
export type ChunkFormat = "conllu" | "text" | "lines" | "no-lines";

/** Whether the lines of texts are sentences, by the format. */
export const LINES_OF: Readonly<Partial<Record<ChunkFormat, boolean>>> = { lines: true, "no-lines": false };

/** A part of a file to be parsed. */
export interface ChunkInput {
  /** The bytes of a model file. */
  readonly model: Shared<Uint8Array>;
  readonly chunk: Shared<{ readonly text: string }>;
  readonly format: ChunkFormat;
  /** Whether words keep the tags that they have. */
  readonly tags: "given" | "predicted";
  /** Treatment of DEPS and empty nodes. Default: left out, or made by the graph parser of the model with its tags. */
  readonly deps?: AnalysisSettings["deps"] | undefined;
}

/** A parsed chunk. */
export interface ParsedChunk {
  /** CoNLL-U, in the order of the chunk, without the sentences that could not be parsed. */
  readonly text: string;
  readonly sentences: number;
  readonly words: number;
  /** Sentences that could not be parsed. */
  readonly failed: number;
  /** Counts of the words and graphs of the chunk. */
  readonly counts: InputCounts;
  /** Facts of the model; absent if the chunk could not be read. */
  readonly facts?: PipelineFacts | undefined;
  /** Why the chunk has no sentences; absent if it could be read. */
  readonly error?: string | undefined;
}

/** Parses a chunk. The output of a chunk that is not CoNLL-U has no sentences, and says why. */
export const parseChunk: Job<ChunkInput, ParsedChunk> = {
  name: "parse-chunk",
  module,
  run({ model, chunk, format, tags, deps = tags === "given" ? "drop" : undefined }, context) {
    const pipeline = loaded(model, context);
    let sentences: ConlluSentence[];
    try {
      sentences =
        format === "conllu" ? parseConllu(chunk.text) : cutText(pipeline, chunk.text, LINES_OF[format]);
    } catch (error) {
      return unread(error as Error);
    }
    const { results, counts } = pipeline.analyse(
      sentences.map((sentence) => ({ sentence })),
      { tags, deps },
    );
    const parsed = results.flatMap((result) => result.sentences ?? []);
    const words = parsed.flatMap(({ rows }) => rows).filter(({ kind }) => kind === "word").length;
    const failed = results.filter((result) => result.sentences === undefined).length;
    return {
      text: writeConllu(parsed),
      sentences: parsed.length,
      words,
      failed,
      counts,
      facts: pipeline.facts,
    };
  },
};

/** Returns the output of a chunk that could not be read or parsed. */
export function unread({ message }: Error): ParsedChunk {
  return { text: "", sentences: 0, words: 0, failed: 0, counts: noInput(), error: message };
}

/** The input given to the model: the raw text of a treebank, its words, or its words with their tags. */
export type EvaluationInput = "text" | "words" | "tagged";

/** Parses a treebank, and returns the metrics of the CoNLL 2018 shared task. */
export const evaluateModel: Job<
  {
    readonly model: Shared<Uint8Array>;
    /** CoNLL-U. */
    readonly gold: Shared<{ readonly text: string }>;
    readonly from: EvaluationInput;
  },
  UdEvaluation
> = {
  name: "evaluate",
  module,
  run({ model, gold: { text }, from }, context) {
    const pipeline = loaded(model, context);
    const gold = parseConllu(text);
    const tags = from === "words" ? "predicted" : "given";
    const parsed = from === "text" ? pipeline.run(rawText(gold).text) : pipeline.annotate(gold, { tags });
    return evaluateConllu(gold, parsed);
  },
};

/** Returns the pipeline of a model, which is kept. */
function loaded(model: Uint8Array, { keep }: JobContext): AnalysisPipeline {
  return keep(model, () => analysisOf(createPipeline(loadPipeline(model))));
}

/** Returns the sentences of a text, numbered from 1. */
function cutText(pipeline: AnalysisPipeline, text: string, lines: boolean | undefined): ConlluSentence[] {
  const session = pipeline.session({ lines });
  return [...session.push(text), ...session.end()].map((sentence, k) => tokenizedSentence(sentence, k + 1));
}

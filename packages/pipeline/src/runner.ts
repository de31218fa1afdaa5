import { type ConlluSentence, type SentenceView, viewSentence, withCodePoints } from "@arcwise/conllu";
import {
  accepting,
  anything,
  checkArgument,
  checkOptions,
  defineOptions,
  type OptionsOf,
  signal,
} from "@arcwise/core/options";
import { inOrder } from "@arcwise/jobs";
import { LINES, type TextRest, type TokenizedSentence } from "@arcwise/tokenize";
import type { AnalysisResults, GraphResults, GraphTask, SentenceTask } from "./analysis.ts";
import { UnknownWatch } from "./input-counts.ts";
import { BATCH, isStreamable, sentenceOf, tokenized } from "./inputs.ts";
import {
  ANALYSIS_OPTIONS,
  type AnalysisSettings,
  RUN_OPTIONS,
  type RunOptions,
  type StreamInput,
} from "./run-options.ts";

/** Sentences that are analysed together, and the index of the first one. */
interface Batch {
  readonly sentences: readonly ConlluSentence[];
  readonly from: number;
}

/** A value, or a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/** Cuts text and analyses sentences: the pipeline of a model, one at a place, or one at the end of a channel. */
export interface Analyser {
  /** Maximum number of batches under way: no thread waits, and memory stays bounded. */
  readonly width: number;
  /** Analyses sentences as plain data. An error of a sentence is its result. */
  analyse(
    tasks: readonly SentenceTask[],
    settings?: AnalysisSettings,
    signal?: AbortSignal,
  ): Awaitable<AnalysisResults>;
  /** Finds the graphs of words as plain data. @throws ArcwiseError `missing-step` without a graph parser */
  findGraphs(tasks: readonly GraphTask[], signal?: AbortSignal): Awaitable<GraphResults>;
  /** Begins a text that arrives in chunks, or resumes it; it is cut into words and nothing else. */
  session(options?: SessionOptions): AnalyserSession;
}

export const SESSION_OPTIONS = defineOptions({
  signal: { check: signal, help: "a signal that rejects what is asked" },
  lines: LINES,
  /** The tokeniser checks it. */
  rest: { check: accepting<TextRest>(anything), help: "the rest of another session of the same pipeline" },
});

/** Options of a text. */
export interface SessionOptions extends OptionsOf<typeof SESSION_OPTIONS> {}

/** Cuts one text, as `TextSession`. */
export interface AnalyserSession {
  push(chunk: string): Awaitable<TokenizedSentence[]>;
  end(): Awaitable<TokenizedSentence[]>;
  /** Frees a text elsewhere, whether or not it was read to its end. */
  leave?(): void;
}

/** Yields the sentences of an input, each as soon as it is certain. Throws as `Pipeline.stream`. */
export async function* annotateStream(
  analyser: Analyser,
  input: StreamInput,
  options: RunOptions | undefined,
): AsyncGenerator<SentenceView> {
  checkArgument(isStreamable, input, "stream: input");
  const given = checkOptions(RUN_OPTIONS, options, "stream");
  const analysed = inOrder(inputBatches(input, analyser, given), analyser.width, async (batch) => {
    given.signal?.throwIfAborted();
    const results = await analyser.analyse(tasksOf(batch, given), settingsOf(given), given.signal);
    return { batch, results };
  });
  const unknown = new UnknownWatch(given.onMostlyUnknown);
  for await (const { batch, results } of analysed) {
    unknown.add(results.counts);
    yield* outcome(batch, results, given);
  }
  unknown.end();
}

/** Cuts sentences into batches. */
export function batchesOf(sentences: readonly ConlluSentence[]): Batch[] {
  const count = Math.ceil(sentences.length / BATCH);
  return Array.from({ length: count }, (_, b) => ({
    sentences: sentences.slice(b * BATCH, (b + 1) * BATCH),
    from: b * BATCH,
  }));
}

/** The tasks of a batch. */
export function tasksOf({ sentences, from }: Batch, { constraints }: RunOptions): SentenceTask[] {
  return sentences.map((sentence, k) => ({
    sentence,
    constraints: constraints?.(viewSentence(sentence), from + k),
  }));
}

/** The options that are plain data. */
export function settingsOf(options: RunOptions): AnalysisSettings {
  const given = options as Readonly<Record<string, unknown>>;
  return Object.fromEntries(ANALYSIS_OPTIONS.map(({ name }) => [name, given[name]]));
}

/** The sentences of results. */
export function outcome(
  { sentences, from }: Batch,
  { results }: AnalysisResults,
  { onError = "throw", offsets }: RunOptions,
): SentenceView[] {
  return results.flatMap((result, k) => {
    if (result.sentences !== undefined) return result.sentences.map(viewSentence);
    const { error } = result;
    if (onError === "throw") throw error;
    const failed = result.sentence ?? sentences[k]!;
    const sentence = viewSentence(offsets === "code-points" ? withCodePoints(failed) : failed);
    if (onError !== "skip") onError({ sentence, index: from + k, error });
    return [];
  });
}

/** Cuts a text and analyses its sentences: for a text whose sentences are about one batch. */
export async function analyseText(
  analyser: Pick<Analyser, "session" | "analyse">,
  text: string,
  settings: AnalysisSettings = {},
  signal?: AbortSignal,
): Promise<AnalysisResults> {
  const session = analyser.session({ signal, lines: settings.lines });
  const cut = [...(await session.push(text)), ...(await session.end())].map(tokenized);
  const tasks = cut.map((sentence) => ({ sentence }));
  const { results, counts } = await analyser.analyse(tasks, settings, signal);
  // A result without sentences gets the sentence that it is of.
  const all = results.map((result, k) =>
    result.sentences === undefined ? { ...result, sentence: cut[k] } : result,
  );
  return { results: all, counts };
}

/** Groups the sentences of an input that are there at once, at most `BATCH` given ones together. */
async function* inputBatches(
  input: StreamInput,
  analyser: Analyser,
  { signal, lines }: RunOptions,
): AsyncGenerator<Batch> {
  let session: AnalyserSession | undefined;
  let from = 0;
  let waiting: ConlluSentence[] = [];
  const cut = (sentences: readonly TokenizedSentence[]): Batch[] => {
    const batches = batchesOf(sentences.map((sentence, k) => tokenized(sentence, from + k)));
    const placed = batches.map((batch) => ({ ...batch, from: from + batch.from }));
    from += sentences.length;
    return placed;
  };
  try {
    for await (const item of input) {
      if (typeof item === "string") {
        session ??= analyser.session({ signal, lines });
        yield* cut(await session.push(item));
        continue;
      }
      waiting.push(sentenceOf(item, from + waiting.length));
      if (waiting.length < BATCH) continue;
      yield { sentences: waiting, from };
      from += waiting.length;
      waiting = [];
    }
    if (waiting.length > 0) yield { sentences: waiting, from };
    if (session !== undefined) yield* cut(await session.end());
  } finally {
    session?.leave?.();
  }
}

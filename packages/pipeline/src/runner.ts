import { type ConlluSentence, type SentenceView, viewSentence } from "@arcwise/conllu";
import { checkArgument, checkOptions } from "@arcwise/core/options";
import type { TextSession } from "@arcwise/tokenize";
import { type AnalysisResults, type AnalysisSettings, BATCH, type SentenceTask } from "./analysis.ts";
import { isStreamable, sentenceOf, tokenized } from "./inputs.ts";
import { RUN_OPTIONS, type RunOptions, type StreamInput } from "./run-options.ts";

/** Sentences that are analysed together, and the index of the first one. */
interface Batch {
  readonly sentences: readonly ConlluSentence[];
  readonly from: number;
}

type Awaitable<T> = T | Promise<T>;

/** Cuts text and analyses sentences, here or elsewhere. */
export interface Runner {
  analyse(tasks: readonly SentenceTask[], settings: AnalysisSettings): Awaitable<AnalysisResults>;
  session(): RunnerSession;
}

type RunnerSession = {
  [Method in keyof TextSession]: (chunk: string) => Awaitable<ReturnType<TextSession[Method]>>;
} & {
  /** Frees a text elsewhere, whether or not it was read to its end. */
  leave?(): void;
};

/** Yields the sentences of an input, each as soon as it is certain. Throws as `Pipeline.stream`. */
export async function* annotateStream(
  runner: Runner,
  input: StreamInput,
  options: RunOptions | undefined,
): AsyncGenerator<SentenceView> {
  checkArgument(isStreamable, input, "stream: input");
  const given = checkOptions(RUN_OPTIONS, options, "stream");
  for await (const batch of inputBatches(input, runner)) {
    given.signal?.throwIfAborted();
    yield* outcome(batch, await runner.analyse(tasksOf(batch, given), settingsOf(given)), given);
  }
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

/** What of the options is plain data. */
export function settingsOf({ tags, kBest, marginals, deps, report }: RunOptions): AnalysisSettings {
  return { tags, kBest, marginals, deps, report };
}

/** The sentences of results. @throws the error of a sentence unless `onError` says otherwise */
export function outcome(
  { sentences, from }: Batch,
  { results }: AnalysisResults,
  { onError = "throw" }: RunOptions,
): SentenceView[] {
  return results.flatMap((result, k) => {
    if (result.sentences !== undefined) return result.sentences.map(viewSentence);
    const { error } = result;
    if (onError === "throw") throw error;
    if (onError !== "skip") onError({ sentence: viewSentence(sentences[k]!), index: from + k, error });
    return [];
  });
}

/** Groups the sentences of an input that are there at once, at most `BATCH` given ones together. */
async function* inputBatches(input: StreamInput, runner: Runner): AsyncGenerator<Batch> {
  let session: RunnerSession | undefined;
  let from = 0;
  let waiting: ConlluSentence[] = [];
  const cut = (sentences: ReturnType<TextSession["end"]>): Batch[] => {
    const batches = batchesOf(sentences.map((sentence, k) => tokenized(sentence, from + k)));
    const placed = batches.map((batch) => ({ ...batch, from: from + batch.from }));
    from += sentences.length;
    return placed;
  };
  try {
    for await (const item of input) {
      if (typeof item === "string") {
        session ??= runner.session();
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
    if (session !== undefined) yield* cut(await session.end(""));
  } finally {
    session?.leave?.();
  }
}

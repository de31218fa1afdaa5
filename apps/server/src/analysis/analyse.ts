import { type ConlluSentence, type SentenceView, viewSentence } from "@arcwise/conllu";
import { inOrder } from "@arcwise/jobs";
import type { AnalysisSettings, RunOptions, SentenceFailure, SentenceResult } from "@arcwise/pipeline";
import { limitExceeded } from "../requests/failures.ts";
import type { Work } from "../requests/work.ts";
import { countWords } from "./count-words.ts";

/** Sentences of a request, in order, and of sentences that could not be analysed their failures. */
export type Analysed = SentenceView | SentenceFailure;

/** Returns whether a sentence could not be analysed. */
export function isFailure(analysed: Analysed): analysed is SentenceFailure {
  return "error" in analysed;
}

/** Sentences that are analysed together, and the index of the first one. */
interface Batch {
  readonly sentences: readonly ConlluSentence[];
  readonly from: number;
}

/** Number of sentences that the parser reads together. */
const BATCH = 64;

/**
 * Analyses sentences, and yields each as soon as it is done, in order. One that cannot be analysed is yielded as its
 * failure.
 *
 * @throws RequestFailure `limit-exceeded` at a sentence that is too long; the reason of the signal of the work
 */
export async function* analyse(
  sentences: AsyncIterable<ConlluSentence> | Iterable<ConlluSentence>,
  work: Work,
  { constraints, ...settings }: AnalysisSettings & Pick<RunOptions, "constraints">,
): AsyncGenerator<Analysed> {
  const { analyser } = work.model;
  const batches = batchesOf(withinLimits(sentences, work));
  const done = inOrder(batches, analyser.width, async (batch) => {
    const tasks = batch.sentences.map((sentence, k) => ({
      sentence,
      constraints: constraints?.(viewSentence(sentence), batch.from + k),
    }));
    return { batch, ...(await analyser.analyse(tasks, settings, work.signal)) };
  });
  for await (const { batch, results } of done) yield* analysedOf(results, batch, work);
}

/** UTF-16 code units of a text that one job cuts and analyses: about as many as a batch of sentences has. */
const SHORT_TEXT = 4096;

/** Returns whether `analyseText` takes a text. */
export function isShortText(text: string): boolean {
  return text.length <= SHORT_TEXT;
}

/**
 * Cuts a short text and analyses it, by one job instead of three. Yields as `analyse`.
 *
 * @throws RequestFailure `limit-exceeded` if a sentence is too long; the reason of the signal of the work
 */
export async function* analyseText(
  text: string,
  work: Work,
  settings: AnalysisSettings,
): AsyncGenerator<Analysed> {
  const { results } = await work.model.analyser.analyseText(text, settings, work.signal);
  const sentences = results.map((result) => result.sentence ?? result.sentences![0]!);
  allWithinLimits(sentences, work);
  yield* analysedOf(results, { sentences, from: 0 }, work);
}

function* analysedOf(
  results: readonly SentenceResult[],
  { sentences, from }: Batch,
  work: Work,
): Generator<Analysed> {
  for (const [k, { sentences: found, error }] of results.entries()) {
    if (found === undefined) yield { sentence: viewSentence(sentences[k]!), index: from + k, error };
    else
      for (const sentence of found) {
        work.count(sentence);
        yield viewSentence(sentence);
      }
  }
}

async function* batchesOf(sentences: AsyncIterable<ConlluSentence>): AsyncGenerator<Batch> {
  let waiting: ConlluSentence[] = [];
  let from = 0;
  for await (const sentence of sentences) {
    waiting.push(sentence);
    if (waiting.length < BATCH) continue;
    yield { sentences: waiting, from };
    from += waiting.length;
    waiting = [];
  }
  if (waiting.length > 0) yield { sentences: waiting, from };
}

/** Yields sentences. @throws RequestFailure at one that is too long */
export async function* withinLimits(
  sentences: AsyncIterable<ConlluSentence> | Iterable<ConlluSentence>,
  work: Pick<Work, "limits">,
): AsyncGenerator<ConlluSentence> {
  let index = 0;
  for await (const sentence of sentences) {
    checkLength(sentence, index++, work);
    yield sentence;
  }
}

/** Returns sentences. @throws RequestFailure if one is too long */
export function allWithinLimits(
  sentences: readonly ConlluSentence[],
  work: Pick<Work, "limits">,
): readonly ConlluSentence[] {
  for (const [index, sentence] of sentences.entries()) checkLength(sentence, index, work);
  return sentences;
}

function checkLength({ rows }: ConlluSentence, index: number, { limits }: Pick<Work, "limits">): void {
  const words = countWords(rows);
  if (words > limits.sentence) throw limitExceeded("sentence", limits, `${words} in sentence ${index + 1}`);
}

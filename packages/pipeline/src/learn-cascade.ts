import { type ConlluSentence, sentenceCheck, sentenceTree } from "@arcwise/conllu";
import {
  checkArgument,
  checkOptions,
  defineOptions,
  signal as isSignal,
  list,
  number,
  type OptionsOf,
} from "@arcwise/core/options";
import { sentenceCounts, treePairs } from "@arcwise/evaluate";
import { inOrder } from "@arcwise/jobs";
import type { SentenceResult } from "./analysis.ts";
import type { Pipeline } from "./assemble.ts";
import { cascadeFacts, isForSecond } from "./cascade.ts";
import { analysisOf, type RemotePipeline } from "./elsewhere.ts";
import { BATCH } from "./inputs.ts";
import type { AnalysisSettings } from "./run-options.ts";
import { type Analyser, batchesOf, tasksOf } from "./runner.ts";

/** The options of `learnCascade`. */
export const LEARN_CASCADE_OPTIONS = defineOptions({
  maxLoss: {
    check: number(0, 100),
    default: 0.1,
    help: "points of LAS that the cascade may lose on these sentences, compared with the second pipeline alone",
  },
  signal: {
    check: isSignal,
    help: "ends the work, between two batches of sentences, by throwing its reason",
  },
});

/**
 * Options of `learnCascade`.
 *
 * @example
 * const options: LearnCascadeOptions = { maxLoss: 0.2 };
 * const learned = async (slow: EncodedPipeline) => await learnCascade(nlp, slow, treebank, options);
 */
export interface LearnCascadeOptions extends OptionsOf<typeof LEARN_CASCADE_OPTIONS> {}

/** A cascade with one threshold on a development set. Scores and shares in per cent. */
interface CascadePoint {
  readonly minConfidence: number;
  /** Words of sentences that the second pipeline reads. */
  readonly asked: number;
  /** Scores of given words without subtypes of labels, as of `evaluateConllu`. */
  readonly uas: number;
  readonly las: number;
  /** From the times of both pipelines alone. */
  readonly wordsPerSecond: number;
}

/**
 * A threshold learned on a development set.
 *
 * @example
 * const table = ({ points }: LearnedCascade) => points.map(({ asked, las }) => `${asked} % of the words: LAS ${las}`);
 */
export interface LearnedCascade {
  /** The lowest threshold that loses no more than `maxLoss`. */
  readonly minConfidence: number;
  /** The thresholds 0, 0.01, ... 1. */
  readonly points: readonly CascadePoint[];
  /** The second pipeline alone. */
  readonly second: Omit<CascadePoint, "minConfidence" | "asked">;
}

/**
 * Learns the threshold of a cascade on sentences with gold trees: each pipeline reads them all, given their words. Speed is
 * by the clock, so nothing else should be running.
 *
 * @throws ArcwiseError as `openCascade`; `invalid-argument`; `malformed-conllu` if a gold tree is not a tree; the error of a
 *   sentence that the second pipeline cannot read
 *
 * @example
 * const open = async (slow: EncodedPipeline) => {
 *   const { minConfidence } = await learnCascade(nlp, slow, treebank);
 *   return openCascade(nlp, slow, { minConfidence });
 * };
 */
export async function learnCascade(
  first: Pipeline | RemotePipeline,
  second: Pipeline | RemotePipeline,
  sentences: readonly ConlluSentence[],
  options?: LearnCascadeOptions,
): Promise<LearnedCascade> {
  const { maxLoss, signal } = checkOptions(LEARN_CASCADE_OPTIONS, options, "learnCascade");
  checkArgument(list(sentenceCheck, { min: 1 }), sentences, "learnCascade: sentences");
  // Gold trees are checked before anything is read.
  for (const sentence of sentences) sentenceTree(sentence);
  await cascadeFacts(first, second, "learnCascade");
  const readBy = async (pipeline: Pipeline | RemotePipeline, settings: AnalysisSettings) => {
    const analyser = analysisOf(pipeline as RemotePipeline);
    // The first sentences take longer: models are loaded, and functions compiled.
    await readAll(analyser, sentences.slice(0, 2 * BATCH), settings, signal);
    return readAll(analyser, sentences, settings, signal);
  };
  const quick = await readBy(first, { minConfidence: 0 });
  const slow = await readBy(second, {});
  const trees = slow.results.map(treeOf);
  // The second pipeline reads what the first one cannot read.
  const kept = quick.results.map((result, s) => (isForSecond(result) ? trees[s]! : treeOf(result)));
  const readings: Readings = {
    confidences: quick.results.map(({ confidence }) => confidence ?? -1),
    first: scoresOf(sentences, kept),
    second: scoresOf(sentences, trees),
  };
  const seconds = [quick.seconds, slow.seconds] as const;
  const points = Array.from({ length: 101 }, (_, k) => pointOf(readings, k / 100, seconds));
  const { asked: _, minConfidence: __, ...alone } = pointOf(readings, Infinity, [0, slow.seconds]);
  const chosen = points.find(({ las }) => las >= alone.las - maxLoss) ?? points.at(-1)!;
  return { minConfidence: chosen.minConfidence, points, second: alone };
}

/** Returns the sentence of a result. */
function treeOf({ sentences, error }: SentenceResult): ConlluSentence {
  if (sentences === undefined) throw error;
  return sentences[0]!;
}

/** Reads sentences as `stream` does, and measures the time. */
async function readAll(
  analyser: Analyser,
  sentences: readonly ConlluSentence[],
  settings: AnalysisSettings,
  signal: AbortSignal | undefined,
): Promise<{ readonly results: readonly SentenceResult[]; readonly seconds: number }> {
  const start = performance.now();
  const results: SentenceResult[] = [];
  const read = inOrder(batchesOf(sentences), analyser.width, async (batch) => {
    signal?.throwIfAborted();
    return analyser.analyse(tasksOf(batch, {}), settings, signal);
  });
  for await (const { results: own } of read) results.push(...own);
  return { results, seconds: (performance.now() - start) / 1000 };
}

/** Right heads and right arcs of each sentence by one pipeline. */
type Scores = Readonly<Record<"uas" | "las", ReturnType<typeof sentenceCounts>>>;

/** Sentences as both pipelines have read them. */
interface Readings {
  readonly confidences: readonly number[];
  readonly first: Scores;
  readonly second: Scores;
}

function scoresOf(gold: readonly ConlluSentence[], found: readonly ConlluSentence[]): Scores {
  const pairs = treePairs(gold, found);
  const counts = (metric: "uas" | "las") => sentenceCounts(pairs, metric, { subtypes: false });
  return { uas: counts("uas"), las: counts("las") };
}

/** Returns the scores of a cascade. @param seconds of the first pipeline and of the second for all sentences */
function pointOf(
  { confidences, first, second }: Readings,
  minConfidence: number,
  seconds: readonly [first: number, second: number],
): CascadePoint {
  let [words, asked, heads, arcs] = [0, 0, 0, 0];
  for (const [s, confidence] of confidences.entries()) {
    const isAsked = confidence < minConfidence;
    const { uas, las } = isAsked ? second : first;
    words += uas.total[s]!;
    if (isAsked) asked += uas.total[s]!;
    heads += uas.correct[s]!;
    arcs += las.correct[s]!;
  }
  const percent = (count: number) => (100 * count) / words;
  return {
    minConfidence,
    asked: percent(asked),
    uas: percent(heads),
    las: percent(arcs),
    wordsPerSecond: words / (seconds[0] + (seconds[1] * asked) / words),
  };
}

import { decodeAll, mean, rightHeads, type ScoredSentence, wordsIn } from "@arcwise/bench/measures";
import type { Decoder } from "@arcwise/core";
import { type HillclimbOptions, hillclimbDecoder } from "@arcwise/decode-hillclimb";
import { mstDecoder, PROJECTIVE_KINDS, projectiveDecoder } from "@arcwise/decode-mst";
import type { Step } from "../options.ts";

/** Results of one decoder over all sentences. */
export interface Pass {
  /** Microseconds of processor time per word, over one pass through all sentences. */
  readonly time: number;
  readonly wordsPerSecond: number;
  /** Mean score of the trees. */
  readonly score: number;
  /** Share of words with the right head. */
  readonly uas: number;
  /** Scores sentence by sentence. */
  readonly scores: readonly number[];
}

/** Results of the search, compared with an exact decoder. */
export interface ClimbPass extends Pass {
  /** Share of sentences with at least the score of the exact decoder, and with more. */
  readonly reached?: number | undefined;
  readonly exceeded?: number | undefined;
  /** Mean difference of the best score of a sentence in any pass and its score in this one. */
  readonly short: number;
}

/** Results on one treebank with one model. */
export interface ClimbResult {
  readonly treebank: string;
  readonly kinds: readonly string[];
  readonly sentences: number;
  readonly words: number;
  readonly candidates: number;
  /** The projective decoder on the same scores, if it handles all parts. */
  readonly exact?: Pass | undefined;
  readonly byRestarts: readonly (ClimbPass & { readonly restarts: number })[];
  readonly byTime: readonly (ClimbPass & { readonly milliseconds: number })[];
  /** On arc scores alone: the maximum arborescence, and climbs from random starts. */
  readonly arborescence: Pass;
  readonly firstOrder: readonly (ClimbPass & { readonly start: string })[];
}

export interface ClimbOptions {
  readonly restarts: readonly number[];
  readonly milliseconds: readonly number[];
  /** Number of climbs from random starts on arc scores alone. */
  readonly firstOrderRestarts: number;
  readonly seed: number;
}

/** Relative tolerance of sums of the same scores in different orders. */
const ROUNDING = 1e-9;

/** Measures the search with increasing numbers of restarts and time budgets, and the exact decoders. */
export async function measureClimb(
  treebank: string,
  sentences: readonly ScoredSentence[],
  { restarts, milliseconds, firstOrderRestarts, seed }: ClimbOptions,
  step: Step,
): Promise<ClimbResult> {
  const kinds = sentences[0]?.problem.parts.map(({ kind }) => kind) ?? [];
  const run = (name: string, decoder: Decoder, over = sentences): Promise<Pass> =>
    step(name, () => measurePass(decoder, over));
  const climb = (name: string, options: HillclimbOptions, over?: readonly ScoredSentence[]) =>
    run(name, hillclimbDecoder({ seed, ...options }), over);
  const hasExact = kinds.length > 0 && kinds.every((kind) => PROJECTIVE_KINDS.includes(kind));
  const exact = hasExact ? await run("projective", projectiveDecoder()) : undefined;
  const byRestarts = await inOrder(restarts, (count) => climb(`${count} restarts`, { restarts: count }));
  const most = Math.max(...restarts);
  const byTime = await inOrder(milliseconds, (budget) =>
    climb(`${budget} ms`, { restarts: 100 * most, milliseconds: budget }),
  );
  const arcsAlone = sentences.map(({ problem, gold }) => ({ problem: { ...problem, parts: [] }, gold }));
  const arborescence = await run("maximum arborescence", mstDecoder(), arcsAlone);
  const starts = ["scores", "uniform"] as const;
  const firstOrder = await inOrder(starts, (start) =>
    climb(`arcs alone, start ${start}`, { start, restarts: firstOrderRestarts }, arcsAlone),
  );
  const passes = [...byRestarts, ...byTime];
  const best = sentences.map((_, i) => Math.max(...passes.map(({ scores }) => scores[i]!)));
  const words = wordsIn(sentences);
  return {
    treebank,
    kinds,
    sentences: sentences.length,
    words,
    candidates: sentences.reduce((sum, { problem }) => sum + problem.arcs.head.length, 0) / words,
    exact,
    byRestarts: byRestarts.map((pass, i) => ({ ...compare(pass, best, exact), restarts: restarts[i]! })),
    byTime: byTime.map((pass, i) => ({ ...compare(pass, best, exact), milliseconds: milliseconds[i]! })),
    arborescence,
    firstOrder: firstOrder.map((pass, i) => ({
      ...compare(pass, arborescence.scores, arborescence),
      start: starts[i]!,
    })),
  };
}

async function inOrder<T, R>(items: readonly T[], measure: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await measure(item));
  return results;
}

function compare(pass: Pass, best: readonly number[], exact: Pass | undefined): ClimbPass {
  const { scores } = pass;
  const short = mean(scores.map((score, i) => Math.max(0, best[i]! - score)));
  if (exact === undefined) return { ...pass, short };
  const shareOf = (holds: (score: number, bar: number, rounding: number) => boolean) => {
    const isHeld = scores.map((score, i) => {
      const bar = exact.scores[i]!;
      return holds(score, bar, ROUNDING * (1 + Math.abs(bar)));
    });
    return isHeld.filter(Boolean).length / scores.length;
  };
  const reached = shareOf((score, bar, rounding) => score >= bar - rounding);
  const exceeded = shareOf((score, bar, rounding) => score > bar + rounding);
  return { ...pass, short, reached, exceeded };
}

function measurePass(decoder: Decoder, sentences: readonly ScoredSentence[]): Pass {
  const timed = decodeAll(decoder.name, (problem) => decoder.decode(problem), sentences);
  const milliseconds = timed.reduce((sum, one) => sum + one.milliseconds, 0);
  const words = wordsIn(sentences);
  const scores = timed.map(({ decoding }) => decoding.score);
  const right = timed.reduce(
    (sum, { decoding }, i) => sum + rightHeads(decoding.heads, sentences[i]!.gold),
    0,
  );
  return {
    time: (1000 * milliseconds) / words,
    wordsPerSecond: (1000 * words) / milliseconds,
    score: mean(scores),
    uas: right / words,
    scores,
  };
}

import type { Keep } from "@arcwise/bench/command";
import type { ScoredSentence } from "@arcwise/bench/measures";
import { WrongAnswer } from "@arcwise/bench/measures";
import { checkTree, type Decoder, type Decoding, type ParsingProblem, scoreTree } from "@arcwise/core";
import { type HillclimbOptions, hillclimbDecoder } from "@arcwise/decode-hillclimb";
import { mstDecoder, PROJECTIVE_KINDS, projectiveDecoder } from "@arcwise/decode-mst";

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
  readonly onPass?: ((name: string) => void) | undefined;
  readonly keep: Keep;
}

/** Relative tolerance of sums of the same scores in different orders. */
const ROUNDING = 1e-9;
/** Number of sentences decoded before a pass is timed. */
const WARM_UP = 200;

/** Measures the search with increasing numbers of restarts and time budgets, and the exact decoders. */
export async function measureClimb(
  treebank: string,
  sentences: readonly ScoredSentence[],
  { restarts, milliseconds, firstOrderRestarts, seed, onPass, keep }: ClimbOptions,
): Promise<ClimbResult> {
  const kinds = sentences[0]?.problem.parts.map(({ kind }) => kind) ?? [];
  const run = (name: string, decoder: Decoder, over: readonly ScoredSentence[] = sentences): Promise<Pass> =>
    keep(name, () => {
      onPass?.(name);
      return measurePass(decoder, over);
    });
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
  const best = bestOf([...byRestarts, ...byTime]);
  const { words, candidates } = sizeOf(sentences);
  return {
    treebank,
    kinds,
    sentences: sentences.length,
    words,
    candidates: candidates / words,
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

/** Measures in sequence. */
async function inOrder<T, R>(items: readonly T[], measure: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await measure(item));
  return results;
}

function sizeOf(sentences: readonly ScoredSentence[]): { words: number; candidates: number } {
  let words = 0;
  let candidates = 0;
  for (const { problem } of sentences) {
    words += problem.arcs.n;
    candidates += problem.arcs.head.length;
  }
  return { words, candidates };
}

/** Returns the best score of each sentence over all passes. */
function bestOf(passes: readonly Pass[]): number[] {
  return passes[0]!.scores.map((_, i) => Math.max(...passes.map(({ scores }) => scores[i]!)));
}

function compare(pass: Pass, best: readonly number[], exact: Pass | undefined): ClimbPass {
  const { scores } = pass;
  const count = scores.length;
  const short = scores.reduce((sum, score, i) => sum + Math.max(0, best[i]! - score), 0) / count;
  if (exact === undefined) return { ...pass, short };
  let reached = 0;
  let exceeded = 0;
  for (let i = 0; i < count; i++) {
    const bar = exact.scores[i]!;
    const rounding = ROUNDING * (1 + Math.abs(bar));
    if (scores[i]! >= bar - rounding) reached++;
    if (scores[i]! > bar + rounding) exceeded++;
  }
  return { ...pass, short, reached: reached / count, exceeded: exceeded / count };
}

function measurePass(decoder: Decoder, sentences: readonly ScoredSentence[]): Pass {
  for (const { problem } of sentences.slice(0, WARM_UP)) decoder.decode(problem);
  const from = process.cpuUsage();
  const decodings = sentences.map(({ problem }) => decoder.decode(problem));
  const { user, system } = process.cpuUsage(from);
  const milliseconds = (user + system) / 1000;
  const { words } = sizeOf(sentences);
  let right = 0;
  decodings.forEach((decoding, i) => {
    const { problem, gold } = sentences[i]!;
    checkDecoding(decoder, problem, decoding);
    for (let m = 1; m <= problem.arcs.n; m++) if (decoding.heads[m] === gold[m]) right++;
  });
  const scores = decodings.map(({ score }) => score);
  return {
    time: (1000 * milliseconds) / words,
    wordsPerSecond: (1000 * words) / milliseconds,
    score: scores.reduce((sum, score) => sum + score, 0) / scores.length,
    uas: right / words,
    scores,
  };
}

function checkDecoding({ name }: Decoder, problem: ParsingProblem, { heads, score }: Decoding): void {
  const fault = checkTree(heads);
  if (fault !== undefined) throw new WrongAnswer(`${name}: ${heads.join(" ")}: ${fault}`);
  const expected = scoreTree(problem, heads);
  if (Math.abs(score - expected) > ROUNDING * (1 + Math.abs(expected))) {
    throw new WrongAnswer(`${name}: ${heads.join(" ")} scores ${expected}, not ${score}`);
  }
}

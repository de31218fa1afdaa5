import { checkTree, type Decoding, type ParsingProblem, scoreTree } from "@arcwise/core";
import { createParser } from "@arcwise/parser";
import { readModelPart } from "@arcwise/pipeline/node";
import { readSplit, type Split, spreadEvenly } from "../data/treebanks.ts";
import { WrongAnswer } from "./checks.ts";
import { processorTime } from "./timing.ts";

/** The problem of a sentence and its gold heads. */
export interface ScoredSentence {
  readonly problem: ParsingProblem;
  readonly gold: Int32Array;
}

/** One decoding and its processor time. */
export interface Timed<T extends Decoding> {
  readonly decoding: T;
  readonly milliseconds: number;
}

/** Relative tolerance of sums of the same scores in different orders. */
const ROUNDING = 1e-9;
/** Number of sentences decoded before timing. */
const WARM_UP = 200;

/** Decodes all sentences after a warm-up, and checks the results. @throws WrongAnswer */
export function decodeAll<T extends Decoding>(
  name: string,
  decode: (problem: ParsingProblem) => T,
  sentences: readonly ScoredSentence[],
): Timed<T>[] {
  for (const { problem } of sentences.slice(0, WARM_UP)) decode(problem);
  const timed = sentences.map(({ problem }): Timed<T> => {
    const from = processorTime();
    const decoding = decode(problem);
    return { decoding, milliseconds: processorTime() - from };
  });
  for (const [i, { decoding }] of timed.entries()) checkDecoding(name, sentences[i]!.problem, decoding);
  return timed;
}

/** Checks a decoding: a tree, with the score that `scoreTree` gives it up to rounding, not above its bound. */
export function checkDecoding(
  name: string,
  problem: ParsingProblem,
  { heads, score, bound }: Decoding,
): void {
  const fault = checkTree(heads);
  if (fault !== undefined) throw new WrongAnswer(`${name}: ${heads.join(" ")}: ${fault}`);
  const expected = scoreTree(problem, heads);
  const rounding = ROUNDING * (1 + Math.abs(expected));
  if (Math.abs(score - expected) > rounding) {
    throw new WrongAnswer(`${name}: ${heads.join(" ")} scores ${expected}, not ${score}`);
  }
  if (bound < score - rounding) throw new WrongAnswer(`${name}: bound ${bound} is below the score ${score}`);
}

/** Returns the number of words with the right head. */
export function rightHeads(heads: Int32Array, gold: Int32Array): number {
  let right = 0;
  for (let m = 1; m < gold.length; m++) if (heads[m] === gold[m]) right++;
  return right;
}

export function wordsIn(sentences: readonly ScoredSentence[]): number {
  return sentences.reduce((sum, { problem }) => sum + problem.arcs.n, 0);
}

/** Scores sentences of a split, spread evenly over it, by the model in a file; empty ones are left out. */
export async function scoredBy(
  model: string,
  folder: string,
  split: Split,
  sentences = Infinity,
): Promise<ScoredSentence[]> {
  const parser = createParser(await readModelPart(model, "parser"));
  const used = readSplit(folder, split).filter(({ sentence }) => sentence.length > 0);
  return spreadEvenly(used, sentences).map(({ sentence, tree }) => ({
    problem: parser.read([sentence])[0]!.problem(),
    gold: tree.heads,
  }));
}

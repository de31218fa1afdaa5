import { spreadEvenly } from "../data/treebanks.ts";
import type { DecoderEntry, VariantSettings } from "../registry/decoders.ts";
import { measureInTurn, type Speed, sampledBlocks, type TurnOptions, timedBlocks } from "./in-turn.ts";
import { mean, sum } from "./timing.ts";

/** Results of a decoder over all sentences, on the same scores as the others. */
export interface DecoderComparison {
  readonly decoder: string;
  /** Sum of the scores that it finds, divided by the sum of the best scores. */
  readonly optimumShare: number;
  /** Mean difference of the best score and its score. */
  readonly short: number;
  /** Share of sentences with the best score. */
  readonly optimal: number;
  /** Share of sentences whose bound on all parts is the score. */
  readonly certified: number;
  /** Words per second of decoding alone, of processor time: `speed.value`. */
  readonly wordsPerSecond: number;
  readonly speed: Speed;
}

/** Decoders on the scores of a model. */
export interface Comparison<Row extends DecoderComparison = DecoderComparison> {
  readonly treebank: string;
  readonly kinds: readonly string[];
  readonly sentences: number;
  readonly words: number;
  /** Number of sentences that speeds are measured on. */
  readonly timedSentences: number;
  /**
   * Share of sentences whose optimum is certified. For the others, the best score of any decoder counts as
   * optimum.
   */
  readonly certified: number;
  readonly decoders: readonly Row[];
}

export interface CompareOptions extends VariantSettings, TurnOptions {
  /** Time limit of branch and bound per sentence, in milliseconds. */
  readonly limit: number;
  /** The decoders of trees that are compared. */
  readonly entries: readonly DecoderEntry[];
  /** Number of sentences that accuracy is measured on, spread evenly over the split; all by default. */
  readonly sentences?: number | undefined;
  /** Number of sentences of the whole split that speed is measured on. */
  readonly timed: number;
  /** Speeds of the decoders, in order, that were measured before. Default: they are measured. */
  readonly speeds?: readonly Speed[] | undefined;
  /** Called before each pass: `pass` of `passes`. */
  readonly onPass?: ((name: string, pass: number, passes: number) => void) | undefined;
}

interface ScoredProblem {
  readonly arcs: { readonly n: number };
  readonly parts: readonly { readonly kind: string }[];
}

interface Decoded {
  readonly score: number;
  readonly bound: number;
}

/** What decoders are compared on: trees or graphs of scored sentences. */
export interface Subject<Problem, Decoder, Found, Output> {
  /** The decoders, and last the exact one whose scores are the optimum. */
  readonly contestants: readonly { readonly label: string; readonly make: () => Decoder }[];
  /** The number of words of each sentence. */
  readonly lengths: readonly number[];
  /** Reads sentences, by index: problems with all parts that the model scores, and its outputs for given decodings. */
  readonly reader: (given?: () => Found) => (i: number) => { problem(): Problem; best(): Output };
  /** Returns what a decoder handles of a problem; the problem itself if it handles all. */
  readonly handled: (decoder: Decoder, problem: Problem) => Problem;
  /** Decodes what a decoder handles of a problem; the score counts the whole problem. @throws WrongAnswer */
  readonly decode: (label: string, decoder: Decoder, problem: Problem) => Found;
  /** Returns a text that is equal for equal results of a sentence. */
  readonly keyOf: (found: Found) => string;
}

/** A comparison with the decodings of each decoder, and the outputs of the model for them. */
export interface Compared<Found, Output> {
  readonly comparison: Comparison;
  /** The sentences, by index. */
  readonly used: readonly number[];
  readonly runs: readonly (readonly Found[])[];
  readonly outputs: readonly (readonly Output[])[];
}

/** Relative tolerance of sums of the same scores in different orders. */
const ROUNDING = 1e-9;

/**
 * Decodes the same scored sentences with all decoders, and times decoding. A decoder that does not handle all of a problem
 * decodes the rest. Speed is measured on sentences of the whole split, whichever accuracy is measured on.
 */
export function compareDecoders<
  Problem extends ScoredProblem,
  Decoder extends { decode(problem: Problem): Decoded },
  Found extends Decoded,
  Output,
>(
  treebank: string,
  subject: Subject<Problem, Decoder, Found, Output>,
  options: CompareOptions,
): Compared<Found, Output> {
  const { contestants, lengths, reader, decode } = subject;
  const { sentences: wanted = lengths.length, onPass } = options;
  const read = reader();
  const scored = new Map<number, Problem>();
  const problemOf = (i: number): Problem => {
    const problem = scored.get(i) ?? read(i).problem();
    scored.set(i, problem);
    return problem;
  };
  const speeds = options.speeds ?? timeAll(subject, problemOf, options);
  const used = spreadEvenly([...lengths.keys()], wanted);
  const passes = contestants.length + 2;
  const runs = contestants.map(({ label, make }, which) => {
    onPass?.(label, which + 1, passes);
    const decoder = make();
    return used.map((i) => decode(label, decoder, problemOf(i)));
  });
  onPass?.("labels", contestants.length + 1, passes);
  const outputs = outputsOf(subject, used, runs);
  const best = used.map((_, i) => Math.max(...runs.map((run) => run[i]!.score)));
  const decoders = contestants.map(({ label }, which): DecoderComparison => {
    const scores = runs[which]!.map(({ score }) => score);
    const isBest = (score: number, i: number): boolean =>
      score >= best[i]! - ROUNDING * (1 + Math.abs(best[i]!));
    return {
      decoder: label,
      optimumShare: sum(scores) / sum(best),
      short: mean(scores.map((score, i) => Math.max(0, best[i]! - score))),
      optimal: mean(scores.map((score, i) => Number(isBest(score, i)))),
      certified: mean(runs[which]!.map(({ bound, score }) => Number(bound === score))),
      wordsPerSecond: speeds[which]!.value,
      speed: speeds[which]!,
    };
  });
  onPass?.("differences", contestants.length + 2, passes);
  const comparison: Comparison = {
    treebank,
    kinds: problemOf(used[0]!).parts.map(({ kind }) => kind),
    sentences: used.length,
    words: sum(used.map((i) => lengths[i]!)),
    timedSentences: Math.min(options.timed, lengths.length),
    certified: decoders.at(-1)!.certified,
    decoders,
  };
  return { comparison, used, runs, outputs };
}

/** Returns the outputs of the model for decodings: one for equal decodings of a sentence. */
function outputsOf<Problem, Decoder, Found, Output>(
  { reader, keyOf }: Subject<Problem, Decoder, Found, Output>,
  used: readonly number[],
  runs: readonly (readonly Found[])[],
): Output[][] {
  let given: Found;
  const read = reader(() => given);
  const outputs = used.map((i, k) => {
    const known = new Map<string, Output>();
    return runs.map((run) => {
      given = run[k]!;
      const key = keyOf(given);
      const output = known.get(key) ?? read(i).best();
      known.set(key, output);
      return output;
    });
  });
  return runs.map((_, which) => outputs.map((own) => own[which]!));
}

/** Times the decoding of a sample of the split, in turn over all decoders. */
function timeAll<Problem, Decoder extends { decode(problem: Problem): Decoded }>(
  {
    contestants,
    lengths,
    handled,
  }: Pick<Subject<Problem, Decoder, Decoded, unknown>, "contestants" | "lengths" | "handled">,
  problemOf: (i: number) => Problem,
  options: CompareOptions,
): Speed[] {
  const sample = sampledBlocks(lengths, options.timed);
  // All are scored before any is timed.
  for (const { indices } of sample) for (const i of indices) problemOf(i);
  const timed = contestants.map(({ label, make }) => {
    const decoder = make();
    const problemFor = (i: number) => handled(decoder, problemOf(i));
    const run = (problem: Problem) => decoder.decode(problem).score;
    return { name: label, blocks: timedBlocks(sample, lengths, problemFor, run) };
  });
  return measureInTurn(timed, options);
}

import {
  type Decoder,
  PART_KINDS,
  type ParsingProblem,
  type PartKind,
  type Scored,
  type Sentence,
} from "@arcwise/core";
import { ad3Decoder } from "@arcwise/decode-ad3";
import type { DecoderEntry, Variant, VariantSettings } from "../registry/decoders.ts";
import { itsPartsOf, onItsParts } from "../registry/other-decoders.ts";
import {
  type GoldSentence,
  MAX_SHOWN,
  type PlainTree,
  type SentenceRights,
  type SentenceTrees,
  sentenceRights,
  sentenceTrees,
} from "../results/results.ts";
import { type DecoderDifference, decoderDifferences } from "./decoder-differences.ts";
import {
  measureInTurn,
  type Speed,
  sampledBlocks,
  type TimedContestant,
  type TurnOptions,
} from "./in-turn.ts";
import { labelsOfTrees } from "./labelled-trees.ts";
import type { ReaderOf } from "./readers.ts";
import type { ModelReliability } from "./reliability.ts";
import { checkDecoding, spreadEvenly } from "./scored-sentences.ts";
import { mean } from "./timing.ts";

/** Results of a decoder over all sentences, on the same scores as the others. */
export interface DecoderComparison {
  readonly decoder: string;
  readonly uas: number;
  readonly las: number;
  /** Sum of the scores of its trees, divided by the sum of the best trees. */
  readonly optimumShare: number;
  /** Mean difference of the optimum and the score of its tree. */
  readonly short: number;
  /** Share of sentences whose tree scores as much as the best one. */
  readonly optimal: number;
  /** Share of sentences whose bound on all parts is the score. */
  readonly certified: number;
  /** Words per second of decoding alone, of processor time: `speed.value`. */
  readonly wordsPerSecond: number;
  readonly speed: Speed;
  readonly rights: SentenceRights;
}

/** Scores of a decoder with each of several models of a treebank, in the order of the models. */
export interface TrainingScores {
  readonly decoder: string;
  readonly uas: readonly number[];
  readonly las: readonly number[];
  /** Shares of sentences, as in `DecoderComparison`. */
  readonly optimal: readonly number[];
  readonly certified: readonly number[];
}

/** Decoders with several models of one treebank, such as trainings with several seeds. */
export interface ModelTrainings {
  /** The files of the models. */
  readonly models: readonly string[];
  readonly decoders: readonly TrainingScores[];
  /** All pairs of decoders: a sample of sentences has the trees of all models. */
  readonly differences: readonly DecoderDifference[];
}

export interface ComparisonResult {
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
  readonly decoders: readonly DecoderComparison[];
  /** All pairs of decoders. */
  readonly differences: readonly DecoderDifference[];
  /** Of the probabilities of the model with its own decoder; undefined if that decoder is unknown. */
  readonly reliability: ModelReliability | undefined;
  /** Of all models of the treebank; undefined with one model. */
  readonly trainings?: ModelTrainings | undefined;
  /** At most `MAX_SHOWN` sentences with the trees of all decoders, in the order of `decoders`. */
  readonly shown: readonly SentenceTrees[];
}

export interface CompareOptions extends VariantSettings, TurnOptions {
  /** Time limit of branch and bound per sentence, in milliseconds. */
  readonly limit: number;
  /** The decoders that are compared. */
  readonly entries: readonly DecoderEntry[];
  /** Number of sentences that accuracy is measured on, spread evenly over the split; all by default. */
  readonly sentences?: number | undefined;
  /** Number of sentences of the whole split that speed is measured on. */
  readonly timed: number;
  /** Returns the reliability of the probabilities of the model on gold sentences; nothing by default. */
  readonly reliability?: ((golds: readonly GoldSentence[]) => ModelReliability | undefined) | undefined;
  /** Speeds of the decoders, in order, that were measured before. Default: they are measured. */
  readonly speeds?: readonly Speed[] | undefined;
  /** Called before each pass: `pass` of `passes`. */
  readonly onPass?: ((name: string, pass: number, passes: number) => void) | undefined;
}

/** All scored items of a problem besides arcs. */
const EVERYTHING: ReadonlySet<Scored> = new Set([...PART_KINDS, "global"]);

/**
 * A decoder for scoring only: problems have all parts that the model scores, and candidates that contain a
 * projective tree, so that all decoders can take them.
 */
const SCORING: Decoder = { ...onItsParts(ad3Decoder(), EVERYTHING), trees: "projective" };

/** Returns the kinds of parts that a model scores in a sentence. */
export function scoredKinds(readerOf: ReaderOf, sentence: Sentence): ReadonlySet<PartKind> {
  const problem = readerOf(SCORING)(sentence).problem();
  return new Set(problem.parts.map(({ kind }) => kind));
}

/** Relative tolerance of sums of a tree's score in different orders. */
const ROUNDING = 1e-9;

/** The decoders of a comparison, and last the exact one whose scores are the optimum. */
function contestantsOf({ entries, limit, ...settings }: CompareOptions): Variant[] {
  const exact: Variant = {
    label: "AD3 with branch and bound",
    make: () => ad3Decoder({ exact: { milliseconds: limit } }),
  };
  return [...entries.flatMap((entry): readonly Variant[] => entry.variants?.(settings) ?? [entry]), exact];
}

/**
 * Decodes the same scored sentences with all decoders, labels their trees by the model, and times decoding.
 * Speed is measured on sentences of the whole split, whichever accuracy is measured on.
 *
 * @param readerOf a model as a reader of sentences
 */
export function compareDecoders(
  treebank: string,
  readerOf: ReaderOf,
  split: readonly GoldSentence[],
  options: CompareOptions,
): ComparisonResult {
  const { sentences: wanted = split.length, onPass } = options;
  const read = readerOf(SCORING);
  const scored = new Map<number, ParsingProblem>();
  const problemOf = (i: number): ParsingProblem => {
    const problem = scored.get(i) ?? read(split[i]!.sentence).problem();
    scored.set(i, problem);
    return problem;
  };
  const contestants = contestantsOf(options);
  const passes = contestants.length + 2;
  const used = spreadEvenly([...split.keys()], wanted);
  const speeds = options.speeds ?? timeAll(contestants, split, problemOf, options);
  const runs = contestants.map(({ label, make }, which) => {
    onPass?.(label, which + 1, passes);
    const decoder = onItsParts(make(), EVERYTHING);
    return used.map((i) => {
      const decoding = decoder.decode(problemOf(i));
      checkDecoding(label, problemOf(i), decoding);
      return decoding;
    });
  });
  onPass?.("labels", contestants.length + 1, passes);
  const trees = labelsOfTrees(
    readerOf,
    used.map((i) => split[i]!.sentence),
    runs.map((run) => run.map(({ heads }) => heads)),
  );
  const golds = used.map((i) => split[i]!);
  const best = used.map((_, i) => Math.max(...runs.map((run) => run[i]!.score)));
  const total = best.reduce((sum, score) => sum + score, 0);
  const words = golds.reduce((sum, { sentence }) => sum + sentence.length, 0);
  const decoders = contestants.map(({ label }, which): DecoderComparison => {
    const scores = runs[which]!.map(({ score }) => score);
    const rights = sentenceRights(golds, trees[which]!);
    const isBest = (score: number, i: number): boolean =>
      score >= best[i]! - ROUNDING * (1 + Math.abs(best[i]!));
    return {
      decoder: label,
      uas: sum(rights.heads) / words,
      las: sum(rights.arcs) / words,
      optimumShare: sum(scores) / total,
      short: mean(scores.map((score, i) => Math.max(0, best[i]! - score))),
      optimal: mean(scores.map((score, i) => Number(isBest(score, i)))),
      certified: mean(runs[which]!.map(({ bound, score }) => Number(bound === score))),
      wordsPerSecond: speeds[which]!.value,
      speed: speeds[which]!,
      rights,
    };
  });
  onPass?.("differences", contestants.length + 2, passes);
  return {
    treebank,
    differences: decoderDifferences(decoders, options.seed),
    reliability: options.reliability?.(golds),
    kinds: problemOf(used[0]!).parts.map(({ kind }) => kind),
    sentences: used.length,
    words,
    timedSentences: Math.min(options.timed, split.length),
    certified: decoders.at(-1)!.certified,
    decoders,
    shown: spreadEvenly([...used.keys()], MAX_SHOWN).map((i) =>
      shownSentence(
        used[i]!,
        golds[i]!,
        trees.map((own) => own[i]!),
      ),
    ),
  };
}

/** Times the decoding of a sample of the split, in turn over all decoders. */
function timeAll(
  contestants: readonly Variant[],
  split: readonly GoldSentence[],
  problemOf: (i: number) => ParsingProblem,
  options: CompareOptions,
): Speed[] {
  const blocks = sampledBlocks(
    split.map(({ sentence }) => sentence.length),
    options.timed,
  );
  // All are scored before any is timed.
  for (const { indices } of blocks) for (const i of indices) problemOf(i);
  const timed = contestants.map(({ label, make }): TimedContestant => {
    const decoder = make();
    return {
      name: label,
      blocks: blocks.map(({ indices, share }) => {
        const problems = indices.map((i) => itsPartsOf(decoder, problemOf(i)));
        return {
          share,
          words: problems.reduce((all, { arcs }) => all + arcs.n, 0),
          run() {
            let total = 0;
            for (let i = 0; i < problems.length; i++) total += decoder.decode(problems[i]!).score;
            return total;
          },
        };
      }),
    };
  });
  return measureInTurn(timed, options);
}

function shownSentence(
  index: number,
  { sentence, tree }: GoldSentence,
  found: readonly PlainTree[],
): SentenceTrees {
  const gold = { heads: [...tree.heads], labels: [...tree.labels] };
  return sentenceTrees(
    index,
    sentence.map(({ form }) => form),
    gold,
    found,
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

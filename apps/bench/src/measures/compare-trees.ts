import {
  type Decoder,
  type Decoding,
  type DependencyTree,
  PART_KINDS,
  type ParsingProblem,
  type PartKind,
  type Sentence,
  scoreTree,
} from "@arcwise/core";
import { ad3Decoder } from "@arcwise/decode-ad3";
import { decodeItsParts, itsPartsOf } from "../registry/other-decoders.ts";
import {
  type GoldSentence,
  plainTree,
  type SentenceRights,
  type SentenceTrees,
  sentenceRights,
  shownSentences,
} from "../results/results.ts";
import {
  type CompareOptions,
  type Comparison,
  compareDecoders,
  type DecoderComparison,
  type Subject,
} from "./compare-decoders.ts";
import { type DecoderDifference, decoderDifferences } from "./decoder-differences.ts";
import type { ReaderOf } from "./readers.ts";
import type { ModelReliability } from "./reliability.ts";
import { checkDecoding } from "./scored-sentences.ts";
import { sum } from "./timing.ts";

/** Results of a decoder of trees. */
export interface TreeComparison extends DecoderComparison {
  readonly uas: number;
  readonly las: number;
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

export interface ComparisonResult extends Comparison<TreeComparison> {
  /** All pairs of decoders. */
  readonly differences: readonly DecoderDifference[];
  /** Of the probabilities of the model with its own decoder; undefined if that decoder is unknown. */
  readonly reliability: ModelReliability | undefined;
  /** Of all models of the treebank; undefined with one model. */
  readonly trainings?: ModelTrainings | undefined;
  /** At most `MAX_SHOWN` sentences with the trees of all decoders, in the order of `decoders`. */
  readonly shown: readonly SentenceTrees[];
}

export interface TreeOptions extends CompareOptions {
  /** Returns the reliability of the probabilities of the model on gold sentences; nothing by default. */
  readonly reliability?: ((golds: readonly GoldSentence[]) => ModelReliability | undefined) | undefined;
}

/**
 * A decoder for scoring only: problems have all parts that the model scores, and candidates that contain a
 * projective tree, so that all decoders can take them.
 */
const SCORING: Decoder = {
  name: "scoring",
  trees: "projective",
  singleRoot: true,
  handles: new Set([...PART_KINDS, "global"] as const),
  decode: ad3Decoder().decode,
};

/** Returns a decoder of any problem whose trees are given, without a claim that they are the best. */
function givenTrees(given: () => Decoding): Decoder {
  const decode = (problem: ParsingProblem): Decoding => {
    const { heads } = given();
    return { heads, score: scoreTree(problem, heads), bound: Infinity };
  };
  return { ...SCORING, trees: "any", singleRoot: false, decode };
}

/** Returns the kinds of parts that a model scores in a sentence. */
export function scoredKinds(readerOf: ReaderOf, sentence: Sentence): ReadonlySet<PartKind> {
  const problem = readerOf(SCORING)(sentence).problem();
  return new Set(problem.parts.map(({ kind }) => kind));
}

/**
 * Compares decoders of trees, which one model labels.
 *
 * @param readerOf a model as a reader of sentences
 */
export function compareTrees(
  treebank: string,
  readerOf: ReaderOf,
  split: readonly GoldSentence[],
  options: TreeOptions,
): ComparisonResult {
  const { entries, limit, seed, ...settings } = options;
  const exact = {
    label: "AD3 with branch and bound",
    make: () => ad3Decoder({ exact: { milliseconds: limit } }),
  };
  const subject: Subject<ParsingProblem, Decoder, Decoding, Pick<DependencyTree, "heads" | "labels">> = {
    contestants: [...entries.flatMap((entry) => entry.variants?.({ ...settings, seed }) ?? [entry]), exact],
    lengths: split.map(({ sentence }) => sentence.length),
    reader: (given) => {
      const read = readerOf(given === undefined ? SCORING : givenTrees(given));
      return (i) => read(split[i]!.sentence);
    },
    handled: itsPartsOf,
    decode: (label, decoder, problem) => {
      const decoding = decodeItsParts(decoder, problem);
      checkDecoding(label, problem, decoding);
      return decoding;
    },
    keyOf: ({ heads }) => heads.join(" "),
  };
  const { comparison, used, outputs } = compareDecoders(treebank, subject, options);
  const golds = used.map((i) => split[i]!);
  const trees = outputs.map((own) => own.map(plainTree));
  const decoders = comparison.decoders.map((row, which): TreeComparison => {
    const rights = sentenceRights(golds, trees[which]!);
    const { words } = comparison;
    return { ...row, uas: sum(rights.heads) / words, las: sum(rights.arcs) / words, rights };
  });
  return {
    ...comparison,
    decoders,
    differences: decoderDifferences(decoders, seed),
    reliability: options.reliability?.(golds),
    shown: shownSentences(used, golds, trees),
  };
}

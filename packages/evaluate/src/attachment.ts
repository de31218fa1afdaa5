import { checkArgument, checkOptions, oneOf } from "@arcwise/core/options";
import { checkPair, requirePairs, type TreePair } from "./pairs.ts";
import { judge, ratio, SCORING, type Scoring, type ScoringOptions } from "./scoring.ts";

/** Attachment scores. All but the counts are fractions from 0 to 1; 0 when the denominator is 0. */
export interface AttachmentScores {
  /** Words scored, after the punctuation rule. */
  readonly words: number;
  /** Sentences with at least one word scored. */
  readonly sentences: number;
  /** Words with the right head. */
  readonly correctHeads: number;
  /** Words with the right label, regardless of the head. */
  readonly correctLabels: number;
  /** Words with the right head and label. */
  readonly correctArcs: number;
  /** Unlabelled attachment score, `correctHeads / words`. */
  readonly uas: number;
  /** Labelled attachment score, `correctArcs / words`. */
  readonly las: number;
  /** Label accuracy, `correctLabels / words`. */
  readonly la: number;
  /** Share of the sentences in which every scored word has the right head. */
  readonly exactMatchUnlabelled: number;
  /** Share of the sentences in which every scored word has the right head and label. */
  readonly exactMatchLabelled: number;
  /** Share of the sentences whose root words, scored or not, are the root words of the gold tree. */
  readonly rootAccuracy: number;
}

/**
 * Returns attachment scores over gold tokens, micro-averaged over words, with full labels and with
 * punctuation by default. O(words).
 *
 * @throws ArcwiseError `invalid-argument` when the trees of a pair do not fit its words or are not trees (several roots are
 *   allowed); `unknown-option`, `invalid-option`
 *
 * Buchholz and Marsi 2006, CoNLL-X Shared Task on Multilingual Dependency Parsing.
 */
export function attachmentScores(pairs: readonly TreePair[], options?: ScoringOptions): AttachmentScores {
  requirePairs(pairs, "attachmentScores");
  const scoring = checkOptions(SCORING, options, "attachmentScores");
  let words = 0;
  let sentences = 0;
  let correctHeads = 0;
  let correctLabels = 0;
  let correctArcs = 0;
  let exactHeads = 0;
  let exactArcs = 0;
  let exactRoots = 0;
  pairs.forEach((pair, index) => {
    checkPair(pair, index);
    const own = countSentence(pair, scoring);
    if (own.words === 0) return;
    words += own.words;
    sentences++;
    correctHeads += own.heads;
    correctLabels += own.labels;
    correctArcs += own.arcs;
    if (own.heads === own.words) exactHeads++;
    if (own.arcs === own.words) exactArcs++;
    if (sameRoots(pair.gold.heads, pair.predicted.heads)) exactRoots++;
  });
  return {
    words,
    sentences,
    correctHeads,
    correctLabels,
    correctArcs,
    uas: ratio(correctHeads, words),
    las: ratio(correctArcs, words),
    la: ratio(correctLabels, words),
    exactMatchUnlabelled: ratio(exactHeads, sentences),
    exactMatchLabelled: ratio(exactArcs, sentences),
    rootAccuracy: ratio(exactRoots, sentences),
  };
}

/** Counts of the scored words of a sentence: right heads, labels, and heads with labels. */
interface SentenceTotals {
  words: number;
  heads: number;
  labels: number;
  arcs: number;
}

/** Counts the right words of a sentence. */
export function countSentence(pair: TreePair, scoring: Scoring): SentenceTotals {
  const { scored, head, label } = judge(pair, scoring);
  const totals = { words: 0, heads: 0, labels: 0, arcs: 0 };
  for (let m = 1; m < scored.length; m++) {
    if (scored[m] === 0) continue;
    totals.words++;
    totals.heads += head[m]!;
    totals.labels += label[m]!;
    totals.arcs += head[m]! & label[m]!;
  }
  return totals;
}

function sameRoots(gold: Int32Array, predicted: Int32Array): boolean {
  for (let m = 1; m < gold.length; m++) if ((gold[m] === 0) !== (predicted[m] === 0)) return false;
  return true;
}

/** The score that per-sentence counts are for. */
export type AttachmentMetric = "uas" | "las" | "la";
const METRIC = oneOf("uas", "las", "la");

/** Right and scored words of each sentence, from which `pairedBootstrap` draws. */
export interface SentenceCounts {
  readonly correct: ArrayLike<number>;
  readonly total: ArrayLike<number>;
}

/**
 * Returns the numbers of right and scored words of each sentence, one entry per pair. Their sums give the
 * score. O(words).
 *
 * @throws ArcwiseError `invalid-argument` when the trees of a pair do not fit its words or are not trees (several roots are
 *   allowed); `unknown-option`, `invalid-option`
 */
export function sentenceCounts(
  pairs: readonly TreePair[],
  metric: AttachmentMetric,
  options?: ScoringOptions,
): SentenceCounts {
  requirePairs(pairs, "sentenceCounts");
  checkArgument(METRIC, metric, "sentenceCounts: metric");
  const scoring = checkOptions(SCORING, options, "sentenceCounts");
  const correct = new Float64Array(pairs.length);
  const total = new Float64Array(pairs.length);
  pairs.forEach((pair, index) => {
    checkPair(pair, index);
    const own = countSentence(pair, scoring);
    total[index] = own.words;
    correct[index] = metric === "uas" ? own.heads : metric === "las" ? own.arcs : own.labels;
  });
  return { correct, total };
}

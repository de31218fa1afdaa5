import { random } from "@arcwise/core";
import { counted, invalidArgument } from "@arcwise/core/errors";
import {
  checkArgument,
  checkOptions,
  defineOptions,
  integer,
  isList,
  type OptionsOf,
  satisfying,
  shaped,
} from "@arcwise/core/options";
import type { SentenceCounts } from "./attachment.ts";
import { ratio } from "./scoring.ts";

/** The counts of two systems on the same sentences. */
export interface SystemPair {
  readonly a: SentenceCounts;
  readonly b: SentenceCounts;
}

/** A comparison of two systems. Scores and differences are fractions (0.01 = one point). */
export interface BootstrapResult {
  /** Score of system a on the whole test set. */
  readonly a: number;
  /** Score of system b on the whole test set. */
  readonly b: number;
  /** `b - a`. */
  readonly difference: number;
  /**
   * Two-sided p-value: the probability of a difference of at least this size if the systems are equally good.
   */
  readonly pValue: number;
  /** Percentile interval of the difference. */
  readonly interval: readonly [low: number, high: number];
  /** Share of the resampled test sets on which b is better than a; ties count one half. */
  readonly wins: number;
  readonly samples: number;
  readonly seed: number;
}

const NUMBERS = satisfying<ArrayLike<number>>("a list of numbers", isList);
const COUNTS = shaped<SentenceCounts>("counts of sentences, { correct, total }", {
  correct: NUMBERS,
  total: NUMBERS,
});
const SYSTEMS = shaped<SystemPair>("two systems, { a, b }", { a: COUNTS, b: COUNTS });
const CONFIDENCE = satisfying<number>(
  "a number between 0 and 1",
  (value) => typeof value === "number" && value > 0 && value < 1,
);
const BOOTSTRAP_OPTIONS = defineOptions({
  seed: { check: integer(0), help: "seed of the random numbers", default: 1 },
  samples: { check: integer(1), help: "number of resampled test sets", default: 10_000 },
  confidence: { check: CONFIDENCE, help: "coverage of the interval, between 0 and 1", default: 0.95 },
});

/**
 * Runs a paired bootstrap test of two systems on the same test set. Test sets of the same number of sentences
 * are drawn from it with replacement, and the difference of the scores (right words over scored words, b
 * minus a) is computed on each. The p-value is the share of samples whose difference d' satisfies |d' - d| >=
 * |d| for the observed difference d, with the observed set as one more sample: (1 + such sets) / (1 +
 * samples). The result depends only on the options and the counts.
 *
 * Cost: O(samples · sentences) time, O(samples + sentences) memory.
 *
 * @throws ArcwiseError `invalid-argument` when the counts are not of one length, a count is not finite or below 0, more words
 * are right than scored, or not a word is scored; `unknown-option`, `invalid-option`
 *
 * Efron and Tibshirani 1993, An Introduction to the Bootstrap, chapters 13 and 16; Berg-Kirkpatrick, Burkett
 * and Klein 2012, An Empirical Investigation of Statistical Significance in NLP; Davison and Hinkley 1997,
 * Bootstrap Methods and their Application, section 4.2 (the share with the observed set).
 */
export function pairedBootstrap(
  systems: SystemPair,
  options?: OptionsOf<typeof BOOTSTRAP_OPTIONS>,
): BootstrapResult {
  checkArgument(SYSTEMS, systems, "pairedBootstrap: systems");
  const { seed, samples, confidence } = checkOptions(BOOTSTRAP_OPTIONS, options, "pairedBootstrap");
  const table = countTable(systems);
  const all = new Float64Array(COLUMNS);
  for (let i = 0; i < table.length; i++) all[i % COLUMNS]! += table[i]!;
  if (all[A_TOTAL] === 0 || all[B_TOTAL] === 0)
    throw invalidArgument("pairedBootstrap: systems", "at least one scored word", "none");
  const a = ratio(all[A_CORRECT]!, all[A_TOTAL]!);
  const b = ratio(all[B_CORRECT]!, all[B_TOTAL]!);
  const difference = b - a;
  const drawn = drawDifferences(table, samples, seed);
  let far = 0;
  let wins = 0;
  // Rounding may change the last bit of the difference of equal samples: the tolerance ignores that.
  const distance = Math.abs(difference) - 1e-12;
  for (let i = 0; i < samples; i++) {
    if (Math.abs(drawn[i]! - difference) >= distance) far++;
    wins += drawn[i]! > 0 ? 1 : drawn[i] === 0 ? 0.5 : 0;
  }
  drawn.sort();
  const tail = (1 - confidence) / 2;
  return {
    a,
    b,
    difference,
    pValue: (1 + far) / (1 + samples),
    interval: [quantile(drawn, tail), quantile(drawn, 1 - tail)],
    wins: wins / samples,
    samples,
    seed,
  };
}

/** Columns of the table, which has a row per sentence: right and scored words of a, then of b. */
const COLUMNS = 4;
const A_CORRECT = 0;
const A_TOTAL = 1;
const B_CORRECT = 2;
const B_TOTAL = 3;

function countTable({ a, b }: SystemPair): Float64Array {
  const sentences = a.total.length;
  for (const counts of [a.correct, b.correct, b.total]) {
    if (counts.length !== sentences) {
      throw invalidArgument(
        "pairedBootstrap: systems",
        `counts of ${counted(sentences, "sentence")}`,
        `${counts.length}`,
      );
    }
  }
  const table = new Float64Array(COLUMNS * sentences);
  for (let s = 0; s < sentences; s++) {
    fillRow(table, COLUMNS * s + A_CORRECT, a, s);
    fillRow(table, COLUMNS * s + B_CORRECT, b, s);
  }
  return table;
}

function fillRow(table: Float64Array, at: number, { correct, total }: SentenceCounts, s: number): void {
  const right = correct[s]!;
  const words = total[s]!;
  if (!(Number.isFinite(right) && Number.isFinite(words) && right >= 0 && right <= words)) {
    throw invalidArgument(
      `pairedBootstrap: sentence ${s}`,
      "finite counts with 0 <= correct <= total",
      `${right} of ${words}`,
    );
  }
  table[at] = right;
  table[at + 1] = words;
}

function drawDifferences(table: Float64Array, samples: number, seed: number): Float64Array {
  const stream = random(seed);
  const sentences = table.length / COLUMNS;
  const differences = new Float64Array(samples);
  for (let i = 0; i < samples; i++) {
    let aCorrect = 0;
    let aTotal = 0;
    let bCorrect = 0;
    let bTotal = 0;
    for (let k = 0; k < sentences; k++) {
      const row = COLUMNS * stream.int(sentences);
      aCorrect += table[row + A_CORRECT]!;
      aTotal += table[row + A_TOTAL]!;
      bCorrect += table[row + B_CORRECT]!;
      bTotal += table[row + B_TOTAL]!;
    }
    differences[i] = ratio(bCorrect, bTotal) - ratio(aCorrect, aTotal);
  }
  return differences;
}

/** Returns a quantile of sorted values, interpolated linearly. */
function quantile(sorted: Float64Array, share: number): number {
  const at = share * (sorted.length - 1);
  const low = Math.floor(at);
  const high = Math.min(low + 1, sorted.length - 1);
  return sorted[low]! + (at - low) * (sorted[high]! - sorted[low]!);
}

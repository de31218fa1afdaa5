import { pairedBootstrap } from "@arcwise/evaluate";
import type { CollinsRow } from "./measure-collins.ts";

/** A learner with a cut-off, after the number of iterations that was chosen on the development sentences. */
export interface CollinsComparison {
  readonly learner: CollinsRow["learner"];
  readonly cutoff: number;
  readonly iterations: number;
  readonly dev?: number | undefined;
  /** Score on the test sentences, from 0 to 1. */
  readonly score: number;
  /** Share of the words of the test sentences with a wrong label. */
  readonly error: number;
  /** Comparison of this share with maximum entropy; absent without maximum entropy, and for its best row. */
  readonly against?: ErrorReduction | undefined;
}

/** The errors that a learner has fewer than another one. */
export interface ErrorReduction {
  /** Share of the errors of the other learner. */
  readonly relative: number;
  /** 95 % interval of the difference of accuracies, by the paired bootstrap over sentences. */
  readonly interval: readonly [low: number, high: number];
  readonly pValue: number;
}

/**
 * Returns a comparison for each learner and cut-off: after the iterations with the best score on the development
 * sentences, or after the last iterations without development sentences. The learners are compared with the maximum entropy
 * row of the best score, on the development sentences if there are some.
 *
 * @param words number of words of each test sentence
 */
export function compareCollins(rows: readonly CollinsRow[], words: readonly number[]): CollinsComparison[] {
  const chosen = new Map<string, CollinsRow>();
  for (const row of rows) {
    const key = `${row.learner} ${row.cutoff}`;
    const before = chosen.get(key);
    if (before === undefined || row.dev === undefined || row.dev > before.dev!) chosen.set(key, row);
  }
  const all = [...chosen.values()];
  const quality = (row: CollinsRow): number => row.dev ?? row.score;
  const base = all
    .filter(({ learner }) => learner.startsWith("maximum entropy"))
    .reduce<CollinsRow | undefined>((a, b) => (a && quality(a) >= quality(b) ? a : b), undefined);
  const scored = words.reduce((sum, count) => sum + count, 0);
  const errorOf = ({ correct }: CollinsRow): number => 1 - correct.reduce((sum, n) => sum + n, 0) / scored;
  return all.map((row) => {
    const { learner, cutoff, iterations, dev, score } = row;
    const against = base && base !== row ? reduction(base, row, words) : undefined;
    return { learner, cutoff, iterations, dev, score, error: errorOf(row), against };
  });
}

function reduction(base: CollinsRow, row: CollinsRow, words: readonly number[]): ErrorReduction {
  const counts = (correct: readonly number[]) => ({ correct, total: words });
  const { a, difference, interval, pValue } = pairedBootstrap({
    a: counts(base.correct),
    b: counts(row.correct),
  });
  return { relative: a === 1 ? 0 : difference / (1 - a), interval, pValue };
}

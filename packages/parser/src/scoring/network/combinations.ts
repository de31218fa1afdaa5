import { log } from "@arcwise/core/arithmetic";
/**
 * Labels of several columns that words of the training data have together: the number of the label in each
 * column, and then the number of words.
 */
export type Combination = readonly number[];

/** Maximum number of combinations of a model: the most frequent ones. */
export const MAX_COMBINATIONS = 2 ** 16;
/**
 * The logarithm of the odds against labels that no word of the training data has together. On development
 * splits of English, Gothic and Hungarian 4 is as good as 2, and better than 1.
 */
const UNSEEN = 4;
/**
 * The share of the pointwise mutual information of labels that is added to their scores: the words
 * from which the network predicts one column are also evidence for the other columns.
 */
const INFORMATION = 0.1;

/**
 * Counts the combinations of labels of words, the most frequent first, without words that lack one (-1). O(words · columns).
 *
 * @param columns for each column the labels of the words of each sentence
 * @param known combinations that are counted already
 */
export function countCombinations(
  columns: readonly (readonly Int32Array[])[],
  known: readonly Combination[] = [],
): Combination[] {
  const counts = new Map<string, [labels: number[], count: number]>();
  const add = (labels: number[], times: number) => {
    const key = labels.join(" ");
    const found = counts.get(key);
    if (found) found[1] += times;
    else counts.set(key, [labels, times]);
  };
  for (const combination of known) add(combination.slice(0, -1), combination.at(-1)!);
  for (const s of columns[0]?.keys() ?? []) {
    for (let w = 0; w < columns[0]![s]!.length; w++) {
      const labels = columns.map((column) => column[s]![w]!);
      if (!labels.includes(-1)) add(labels, 1);
    }
  }
  // A stable sort: those that are as frequent as others stay in the order of the words.
  const sorted = [...counts.values()].sort(([, a], [, b]) => b - a);
  return sorted.slice(0, MAX_COMBINATIONS).map(([labels, count]) => [...labels, count]);
}

/** Finds the best labels of the columns of a word together. */
export class JointLabels {
  readonly #columns: number;
  /** The labels of each combination, in sequence. */
  readonly #labels: Int32Array;
  /** The bonus that is added to the sum of the scores of each combination. */
  readonly #bonus: Float64Array;

  /** @param columns number of columns */
  constructor(combinations: readonly Combination[], columns: number) {
    this.#columns = columns;
    this.#labels = Int32Array.from(combinations.flatMap((combination) => combination.slice(0, columns)));
    const words = combinations.reduce((sum, combination) => sum + combination[columns]!, 0);
    const totals = Array.from({ length: columns }, () => new Map<number, number>());
    for (const combination of combinations) {
      for (const [c, of] of totals.entries()) {
        of.set(combination[c]!, (of.get(combination[c]!) ?? 0) + combination[columns]!);
      }
    }
    this.#bonus = Float64Array.from(combinations, (combination) => {
      const logarithm = (count: number) => log(count / words);
      const expected = totals.reduce((sum, of, c) => sum + logarithm(of.get(combination[c]!)!), 0);
      return INFORMATION * (logarithm(combination[columns]!) - expected);
    });
  }

  /**
   * Replaces the best label of each column by one of the best labels together: those with the largest sum of
   * scores, and of what the training data tell of them. O(combinations · columns).
   *
   * @param scores of the labels of each column: logarithms of probabilities, but for a constant each
   * @param best the best label of each column by itself
   */
  choose(scores: readonly Float64Array[], best: Int32Array): void {
    const columns = this.#columns;
    const labels = this.#labels;
    const bonus = this.#bonus;
    const first = scores[0]!;
    let others = 0;
    for (let c = 1; c < columns; c++) others += scores[c]![best[c]!]!;
    let most = first[best[0]!]! + others - UNSEEN;
    let chosen = -1;
    for (let k = 0; k < bonus.length; k++) {
      let sum = bonus[k]! + first[labels[k * columns]!]!;
      // The first label of most combinations is so improbable that the others need not be read.
      if (sum + others <= most) continue;
      for (let c = 1; c < columns; c++) sum += scores[c]![labels[k * columns + c]!]!;
      if (sum > most) {
        most = sum;
        chosen = k;
      }
    }
    if (chosen >= 0) best.set(labels.subarray(chosen * columns, (chosen + 1) * columns));
  }
}

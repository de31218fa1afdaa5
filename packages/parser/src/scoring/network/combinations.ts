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
    for (let w = 0; w < columns[0][s].length; w++) {
      const labels = columns.map((column) => column[s][w]);
      if (!labels.includes(-1)) add(labels, 1);
    }
  }
  // A stable sort: those that are as frequent as others stay in the order of the words.
  const sorted = [...counts.values()].sort(([, a], [, b]) => b - a);
  return sorted.slice(0, MAX_COMBINATIONS).map(([labels, count]) => [...labels, count]);
}

/** Scores of the labels of a column: the score of label l is at `from + l`. */
export interface ColumnScores {
  readonly values: Float32Array | Float64Array;
  readonly from: number;
}

/** Maximum rounding error of a bound of a sum of scores. */
const ROUNDING = 1e-6;

/**
 * Finds the best labels of the columns of a word together. Combinations are grouped by their first label, and those by
 * their second label: most groups are too improbable to be read.
 */
export class JointLabels {
  readonly #columns: number;
  /** The labels of each combination, in sequence, and the bonus that is added to the sum of their scores, by group. */
  readonly #labels: Int32Array;
  readonly #bonus: Float64Array;
  /** The rank of each: of combinations that are as good, the most frequent one is chosen. */
  readonly #ranks: Int32Array;
  /** The groups of each first label are those from the entry at the label up to before the next one. */
  readonly #firsts: Int32Array;
  readonly #firstBonus: Float64Array;
  /** The first combination of each group, and the largest bonus. */
  readonly #starts: Int32Array;
  readonly #groupBonus: Float64Array;

  /** @param columns number of columns */
  constructor(combinations: readonly Combination[], columns: number) {
    const bonus = bonusesOf(combinations, columns);
    const second = (k: number) => (columns > 1 ? combinations[k][1] : 0);
    const order = [...combinations.keys()].sort(
      (a, b) => combinations[a][0] - combinations[b][0] || second(a) - second(b) || a - b,
    );
    const starts: number[] = [];
    for (const [k, own] of order.entries()) {
      const previous = order[k - 1];
      const isSame =
        previous !== undefined &&
        combinations[previous][0] === combinations[own][0] &&
        second(previous) === second(own);
      if (!isSame) starts.push(k);
    }
    this.#columns = columns;
    this.#labels = Int32Array.from(order.flatMap((k) => combinations[k].slice(0, columns)));
    this.#bonus = Float64Array.from(order, (k) => bonus[k]);
    this.#ranks = Int32Array.from(order);
    this.#starts = Int32Array.from([...starts, order.length]);
    this.#groupBonus = largestIn(this.#bonus, this.#starts);
    const labels = combinations.reduce((most, [label]) => Math.max(most, label!), -1) + 1;
    const groupsBefore = (label: number) => starts.filter((k) => combinations[order[k]][0] < label).length;
    this.#firsts = Int32Array.from({ length: labels + 1 }, (_, label) => groupsBefore(label));
    this.#firstBonus = largestIn(this.#groupBonus, this.#firsts);
  }

  /**
   * Replaces the best label of each column by one of the best labels together: those with the largest sum of
   * scores, and of what the training data tell of them. O(combinations · columns).
   *
   * @param scores of each column: logarithms of probabilities, but for a constant each
   * @param best the best label of each column by itself
   */
  choose(scores: readonly ColumnScores[], best: Int32Array): void {
    const columns = this.#columns;
    const first = scores[0];
    const second = scores[columns > 1 ? 1 : 0];
    let others = 0;
    for (let c = 1; c < columns; c++) others += scoreOf(scores[c], best[c]);
    let most = scoreOf(first, best[0]) + others - UNSEEN;
    const bestSecond = columns > 1 ? scoreOf(second, best[1]) : 0;
    let chosen = -1;
    for (let label = 0; label < this.#firstBonus.length; label++) {
      const own = scoreOf(first, label) + others + ROUNDING;
      if (own + this.#firstBonus[label] <= most) continue;
      for (let g = this.#firsts[label]; g < this.#firsts[label + 1]; g++) {
        const start = this.#starts[g];
        const lost = columns > 1 ? scoreOf(second, this.#labels[start * columns + 1]) - bestSecond : 0;
        if (own + lost + this.#groupBonus[g] <= most) continue;
        for (let k = start; k < this.#starts[g + 1]; k++) {
          let sum = this.#bonus[k];
          for (let c = 0; c < columns; c++) sum += scoreOf(scores[c], this.#labels[k * columns + c]);
          const isFirst = chosen >= 0 && sum === most && this.#ranks[k] < this.#ranks[chosen];
          if (sum <= most && !isFirst) continue;
          most = sum;
          chosen = k;
        }
      }
    }
    if (chosen >= 0) for (let c = 0; c < columns; c++) best[c] = this.#labels[chosen * columns + c];
  }
}

function scoreOf({ values, from }: ColumnScores, label: number): number {
  return values[from + label];
}

/** Returns the bonus of each combination: a share of the pointwise mutual information of its labels. */
function bonusesOf(combinations: readonly Combination[], columns: number): Float64Array {
  const words = combinations.reduce((sum, combination) => sum + combination[columns], 0);
  const totals = Array.from({ length: columns }, () => new Map<number, number>());
  for (const combination of combinations) {
    for (const [c, of] of totals.entries()) {
      of.set(combination[c], (of.get(combination[c]) ?? 0) + combination[columns]);
    }
  }
  return Float64Array.from(combinations, (combination) => {
    const logarithm = (count: number) => log(count / words);
    const expected = totals.reduce((sum, of, c) => sum + logarithm(of.get(combination[c])!), 0);
    return INFORMATION * (logarithm(combination[columns]) - expected);
  });
}

/** Returns the largest value of each group: entries from a start up to before the next one. */
function largestIn(values: Float64Array, starts: Int32Array): Float64Array {
  return Float64Array.from(starts.subarray(1), (end, g) =>
    values.subarray(starts[g], end).reduce((most, value) => Math.max(most, value), -Infinity),
  );
}

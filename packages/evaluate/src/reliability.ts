import type { ConlluSentence, WordRow } from "@arcwise/conllu";
import { requireTreebanks } from "./pairs.ts";

/** Events whose probabilities lie in an interval. */
export interface ReliabilityBin {
  /** The half-open interval [from, to); the last one includes 1. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** Mean probability; NaN for an empty bin. */
  readonly predicted: number;
  /** Share of the events that occurred; NaN for an empty bin. */
  readonly observed: number;
}

/** Agreement of probabilities with observed frequencies. */
export interface Reliability {
  readonly bins: readonly ReliabilityBin[];
  readonly count: number;
  /** Expected calibration error: |predicted - observed| averaged over bins, weighted by their counts. */
  readonly error: number;
}

/** Collects events and their probabilities in bins of equal width. */
export class ReliabilityTable {
  readonly #counts: Float64Array;
  readonly #probabilities: Float64Array;
  readonly #successes: Float64Array;

  /** @throws RangeError when there is not at least one bin */
  constructor(bins = 10) {
    if (!Number.isInteger(bins) || bins < 1) throw new RangeError(`expected at least one bin, got ${bins}`);
    this.#counts = new Float64Array(bins);
    this.#probabilities = new Float64Array(bins);
    this.#successes = new Float64Array(bins);
  }

  /**
   * Adds an event. Values that exceed 1 by rounding count as 1. @throws RangeError unless it is a probability
   */
  add(probability: number, isTrue: boolean): void {
    if (!(probability >= 0 && probability <= 1 + 1e-9)) {
      throw new RangeError(`expected a probability, got ${probability}`);
    }
    const bin = Math.min(this.#counts.length - 1, Math.floor(probability * this.#counts.length));
    this.#counts[bin]!++;
    this.#probabilities[bin]! += Math.min(1, probability);
    if (isTrue) this.#successes[bin]!++;
  }

  /**
   * Returns the bins and the expected calibration error (Guo, Pleiss, Sun and Weinberger 2017; bins of equal
   * width as in Niculescu-Mizil and Caruana 2005).
   */
  reliability(): Reliability {
    const size = this.#counts.length;
    const bins = Array.from(
      this.#counts,
      (count, bin): ReliabilityBin => ({
        from: bin / size,
        to: (bin + 1) / size,
        count,
        predicted: this.#probabilities[bin]! / count,
        observed: this.#successes[bin]! / count,
      }),
    );
    const count = this.#counts.reduce((sum, one) => sum + one, 0);
    let error = 0;
    for (const bin of bins) {
      if (bin.count > 0) error += (bin.count / count) * Math.abs(bin.predicted - bin.observed);
    }
    return { bins, count, error };
  }
}

const PROBABILITY = /(?:^|\|)ArcP=(\d(?:\.\d+)?)(?:\||$)/;

/** Returns the probability of the arc of a word, which MISC gives as `ArcP=0.9731`; undefined without one. */
export function arcProbability({ misc }: Pick<WordRow, "misc">): number | undefined {
  const value = Number(PROBABILITY.exec(misc)?.[1] ?? Number.NaN);
  return value <= 1 ? value : undefined;
}

/**
 * Compares the probabilities of heads that system sentences give in MISC (`ArcP=0.9731`) with the share of
 * these heads that are right. The sentences have the same words. O(words).
 *
 * @returns undefined when no word has a probability
 */
export function headReliability(
  gold: readonly ConlluSentence[],
  system: readonly ConlluSentence[],
): Reliability | undefined {
  requireTreebanks(gold, system, "headReliability");
  const table = new ReliabilityTable();
  for (const [s, sentence] of gold.entries()) {
    const own = wordsOf(sentence);
    for (const [i, word] of wordsOf(system[s]!).entries()) {
      const probability = arcProbability(word);
      if (probability !== undefined) table.add(probability, word.head === own[i]!.head);
    }
  }
  const reliability = table.reliability();
  return reliability.count > 0 ? reliability : undefined;
}

function wordsOf({ rows }: ConlluSentence): WordRow[] {
  return rows.filter((row): row is WordRow => row.kind === "word");
}

import { type ConlluSentence, sentenceId, sentenceWords, type WordRow } from "@arcwise/conllu";
import { checkArgument, integer, number, shaped, string } from "@arcwise/core/options";
import { checkCounts, checkForms, requireTreebanks } from "./pairs.ts";

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

/** Accepts probabilities that exceed 1 by rounding as well. */
const ADDED = number(0, 1 + 1e-9);

/** Collects events and their probabilities in bins of equal width. */
export class ReliabilityTable {
  readonly #counts: Float64Array;
  readonly #probabilities: Float64Array;
  readonly #successes: Float64Array;

  /** @throws ArcwiseError `invalid-argument` when there is not at least one bin */
  constructor(bins = 10) {
    checkArgument(integer(1), bins, "ReliabilityTable: bins");
    this.#counts = new Float64Array(bins);
    this.#probabilities = new Float64Array(bins);
    this.#successes = new Float64Array(bins);
  }

  /**
   * Adds an event. Values that exceed 1 by rounding count as 1.
   *
   * @throws ArcwiseError `invalid-argument` unless it is a probability
   */
  add(probability: number, isTrue: boolean): void {
    checkArgument(ADDED, probability, "ReliabilityTable.add: probability");
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

const WITH_MISC = shaped<Pick<WordRow, "misc">>("a word with MISC", { misc: string });
const PROBABILITY = /(?:^|\|)ArcP=(\d(?:\.\d+)?)(?:\||$)/;

/** Returns the probability of the arc of a word, which MISC gives as `ArcP=0.9731`; undefined without one. */
export function arcProbability(word: Pick<WordRow, "misc">): number | undefined {
  checkArgument(WITH_MISC, word, "arcProbability: word");
  const value = Number(PROBABILITY.exec(word.misc)?.[1] ?? Number.NaN);
  return value <= 1 ? value : undefined;
}

/**
 * Compares the probabilities of heads that system sentences give in MISC (`ArcP=0.9731`) with the share of
 * these heads that are right. O(words).
 *
 * @returns undefined when no word has a probability
 * @throws SentenceMismatch when the two do not have the same sentences and forms
 */
export function headReliability(
  gold: readonly ConlluSentence[],
  system: readonly ConlluSentence[],
): Reliability | undefined {
  requireTreebanks(gold, system, "headReliability");
  checkCounts(gold, system);
  const table = new ReliabilityTable();
  for (const [s, sentence] of gold.entries()) {
    checkForms(sentenceWords(sentence), sentenceWords(system[s]!), s + 1, sentenceId(sentence));
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

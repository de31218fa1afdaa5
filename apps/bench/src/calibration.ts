import { arcIndex, type DecoderWith } from "@arcwise/core";
import type { Parser, TrainingExample } from "@arcwise/parser";

/** Events whose probabilities lie in an interval. */
export interface Bin {
  /** The interval is from `from` on and below `to`; the last one has 1 as well. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** Mean probability; NaN when there are none. */
  readonly predicted: number;
  /** Share of the events that came true; NaN when there are none. */
  readonly observed: number;
}

/** How well probabilities agree with what comes true. */
export interface Reliability {
  readonly bins: readonly Bin[];
  readonly count: number;
  /** Expected calibration error: |predicted - observed| averaged over bins, each weighed by its count. */
  readonly error: number;
}

/** Collects events and their probabilities in bins of equal width. */
export class ReliabilityTable {
  private readonly counts: Float64Array;
  private readonly probabilities: Float64Array;
  private readonly successes: Float64Array;

  /** @throws RangeError when there is not at least one bin */
  constructor(bins = 10) {
    if (!Number.isInteger(bins) || bins < 1) throw new RangeError(`expected at least one bin, got ${bins}`);
    this.counts = new Float64Array(bins);
    this.probabilities = new Float64Array(bins);
    this.successes = new Float64Array(bins);
  }

  /**
   * Adds an event. Sums that exceed 1 by rounding count as 1. @throws RangeError for what is no probability
   */
  add(probability: number, isTrue: boolean): void {
    if (!(probability >= 0 && probability <= 1 + 1e-9)) {
      throw new RangeError(`expected a probability, got ${probability}`);
    }
    const bin = Math.min(this.counts.length - 1, Math.floor(probability * this.counts.length));
    this.counts[bin]!++;
    this.probabilities[bin]! += Math.min(1, probability);
    if (isTrue) this.successes[bin]!++;
  }

  /**
   * The bins and the expected calibration error (Guo, Pleiss, Sun and Weinberger 2017; bins of equal width as
   * in Niculescu-Mizil and Caruana 2005).
   */
  reliability(): Reliability {
    const size = this.counts.length;
    const bins = Array.from(
      this.counts,
      (count, bin): Bin => ({
        from: bin / size,
        to: (bin + 1) / size,
        count,
        predicted: this.probabilities[bin]! / count,
        observed: this.successes[bin]! / count,
      }),
    );
    const count = this.counts.reduce((sum, one) => sum + one, 0);
    let error = 0;
    for (const bin of bins) {
      if (bin.count > 0) error += (bin.count / count) * Math.abs(bin.predicted - bin.observed);
    }
    return { bins, count, error };
  }
}

/** Calibration of a parser on a treebank at one temperature. */
export interface Calibration {
  /** Scores are divided by it before they become probabilities. */
  readonly temperature: number;
  /** The heads that the parser chooses: their probability against whether they are right. */
  readonly chosen: Reliability;
  /** All candidate arcs: their probability against whether they are in the gold tree. */
  readonly candidates: Reliability;
  /** Share of the chosen heads that are right. */
  readonly accuracy: number;
  /** Share of the gold arcs that are candidates. */
  readonly recall: number;
}

/** What a calibration is made of. */
export interface Probabilist {
  readonly parser: Pick<Parser, "problem">;
  readonly decoder: DecoderWith<"marginals">;
}

/** Calibration of arc marginals, with scores divided by `temperature`. O(n³) a sentence. */
export function calibrate(
  { parser, decoder }: Probabilist,
  examples: readonly TrainingExample[],
  temperature: number,
): Calibration {
  const chosen = new ReliabilityTable();
  const candidates = new ReliabilityTable();
  let right = 0;
  let found = 0;
  let words = 0;
  for (const { sentence, tree } of examples) {
    const { arcs, arcScores } = parser.problem(sentence);
    const cooled = { arcs, arcScores: divided(arcScores, temperature), parts: [] };
    const { arcs: marginals } = decoder.marginals(cooled);
    const { heads } = decoder.decode({ arcs, arcScores, parts: [] });
    for (let m = 1; m <= arcs.n; m++) {
      for (let a = arcs.start[m]!; a < arcs.start[m + 1]!; a++) {
        const isGold = arcs.head[a] === tree.heads[m];
        candidates.add(marginals[a]!, isGold);
        if (isGold) found++;
      }
      const isRight = heads[m] === tree.heads[m];
      chosen.add(marginals[arcIndex(arcs, heads[m]!, m)]!, isRight);
      if (isRight) right++;
      words++;
    }
  }
  return {
    temperature,
    chosen: chosen.reliability(),
    candidates: candidates.reliability(),
    accuracy: right / words,
    recall: found / words,
  };
}

function divided(scores: Float64Array, temperature: number): Float64Array {
  return scores.map((score) => score / temperature);
}

/** Temperatures are looked for between these. */
const COLDEST = 1 / 64;
const HOTTEST = 64;
/** The search ends when logarithms of temperatures differ by less. */
const PRECISION = 0.01;

/**
 * The temperature that makes the gold trees most probable, by golden-section search on its logarithm: minus
 * the log-likelihood is convex in the inverse temperature and so has one minimum. Sentences whose gold tree
 * is not among the candidates are left out. 18 sums over the trees of a sentence.
 *
 * @throws RangeError when no sentence is left
 */
export function fitTemperature(
  { parser, decoder }: Probabilist,
  examples: readonly TrainingExample[],
): number {
  const problems = examples.flatMap(({ sentence, tree }) => {
    const { arcs, arcScores } = parser.problem(sentence);
    let gold = 0;
    for (let m = 1; m <= arcs.n; m++) {
      const arc = arcIndex(arcs, tree.heads[m]!, m);
      gold += arc < 0 ? -Infinity : arcScores[arc]!;
    }
    return gold > -Infinity ? [{ arcs, arcScores, gold }] : [];
  });
  if (problems.length === 0) throw new RangeError("no gold tree is among the candidates");
  const loss = (logTemperature: number): number => {
    const temperature = Math.exp(logTemperature);
    let sum = 0;
    for (const { arcs, arcScores, gold } of problems) {
      const cooled = { arcs, arcScores: divided(arcScores, temperature), parts: [] };
      sum += decoder.marginals(cooled).logPartition - gold / temperature;
    }
    return sum;
  };
  return Math.exp(minimum(loss, Math.log(COLDEST), Math.log(HOTTEST)));
}

/** The place of the minimum of a function with one minimum (Kiefer 1953). */
function minimum(f: (x: number) => number, low: number, high: number): number {
  const ratio = (Math.sqrt(5) - 1) / 2;
  let left = high - ratio * (high - low);
  let right = low + ratio * (high - low);
  let atLeft = f(left);
  let atRight = f(right);
  while (high - low > PRECISION) {
    if (atLeft < atRight) {
      high = right;
      right = left;
      atRight = atLeft;
      left = high - ratio * (high - low);
      atLeft = f(left);
    } else {
      low = left;
      left = right;
      atLeft = atRight;
      right = low + ratio * (high - low);
      atRight = f(right);
    }
  }
  return (low + high) / 2;
}

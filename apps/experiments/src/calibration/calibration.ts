import { arcIndex, type DecoderWith, type ParsingProblem, type Sentence } from "@arcwise/core";
import { goldenSection } from "@arcwise/core/arithmetic";
import { type Reliability, ReliabilityTable } from "@arcwise/evaluate";
import type { TrainingExample } from "@arcwise/parser";

/** Calibration of a parser on a treebank at one temperature. */
export interface Calibration {
  /** The divisor of scores before exponentiation. */
  readonly temperature: number;
  /** Probabilities of the predicted heads against their correctness. */
  readonly chosen: Reliability;
  /** Probabilities of all candidate arcs against membership in the gold tree. */
  readonly candidates: Reliability;
  /** Share of the predicted heads that are right. */
  readonly accuracy: number;
  /** Share of the gold arcs that are candidates. */
  readonly recall: number;
}

/** Problems and marginals of a parser, as input of a calibration. */
export interface Probabilist {
  /** Returns the scored candidates of a sentence. */
  readonly problem: (sentence: Sentence) => ParsingProblem;
  readonly decoder: DecoderWith<"marginals">;
}

/** Computes the calibration of arc marginals, with scores divided by `temperature`. O(n³) per sentence. */
export function calibrate(
  { problem, decoder }: Probabilist,
  examples: readonly TrainingExample[],
  temperature: number,
): Calibration {
  const chosen = new ReliabilityTable();
  const candidates = new ReliabilityTable();
  let right = 0;
  let found = 0;
  let words = 0;
  for (const { sentence, tree } of examples) {
    const { arcs, arcScores } = problem(sentence);
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

/** Bounds of the search for a temperature. */
const COLDEST = 1 / 64;
const HOTTEST = 64;
/** Width of the interval, in the logarithm of the temperature, at which the search ends. */
const PRECISION = 0.01;

/**
 * Returns the temperature of maximum likelihood, by golden-section search on its logarithm: the negative
 * log-likelihood is convex in the inverse temperature, hence has one minimum. Sentences whose gold tree is
 * not among the candidates are left out. Computes 18 partition functions per sentence.
 *
 * @throws RangeError when no sentence remains
 */
export function fitTemperature(
  { problem, decoder }: Probabilist,
  examples: readonly TrainingExample[],
): number {
  const problems = examples.flatMap(({ sentence, tree }) => {
    const { arcs, arcScores } = problem(sentence);
    let gold = 0;
    for (let m = 1; m <= arcs.n; m++) {
      const arc = arcIndex(arcs, tree.heads[m]!, m);
      gold += arc < 0 ? -Infinity : arcScores[arc]!;
    }
    return gold > -Infinity ? [{ arcs, arcScores, gold }] : [];
  });
  if (problems.length === 0) throw new RangeError("expected a gold tree among the candidates, found none");
  const loss = (logTemperature: number): number => {
    const temperature = Math.exp(logTemperature);
    let sum = 0;
    for (const { arcs, arcScores, gold } of problems) {
      const cooled = { arcs, arcScores: divided(arcScores, temperature), parts: [] };
      sum += decoder.marginals(cooled).logPartition - gold / temperature;
    }
    return sum;
  };
  return Math.exp(goldenSection(loss, Math.log(COLDEST), Math.log(HOTTEST), PRECISION));
}

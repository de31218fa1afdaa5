import {
  type Arcs,
  type ArcsByHead,
  type ParsingProblem,
  type PartKind,
  type PartTable,
  ProblemValidator,
  requireHandled,
  type Scored,
} from "@arcwise/core";
import { bitsFor, powerOfTwo } from "@arcwise/core/arithmetic";
import { LARGEST, largestOf } from "../arborescence/score-range.ts";

/** The columns of a `PartTable` that a kernel reads. */
export type ScoreTable = Pick<PartTable, "start" | "scores">;

/**
 * The scores of a projective problem by kind. A kind without parts in the problem has an empty table, so that
 * kernels always see objects of one shape.
 */
export interface ProjectiveScores {
  readonly arcs: Arcs;
  readonly byHead: ArcsByHead;
  /** By which the scores of the problem were multiplied. */
  readonly factor: number;
  readonly arcScores: Float64Array;
  readonly grandparent: ScoreTable;
  readonly nextSibling: ScoreTable;
  readonly lastSibling: ScoreTable;
  readonly grandSibling: ScoreTable;
  readonly triSibling: ScoreTable;
}

/** The table of a kind without parts. */
const ABSENT: ScoreTable = { start: new Int32Array(0), scores: new Float64Array(0) };

/** Sums of larger scores round by more than 1e-6, and so do probabilities, which are differences of sums. */
export const LARGEST_SUMMED = 2 ** 32;

/**
 * Checks a problem and finds its tables by kind. If some score is beyond a limit, all are divided by a power of two,
 * which keeps the best trees. O(n + p).
 *
 * @param validator its memory is the memory of the result until its next use; by default a new one
 * @param limit of the absolute values of finite scores, a power of two; by default, so that sums do not overflow
 */
export function projectiveScores(
  problem: ParsingProblem,
  decoder: string,
  handles: ReadonlySet<Scored>,
  validator: ProblemValidator = new ProblemValidator(),
  limit = LARGEST,
): ProjectiveScores {
  requireHandled(problem, decoder, handles);
  const byHead = validator.validate(problem);
  const { arcs, arcScores, parts } = problem;
  const largest = parts.reduce((most, { scores }) => Math.max(most, largestOf(scores)), largestOf(arcScores));
  const factor = largest > limit ? powerOfTwo(bitsFor(limit) - bitsFor(largest)) : 1;
  const ranged = (scores: Float64Array) => (factor === 1 ? scores : scores.map((score) => score * factor));
  const table = (kind: PartKind): ScoreTable => {
    const found = parts.find((part) => part.kind === kind);
    return found === undefined ? ABSENT : { start: found.start, scores: ranged(found.scores) };
  };
  return {
    arcs,
    byHead,
    factor,
    arcScores: ranged(arcScores),
    grandparent: table("grandparent"),
    nextSibling: table("nextSibling"),
    lastSibling: table("lastSibling"),
    grandSibling: table("grandSibling"),
    triSibling: table("triSibling"),
  };
}

import {
  type ArcsByHead,
  type IncrementalTreeScore,
  type ParsingProblem,
  type PartKind,
  PartPositions,
  type PartTable,
} from "@arcwise/core";
import { bitsFor, powerOfTwo } from "@arcwise/core/arithmetic";
import { stepsOf } from "./global-steps.ts";
import { NO_TABLE, type ScoreTable, type Tables } from "./near-gains.ts";

/** The scores of a problem in the form that the search reads: finite, and looked up by kind. */
export interface SearchScores extends Tables {
  readonly byHead: ArcsByHead;
  readonly arcScores: Float64Array;
  readonly steps: IncrementalTreeScore | undefined;
}

/** Scores above this are scaled down: their sums, or sums with the stand-in for -Infinity, might overflow. */
const MAX_SCORE = 2 ** 500;

/**
 * Prepares the scores of a problem so that all differences between trees are finite.
 *
 * Where parts are -Infinity, or so large that sums would overflow, the search works on copies. In these a
 * forbidden part costs more than all other parts can make up for: of two trees the one with fewer forbidden
 * parts is better, and among equals the tree of higher score. A global score is unbounded and may make up for
 * a forbidden part all the same; the final tree is scored by the problem itself.
 *
 * O(n + arcs + parts).
 *
 * @param byHead the candidate arcs by head, which stay the same while the scores are in use
 */
export function searchScores(problem: ParsingProblem, byHead: ArcsByHead): SearchScores {
  const { arcs, arcScores, parts, global } = problem;
  const range = rangeOf(problem);
  const factor = range.largest > MAX_SCORE ? 2 ** -600 : 1;
  // More than the parts that a tree can have.
  const terms = 8 * (arcs.n + 1) * (arcs.n + 1) * (1 + parts.length);
  const forbidden = -powerOfTwo(bitsFor(Math.max(range.largest * factor * terms, Number.MIN_VALUE)));
  const isPlain = factor === 1 && !range.hasForbidden;
  const adapted = (table: PartTable): ScoreTable =>
    isPlain ? table : { start: table.start, scores: adapt(table.scores, factor, forbidden) };
  const tables = new Map<PartKind, ScoreTable>();
  for (const table of parts) tables.set(table.kind, adapted(table));
  return {
    arcs,
    rank: byHead.rank,
    byHead,
    arcScores: factor === 1 ? arcScores : adapt(arcScores, factor, -Infinity),
    steps: global && scaled(stepsOf(global, arcs.n), factor),
    of: (kind) => tables.get(kind) ?? NO_TABLE,
    positions: () => new PartPositions(arcs, byHead),
  };
}

function scaled(steps: IncrementalTreeScore, factor: number): IncrementalTreeScore {
  if (factor === 1) return steps;
  return {
    reset: (heads) => factor * steps.reset(heads),
    deltas(m, candidates, count, out) {
      steps.deltas(m, candidates, count, out);
      for (let k = 0; k < count; k++) out[k] *= factor;
    },
    move: (m, head) => steps.move(m, head),
  };
}

function adapt(scores: Float64Array, factor: number, forbidden: number): Float64Array {
  return scores.map((score) => (score === -Infinity ? forbidden : score * factor));
}

interface ScoreRange {
  /** Largest absolute value of a finite score. */
  readonly largest: number;
  /** Whether the score of some part is -Infinity. */
  readonly hasForbidden: boolean;
}

function rangeOf({ arcScores, parts }: ParsingProblem): ScoreRange {
  let largest = largestOf(arcScores);
  let hasForbidden = false;
  for (const { scores } of parts) {
    largest = Math.max(largest, largestOf(scores));
    hasForbidden ||= scores.includes(-Infinity);
  }
  return { largest, hasForbidden };
}

function largestOf(scores: Float64Array): number {
  let low = 0;
  let high = 0;
  for (let i = 0; i < scores.length; i++) {
    const score = scores[i];
    if (score > high) high = score;
    else if (score < low && score !== -Infinity) low = score;
  }
  return Math.max(high, -low);
}

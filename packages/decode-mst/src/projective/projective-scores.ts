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

/** The columns of a `PartTable` that a kernel reads. */
export type ScoreTable = Pick<PartTable, "start" | "scores">;

/**
 * The scores of a projective problem by kind. A kind without parts in the problem has an empty table, so that
 * kernels always see objects of one shape.
 */
export interface ProjectiveScores {
  readonly arcs: Arcs;
  readonly byHead: ArcsByHead;
  readonly arcScores: Float64Array;
  readonly grandparent: ScoreTable;
  readonly nextSibling: ScoreTable;
  readonly lastSibling: ScoreTable;
  readonly grandSibling: ScoreTable;
  readonly triSibling: ScoreTable;
}

/** The table of a kind without parts. */
const ABSENT: ScoreTable = { start: new Int32Array(0), scores: new Float64Array(0) };

/**
 * Above this, the sum of the scores of a tree might overflow, and all scores are divided by a power of two.
 */
const LARGEST = 2 ** 1000;
const FACTOR = 2 ** -24;

/**
 * Checks a problem and finds its tables by kind. O(n + p).
 *
 * @param validator its memory is the memory of the result until its next use; by default a new one
 * @throws UnsupportedPart when there is a global scorer or a table of a kind that is not in `handles`
 * @throws RangeError when a score is NaN or +Infinity, or when arrays do not fit each other
 */
export function projectiveScores(
  problem: ParsingProblem,
  decoder: string,
  handles: ReadonlySet<Scored>,
  validator: ProblemValidator = new ProblemValidator(),
): ProjectiveScores {
  requireHandled(problem, decoder, handles);
  const byHead = validator.validate(problem);
  const { arcs, arcScores, parts } = problem;
  const table = (kind: PartKind): ScoreTable => {
    const found = parts.find((part) => part.kind === kind);
    return found === undefined ? ABSENT : { start: found.start, scores: found.scores };
  };
  return {
    arcs,
    byHead,
    arcScores,
    grandparent: table("grandparent"),
    nextSibling: table("nextSibling"),
    lastSibling: table("lastSibling"),
    grandSibling: table("grandSibling"),
    triSibling: table("triSibling"),
  };
}

/**
 * Returns scores whose sums do not overflow: when some score is beyond 2^1000, all are divided by 2^24, which
 * keeps the best trees. O(n + p).
 */
export function withinRange(scores: ProjectiveScores): ProjectiveScores {
  const { arcScores, grandparent, nextSibling, lastSibling, grandSibling, triSibling } = scores;
  const tables = [grandparent, nextSibling, lastSibling, grandSibling, triSibling];
  if (!isLarge(arcScores) && !tables.some((table) => isLarge(table.scores))) return scores;
  const divided = (values: Float64Array) => values.map((score) => score * FACTOR);
  const dividedTable = (table: ScoreTable) => ({ start: table.start, scores: divided(table.scores) });
  return {
    ...scores,
    arcScores: divided(arcScores),
    grandparent: dividedTable(grandparent),
    nextSibling: dividedTable(nextSibling),
    lastSibling: dividedTable(lastSibling),
    grandSibling: dividedTable(grandSibling),
    triSibling: dividedTable(triSibling),
  };
}

function isLarge(scores: Float64Array): boolean {
  for (let i = 0; i < scores.length; i++) {
    const score = scores[i]!;
    if (score > LARGEST || (score < -LARGEST && score !== -Infinity)) return true;
  }
  return false;
}

import {
  checkTree,
  type Decoder,
  type Decoding,
  isProjective,
  type ParsingProblem,
  type PartKind,
  scoreTree,
} from "@arcwise/core";
import { createArborescenceSolver } from "@arcwise/decode-mst";
import { bestTree } from "@arcwise/decoder-laws";
import { DECODERS, type DecoderEntry } from "../registry/decoders.ts";
import type { ScoreSet } from "./score-sets.ts";

/** Thrown when a decoder returns a wrong result: it is not timed. */
export class WrongAnswer extends Error {
  override readonly name = "WrongAnswer";
}

/** An independent computation of the best score, for comparison. */
export interface Reference {
  readonly name: string;
  /** The best score. */
  best(problem: ParsingProblem): number;
}

/** Number of words of the problems that are compared with an enumeration of all trees. */
const ENUMERATED = 5;
/** Charts of other exact decoders may have n entries per arc: larger charts have no reference. */
const MAX_CHART = 2e7;

/**
 * Returns the reference that a decoder is compared with: for spanning trees both algorithms, dense and
 * sparse; for others an exact decoder of the registry for the same trees that handles the same parts.
 */
export function referenceOf(entry: DecoderEntry, kinds: readonly PartKind[]): Reference | undefined {
  if (!entry.projective && kinds.length === 0) return bothArborescences();
  const other = DECODERS.find(
    ({ name, projective, exact, kinds: handled }) =>
      name !== entry.name &&
      exact &&
      projective === entry.projective &&
      kinds.every((kind) => handled.includes(kind)),
  );
  if (other === undefined) return undefined;
  const decoder = other.make();
  return { name: other.name, best: (problem) => decoder.decode(problem).score };
}

/** Returns a reference that runs both algorithms, dense and sparse, and takes the higher score. */
function bothArborescences(): Reference {
  const solver = createArborescenceSolver();
  return {
    name: "both algorithms",
    best(problem) {
      const { arcs, arcScores } = problem;
      const { n, head, modifier } = arcs;
      const heads = new Int32Array(n + 1);
      const best = (): number => {
        heads[0] = -1;
        return scoreTree(problem, heads);
      };
      solver.sparse(arcs, arcScores, heads, true);
      const sparse = best();
      const matrix = new Float64Array((n + 1) ** 2).fill(-Infinity);
      for (let a = 0; a < head.length; a++) matrix[modifier[a]! * (n + 1) + head[a]!] = arcScores[a]!;
      solver.dense(n, matrix, heads, true);
      return Math.max(sparse, best());
    },
  };
}

/** Returns whether a reference can decode a problem in reasonable memory. */
export function isComparable({ arcs }: ParsingProblem): boolean {
  return arcs.n * arcs.head.length <= MAX_CHART;
}

/**
 * Checks a result: a tree with a single root, projective where claimed; a score equal to `scoreTree` to the
 * last bit and not above the bound; for an exact decoder equal to the score of the reference, for others not
 * above it.
 */
export function checkAnswer(
  entry: DecoderEntry,
  problem: ParsingProblem,
  answer: Decoding,
  reference?: Reference,
): void {
  const { heads, score, bound } = answer;
  const wrong = (what: string): never => {
    throw new WrongAnswer(`${entry.name}, ${problem.arcs.n} words: ${what}`);
  };
  const fault = checkTree(heads);
  if (fault !== undefined) wrong(fault);
  if (entry.projective && !isProjective(heads)) wrong("the tree is not projective");
  const expected = scoreTree(problem, heads);
  if (score !== expected) wrong(`score ${score}, but the tree has ${expected}`);
  if (!(bound >= score)) wrong(`bound ${bound} is below score ${score}`);
  if (reference === undefined) return;
  const best = reference.best(problem);
  const slack = 1e-9 * (problem.arcs.n + Math.abs(best) + Math.abs(score));
  if (score > best + slack || (entry.exact && score < best - slack)) {
    wrong(`score ${score}, but ${reference.name} finds ${best}`);
  }
}

/** Compares a decoder with an enumeration of all trees on short problems of a set. */
export function checkByEnumeration(entry: DecoderEntry, decoder: Decoder, set: ScoreSet): void {
  const reference: Reference = {
    name: "enumeration",
    best: (problem) => bestTree(problem, { projective: entry.projective })?.score ?? -Infinity,
  };
  for (const problem of set.problems(ENUMERATED, entry.kinds, 4)) {
    if (problem.arcs.n > ENUMERATED + 1) continue;
    checkAnswer(entry, problem, decoder.decode(problem), reference);
  }
}

import type { Decoder, ParsingProblem } from "@arcwise/core";
import {
  createInsideOutside,
  createMatrixTree,
  createPartSums,
  kBestProjectiveTrees,
  kBestTrees,
  type PartSums,
  type RankedTree,
  type TreeSums,
} from "@arcwise/decode-mst";
import { familyOf } from "./decoders.ts";

/** The distribution over the trees of a problem, in sums. */
export interface ProblemMarginals {
  readonly logPartition: number;
  /** One probability an arc. */
  readonly probabilities: Float64Array;
}

/**
 * Sums over the trees that a decoder chooses from, each weighed by exp of its score: by the matrix-tree theorem, by
 * inside-outside, or by that with parts. Keeps its memory.
 */
export class ProblemSums {
  readonly #decoder: Decoder;
  #arcs: TreeSums | undefined;
  #parts: PartSums | undefined;

  constructor(decoder: Decoder) {
    this.#decoder = decoder;
  }

  /** @throws RangeError when the decoder's trees cannot be summed over; NoTree when there is none */
  marginals(problem: ParsingProblem): ProblemMarginals {
    const { arcs, arcScores, parts } = problem;
    const family = familyOf(this.#decoder);
    if (family === undefined || (family === "any" && parts.length > 0)) {
      throw new RangeError(`there are no marginals over the trees of ${described(this.#decoder, problem)}`);
    }
    if (parts.length > 0) {
      this.#parts ??= createPartSums();
      const { logPartition, arcs: probabilities } = this.#parts.marginals(problem);
      return { logPartition, probabilities };
    }
    this.#arcs ??= family === "any" ? createMatrixTree() : createInsideOutside();
    const probabilities = new Float64Array(arcScores.length);
    return { logPartition: this.#arcs.marginals(arcs, arcScores, probabilities), probabilities };
  }
}

/**
 * The trees that a decoder chooses from, best first.
 *
 * @throws RangeError when they cannot be ranked
 */
export function rankTrees(problem: ParsingProblem, decoder: Decoder): IterableIterator<RankedTree> {
  const family = familyOf(decoder);
  if (family === "projective") return kBestProjectiveTrees(problem);
  if (family === "any" && problem.parts.length === 0) return kBestTrees(problem);
  throw new RangeError(`there is no ranking of the trees of ${described(decoder, problem)}`);
}

function described({ name }: Decoder, { parts }: ParsingProblem): string {
  return `"${name}" with ${parts.length === 0 ? "arcs only" : parts.map(({ kind }) => kind).join(", ")}`;
}

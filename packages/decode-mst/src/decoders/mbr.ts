import type { ParsingProblem, RiskDecoding } from "@arcwise/core";
import type { TreeOptions } from "../options.ts";
import type { DistributionDecoder, WatchedDecoder } from "./distribution-decoder.ts";
import { spanningTreeDecoder } from "./mst-decoder.ts";
import { projectiveDecoder } from "./projective-decoder.ts";

/** Options of `mbrDecoder`. */
export interface MbrOptions extends TreeOptions {
  /** Considers projective trees only, with parts if a problem has them. Default: false. */
  readonly projective?: boolean | undefined;
}

/** A decoder that also returns a confidence for each arc. */
export interface MbrDecoder extends DistributionDecoder {
  decode(problem: ParsingProblem): RiskDecoding;
}

/**
 * Minimum-Bayes-risk decoding (Goodman 1996; Smith and Smith 2007): returns the tree with the highest
 * expected number of correct heads, where trees have probability proportional to exp(score). This is the
 * capability `minimumBayesRisk` of `mstDecoder` or `projectiveDecoder` as a decoder, under the name "mbr" or
 * "mbr-projective". `score` is the tree's score in the problem, which may be below the score of the best
 * tree; `bound` is the log-partition, which no tree's score exceeds.
 *
 * Without `projective` it takes arc scores alone, O(n³); with it the parts of `projectiveDecoder`, at that
 * decoder's cost. The decoder throws UnsupportedPart for other parts and for global scorers, NoTree when the
 * arcs that are not pruned contain no tree, RangeError when a score is NaN or +Infinity or arrays do not fit
 * each other.
 */
export function mbrDecoder(options: MbrOptions = {}): MbrDecoder {
  const name = options.projective ? "mbr-projective" : "mbr";
  const decoder = options.projective
    ? projectiveDecoder({ name, singleRoot: options.singleRoot })
    : spanningTreeDecoder(name, options);
  // The steps of the decoder end in the best tree, not in this one.
  const { decodeWithSteps: _, ...own } = decoder as typeof decoder & Partial<WatchedDecoder>;
  return { ...own, decode: decoder.minimumBayesRisk };
}

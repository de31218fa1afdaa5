import {
  type Decoder,
  type Decoding,
  NoTree,
  type ParsingProblem,
  type PartKind,
  requireHandled,
  scoreTree,
  validateProblem,
} from "@arcwise/core";
import { createArborescenceSolver } from "./max-arborescence.ts";
import { withoutOverflow } from "./score-range.ts";
import { withoutUnusableArcs } from "./unusable-arcs.ts";

/** Options of the first-order decoders. */
export interface FirstOrderOptions {
  /** Exactly one word hangs off the root (the default), or one or more. */
  readonly singleRoot?: boolean;
}

/**
 * The best tree by arc scores, projective or not: the maximum spanning arborescence, exactly. Its memory
 * belongs to the decoder and is used again, so one decoder serves one sentence at a time.
 *
 * O(n²) on dense candidates, O(arcs log n) on sparse ones. See `maxArborescence` for the papers.
 *
 * The decoder throws UnsupportedPart when the problem has part tables or a global scorer, NoTree when the
 * arcs that are not pruned contain no tree, RangeError when a score is NaN or +Infinity or arrays do not fit
 * each other.
 */
export function mstDecoder(options: FirstOrderOptions = {}): Decoder {
  const name = "mst";
  const handles: ReadonlySet<PartKind> = new Set();
  const singleRoot = options.singleRoot ?? true;
  const solver = createArborescenceSolver();

  function decode(problem: ParsingProblem): Decoding {
    requireHandled(problem, name, handles);
    validateProblem(problem);
    const { arcs } = problem;
    const heads = new Int32Array(arcs.n + 1);
    let scores: Float64Array | undefined = withoutOverflow(problem.arcScores);
    if (!solver.arcs(arcs, scores, heads, singleRoot))
      throw new NoTree(name, describeCandidates(problem, singleRoot));
    for (;;) {
      scores = withoutUnusableArcs(arcs, scores, heads, singleRoot);
      if (scores === undefined) break;
      solver.arcs(arcs, scores, heads, singleRoot);
    }
    const score = scoreTree(problem, heads);
    return { heads, score, bound: score };
  }

  return { name, handles, decode };
}

function describeCandidates(problem: ParsingProblem, singleRoot: boolean): string {
  const { n, head } = problem.arcs;
  let kept = 0;
  for (let a = 0; a < head.length; a++) if (problem.arcScores[a]! > -Infinity) kept++;
  return `${kept} arcs over ${n} words contain no tree${singleRoot ? " with a single root" : ""}`;
}

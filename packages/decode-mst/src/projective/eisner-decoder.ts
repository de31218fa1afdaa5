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
import type { FirstOrderOptions } from "../arborescence/mst-decoder.ts";
import { withoutOverflow } from "../arborescence/score-range.ts";
import { EisnerChart } from "./eisner-chart.ts";

/**
 * The best projective tree by arc scores, exactly. Its memory belongs to the decoder and is used again, so
 * one decoder serves one sentence at a time.
 *
 * O(n³) over all arcs, O(n arcs + n²) over candidate arcs; O(n²) memory. Eisner (1996).
 *
 * The decoder throws UnsupportedPart when the problem has part tables or a global scorer, NoTree when the
 * arcs that are not pruned contain no projective tree, RangeError when a score is NaN or +Infinity or arrays
 * do not fit each other.
 */
export function eisnerDecoder(options: FirstOrderOptions = {}): Decoder {
  const name = "eisner";
  const handles: ReadonlySet<PartKind> = new Set();
  const singleRoot = options.singleRoot ?? true;
  const chart = new EisnerChart();

  function decode(problem: ParsingProblem): Decoding {
    requireHandled(problem, name, handles);
    validateProblem(problem);
    const { n } = problem.arcs;
    const heads = new Int32Array(n + 1);
    if (!chart.solve(problem.arcs, withoutOverflow(problem.arcScores), heads, singleRoot)) {
      const rule = singleRoot ? " with a single root" : "";
      throw new NoTree(name, `the candidate arcs over ${n} words contain no projective tree${rule}`);
    }
    const score = scoreTree(problem, heads);
    return { heads, score, bound: score };
  }

  return { name, handles, decode };
}

import type { Arcs } from "@arcwise/core";
import { withoutOverflow } from "../arborescence/score-range.ts";

/**
 * Checks that there is one score per arc and that each is finite or -Infinity (pruned). Returns the scores, or a copy
 * that `withoutOverflow` makes.
 */
export function checkArcScores(arcs: Arcs, arcScores: Float64Array): Float64Array {
  const count = arcs.head.length;
  if (arcScores.length !== count) {
    throw new RangeError(`arcScores must have ${count} entries, one per arc, got ${arcScores.length}`);
  }
  for (let a = 0; a < count; a++) {
    const score = arcScores[a];
    if (!(score < Infinity)) {
      throw new RangeError(
        `score of arc ${arcs.head[a]} -> ${arcs.modifier[a]} must be finite or -Infinity, got ${score}`,
      );
    }
  }
  return withoutOverflow(arcScores);
}

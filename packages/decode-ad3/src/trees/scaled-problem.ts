import type { ParsingProblem, PartTable } from "@arcwise/core";
import { bitsFor, powerOfTwo } from "@arcwise/core/arithmetic";
import { dropPrunedArcs } from "@arcwise/decode-mst";

/** The largest score is brought to at least this and less than twice as much. */
const UNIT_BITS = 3;

/**
 * A problem whose scores are divided by a power of two, so that the same step sizes and tolerances fit all
 * problems.
 */
export class ScaledProblem {
  readonly #buffers = new Map<string, Float64Array>();
  /** Factor by which scores were multiplied. */
  factor = 1;

  /**
   * Returns the problem without pruned arcs, scaled. Its arrays of scores are valid until the next call.
   * O(parts).
   */
  of(problem: ParsingProblem): ParsingProblem {
    const kept = problem.arcScores.includes(-Infinity) ? dropPrunedArcs(problem).problem : problem;
    const largest = kept.parts.reduce(
      (most, { scores }) => largestOf(scores, most),
      largestOf(kept.arcScores, 0),
    );
    // Subnormal numbers and those near the end of the range are scaled in two steps.
    const exponent = largest === 0 ? 0 : UNIT_BITS - bitsFor(largest);
    this.factor = powerOfTwo(Math.max(-1000, Math.min(1000, exponent)));
    return {
      arcs: kept.arcs,
      arcScores: this.#scale("arcs", kept.arcScores),
      parts: kept.parts.map(
        (table): PartTable => ({ ...table, scores: this.#scale(table.kind, table.scores) }),
      ),
    };
  }

  #scale(name: string, scores: Float64Array): Float64Array {
    let buffer = this.#buffers.get(name);
    if (buffer === undefined || buffer.length < scores.length) {
      buffer = new Float64Array(2 * scores.length);
      this.#buffers.set(name, buffer);
    }
    const { factor } = this;
    for (let i = 0; i < scores.length; i++) buffer[i] = factor * scores[i];
    return buffer;
  }
}

function largestOf(scores: Float64Array, least: number): number {
  let largest = least;
  for (let i = 0; i < scores.length; i++) {
    const size = Math.abs(scores[i]);
    if (size > largest && size < Infinity) largest = size;
  }
  return largest;
}

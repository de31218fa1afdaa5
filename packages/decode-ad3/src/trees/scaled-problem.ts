import type { ParsingProblem, PartTable } from "@arcwise/core";
import { dropPrunedArcs } from "@arcwise/decode-mst";
import { largestOf, Scale } from "../solver/scale.ts";

/** A problem whose scores are scaled to fit step sizes and tolerances. */
export class ScaledProblem {
  readonly #buffers = new Map<string, Float64Array>();
  /** The scale of the last problem. */
  scale = new Scale(0);

  /**
   * Returns the problem without pruned arcs, scaled. Its arrays of scores are valid until the next call.
   * O(parts).
   */
  of(problem: ParsingProblem): ParsingProblem {
    const kept = problem.arcScores.includes(-Infinity) ? dropPrunedArcs(problem).problem : problem;
    this.scale = new Scale(
      kept.parts.reduce((most, { scores }) => largestOf(scores, most), largestOf(kept.arcScores)),
    );
    return {
      arcs: kept.arcs,
      arcScores: this.#write("arcs", kept.arcScores),
      parts: kept.parts.map(
        (table): PartTable => ({ ...table, scores: this.#write(table.kind, table.scores) }),
      ),
    };
  }

  #write(name: string, scores: Float64Array): Float64Array {
    let buffer = this.#buffers.get(name);
    if (buffer === undefined || buffer.length < scores.length) {
      buffer = new Float64Array(2 * scores.length);
      this.#buffers.set(name, buffer);
    }
    return this.scale.write(scores, buffer);
  }
}

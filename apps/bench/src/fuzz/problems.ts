import {
  type Arcs,
  filterArcs,
  type ParsingProblem,
  type PartKind,
  partLayout,
  type Random,
} from "@arcwise/core";
import { pick } from "./area.ts";

/** Sentences up to this length are compared with all trees. */
export const MAX_ENUMERATED = 5;

/** Functions from a draw between -1 and 1 to a score. */
const MAGNITUDES: readonly ((draw: number) => number)[] = [
  (draw) => draw,
  (draw) => Math.round(3 * draw),
  () => 0,
  (draw) => 1e12 + draw,
  (draw) => 1e15 * draw,
  (draw) => 1e-12 * draw,
  (draw) => draw * 10 ** (12 * draw),
  (draw) => (draw > 0 ? 1e6 : -1e6),
];

/** Draws a problem with some of these kinds of parts; most have at most `MAX_ENUMERATED` words. */
export function randomProblem(stream: Random, kinds: readonly PartKind[], maxWords: number): ParsingProblem {
  const n = 1 + stream.int(stream.int(3) > 0 ? MAX_ENUMERATED : maxWords);
  const density = pick(stream, [1, 1, 0.7, 0.4]);
  const magnitude = pick(stream, MAGNITUDES);
  const draw = () => magnitude(2 * stream.next() - 1);
  const pruned = pick(stream, [0, 0, 0.2, 0.5]);
  const arcs = filterArcs(n, () => stream.next() < density);
  const arcScores = Float64Array.from(arcs.head, () => (stream.next() < pruned ? -Infinity : draw()));
  const chosen = kinds.filter(() => stream.int(2) === 0);
  const parts = chosen.map((kind) => {
    const table = partLayout(kind, arcs);
    const share = stream.next();
    for (let part = 0; part < table.scores.length; part++) {
      if (stream.next() < share) table.scores[part] = draw();
    }
    return table;
  });
  return { arcs, arcScores, parts };
}

/** Returns the tolerance for rounding errors, relative to the largest score and the number of words. */
export function toleranceOf({ arcs, arcScores, parts }: ParsingProblem): number {
  let largest = 1e-6;
  for (const scores of [arcScores, ...parts.map((table) => table.scores)]) {
    for (const score of scores) if (score !== -Infinity) largest = Math.max(largest, Math.abs(score));
  }
  return 1e-7 * largest * (1 + arcs.n);
}

/** Describes a problem as text, with its arcs if it is short. */
export function describeProblem({ arcs, arcScores, parts }: ParsingProblem): string {
  const shown = arcs.n > MAX_ENUMERATED ? "" : `: ${listArcs(arcs, arcScores)}`;
  return `${arcs.n} words, parts [${parts.map(({ kind }) => kind).join(", ")}]${shown}`;
}

function listArcs({ head, modifier }: Arcs, scores: Float64Array): string {
  return Array.from(head, (h, arc) => `${h}->${modifier[arc]} ${scores[arc]}`).join(", ");
}

import {
  type Arcs,
  filterArcs,
  isProjective,
  isTree,
  type ParsingProblem,
  type PartKind,
  partLayout,
  type Random,
  scoreTree,
} from "@arcwise/core";
import { bestTree } from "@arcwise/decoder-laws";
import { DECODERS, type DecoderEntry } from "../registry.ts";
import { type Area, Fault, type Fuzzer, type Outcome, pick } from "./area.ts";

/** Sentences up to this length are compared with all trees. */
const MAX_ENUMERATED = 5;
const MAX_WORDS = 24;

/** How a draw between -1 and 1 becomes a score. */
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

/**
 * Problems for the decoders of the registry: what they find is held against their bounds, each other and all
 * trees.
 */
export const decoders: Area = {
  name: "decoders",
  description: "random problems through all decoders, against their bounds and against all trees",
  share: 2,
  prepare: async () => new DecoderFuzzer(),
};

class DecoderFuzzer implements Fuzzer {
  readonly #decoders = DECODERS.map((entry) => ({ entry, decoder: entry.make() }));

  try(stream: Random): Outcome {
    const { entry, decoder } = pick(stream, this.#decoders);
    const problem = randomProblem(stream, entry.kinds);
    return check(problem, entry, () => decoder.decode(problem));
  }
}

function randomProblem(stream: Random, kinds: readonly PartKind[]): ParsingProblem {
  const n = 1 + stream.int(stream.int(3) > 0 ? MAX_ENUMERATED : MAX_WORDS);
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

type Found = { readonly heads: Int32Array; readonly score: number; readonly bound: number };

function check(problem: ParsingProblem, entry: DecoderEntry, decode: () => Found): Outcome {
  const best =
    problem.arcs.n <= MAX_ENUMERATED ? bestTree(problem, { projective: entry.projective }) : undefined;
  const fault = (what: string) => new Fault(`${entry.name}: ${what}; ${describe(problem)}`);
  let found: Found;
  try {
    found = decode();
  } catch (error) {
    if (!(error instanceof Error && error.name === "NoTree")) throw fault(String(error));
    if (best !== undefined) throw fault(`found no tree, but there is ${best.heads.join(" ")}`);
    return "refused";
  }
  const { heads, score, bound } = found;
  if (!isTree(heads) || (entry.projective && !isProjective(heads)))
    throw fault(`no tree: ${heads.join(" ")}`);
  const slack = toleranceOf(problem);
  if (!(Math.abs(scoreTree(problem, heads) - score) <= slack)) {
    throw fault(`says ${score} of a tree of ${scoreTree(problem, heads)}`);
  }
  if (!(bound >= score - slack)) throw fault(`has the bound ${bound} below its score ${score}`);
  if (problem.arcs.n > MAX_ENUMERATED) return "survived";
  if (best === undefined) throw fault("found a tree where there is none");
  if (!(score <= best.score + slack)) throw fault(`has ${score}, above the best score ${best.score}`);
  if (!(bound >= best.score - slack))
    throw fault(`has the bound ${bound} below the best score ${best.score}`);
  if (entry.exact && !(score >= best.score - slack)) throw fault(`has ${score}, not the best ${best.score}`);
  return "survived";
}

/** Rounding errors: a share of the largest score, for each word. */
function toleranceOf({ arcs, arcScores, parts }: ParsingProblem): number {
  let largest = 1e-6;
  for (const scores of [arcScores, ...parts.map((table) => table.scores)]) {
    for (const score of scores) if (score !== -Infinity) largest = Math.max(largest, Math.abs(score));
  }
  return 1e-7 * largest * (1 + arcs.n);
}

function describe({ arcs, arcScores, parts }: ParsingProblem): string {
  const shown = arcs.n > MAX_ENUMERATED ? "" : `: ${listArcs(arcs, arcScores)}`;
  return `${arcs.n} words, parts [${parts.map(({ kind }) => kind).join(", ")}]${shown}`;
}

function listArcs({ head, modifier }: Arcs, scores: Float64Array): string {
  return Array.from(head, (h, arc) => `${h}->${modifier[arc]} ${scores[arc]}`).join(", ");
}

import {
  GRAPH_CONSTRAINTS,
  GRAPH_PART_KINDS,
  type GraphDecoder,
  type GraphDecoderWith,
  type GraphDecoding,
  type GraphHandled,
  type GraphProblem,
  hasGraphCapability,
  type ReportedGraphDecoding,
  scoreGraph,
} from "@arcwise/core";
import type { GraphDecoderEntry } from "./graph-registry.ts";
import { mean } from "./timing.ts";

/** Results of a decoder of graphs over all sentences, on the same scores as the others. */
export interface GraphDecoderComparison {
  readonly decoder: string;
  /** Labelled F1 of edges, where gold graphs are known. */
  readonly f1?: number;
  /** Sum of the scores of its graphs, divided by that of the best graphs. */
  readonly ofOptimum: number;
  /** Share of sentences whose graph scores as much as the best one. */
  readonly optimal: number;
  /** Share of sentences whose bound is the score. */
  readonly certified: number;
  /** Iterations a sentence, of decoders that count them. */
  readonly iterations?: number;
  /** Words per second of decoding alone. */
  readonly wordsPerSecond: number;
}

export interface GraphComparison {
  readonly sentences: number;
  readonly words: number;
  readonly decoders: readonly GraphDecoderComparison[];
}

/** Relative tolerance of sums of a graph's score in different orders. */
const ROUNDING = 1e-9;
/** Number of problems that each decoder solves before it is timed. */
const WARM_UP = 20;

/** Options of `compareGraphDecoders`. */
export interface GraphCompareOptions {
  /** Returns the labelled F1 of the graphs of a decoder. */
  readonly f1?: (decoder: GraphDecoder) => number;
  readonly onPass?: (name: string) => void;
}

interface Run {
  readonly decodings: readonly GraphDecoding[];
  readonly iterations: number | undefined;
  readonly milliseconds: number;
}

/**
 * Decodes the same scored sentences with all decoders. A decoder that does not handle all of a problem
 * decodes the rest. The best score of a sentence is the highest of any decoder.
 */
export function compareGraphDecoders(
  problems: readonly GraphProblem[],
  entries: readonly GraphDecoderEntry[],
  { f1, onPass }: GraphCompareOptions = {},
): GraphComparison {
  const runs = entries.map(({ label, make }) => {
    onPass?.(label);
    return runOf(graphOnItsParts(make()), problems);
  });
  const words = problems.reduce((sum, { arcs }) => sum + arcs.n, 0);
  const best = problems.map((_, i) => Math.max(...runs.map(({ decodings }) => decodings[i]!.score)));
  const total = best.reduce((sum, score) => sum + score, 0);
  const decoders = entries.map(({ label, make }, which): GraphDecoderComparison => {
    const { decodings, iterations, milliseconds } = runs[which]!;
    const isBest = ({ score }: GraphDecoding, i: number): boolean =>
      score >= best[i]! - ROUNDING * (1 + Math.abs(best[i]!));
    return {
      decoder: label,
      ...(f1 && { f1: f1(graphOnItsParts(make())) }),
      ofOptimum: decodings.reduce((sum, { score }) => sum + score, 0) / total,
      optimal: mean(decodings.map((found, i) => Number(isBest(found, i)))),
      certified: mean(decodings.map(({ bound, score }) => Number(bound === score))),
      ...(iterations !== undefined && { iterations: iterations / problems.length }),
      wordsPerSecond: (1000 * words) / milliseconds,
    };
  });
  return { sentences: problems.length, words, decoders };
}

type ReportingDecoder = GraphDecoderWith<"decodeWithReport">;

function runOf({ decodeWithReport }: ReportingDecoder, problems: readonly GraphProblem[]): Run {
  for (const problem of problems.slice(0, WARM_UP)) decodeWithReport(problem);
  const start = performance.now();
  const decodings = problems.map((problem) => decodeWithReport(problem));
  const milliseconds = performance.now() - start;
  const counts = decodings.map(({ counts: own = {} }) => own.iterations);
  const iterations = counts.reduce(
    (sum, count) => (sum === undefined || count === undefined ? undefined : sum + count),
    0,
  );
  return { decodings, iterations, milliseconds };
}

/**
 * Wraps a decoder to accept any problem: what it does not handle is ignored in decoding, and counts in the
 * score. Reports are those of the decoder.
 */
export function graphOnItsParts(decoder: GraphDecoder): ReportingDecoder {
  const decodeWithReport = (problem: GraphProblem): ReportedGraphDecoding => {
    const known = withoutUnhandled(problem, decoder.handles);
    const found = reported(decoder, known);
    if (known === problem) return found;
    return { ...found, score: scoreGraph(problem, found), bound: Infinity, status: "unsolved" };
  };
  const handles: ReadonlySet<GraphHandled> = new Set([
    ...GRAPH_PART_KINDS,
    "unique",
    ...GRAPH_CONSTRAINTS,
  ] as const);
  return { name: decoder.name, handles, decode: decodeWithReport, decodeWithReport };
}

function reported(decoder: GraphDecoder, problem: GraphProblem): ReportedGraphDecoding {
  if (hasGraphCapability(decoder, "decodeWithReport")) return decoder.decodeWithReport(problem);
  const found = decoder.decode(problem);
  return { ...found, status: found.bound === found.score ? "optimal" : "unsolved", counts: {} };
}

/** Returns the problem without what a decoder does not handle; the problem itself if it handles all. */
function withoutUnhandled(problem: GraphProblem, handles: ReadonlySet<GraphHandled>): GraphProblem {
  const parts = problem.parts.filter(({ kind }) => handles.has(kind));
  const isUnique = problem.unique.includes(1) && !handles.has("unique");
  if (parts.length === problem.parts.length && !isUnique) return problem;
  return { ...problem, parts, unique: isUnique ? problem.unique.map(() => 0) : problem.unique };
}

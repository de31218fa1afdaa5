import {
  type DecoderWith,
  GRAPH_CONSTRAINTS,
  GRAPH_PART_KINDS,
  type GraphDecoder,
  type GraphDecoding,
  type GraphHandled,
  type GraphProblem,
  hasCapability,
  type ReportedGraphDecoding,
  scoreGraph,
} from "@arcwise/core";
import type { GraphDecoderEntry } from "../registry/graph-decoders.ts";
import { measureInTurn, type Speed, sampledBlocks, type TurnOptions } from "./in-turn.ts";
import { mean } from "./timing.ts";

/** Results of a decoder of graphs over all sentences, on the same scores as the others. */
export interface GraphDecoderComparison {
  readonly decoder: string;
  /** Labelled F1 of edges, where gold graphs are known. */
  readonly f1?: number | undefined;
  /** Sum of the scores of its graphs, divided by the sum of the best graphs. */
  readonly optimumShare: number;
  /** Share of sentences whose graph scores as much as the best one. */
  readonly optimal: number;
  /** Share of sentences whose bound is the score. */
  readonly certified: number;
  /** Iterations per sentence, of decoders that count them. */
  readonly iterations?: number | undefined;
  /** Words per second of decoding alone, of processor time: `speed.value`. */
  readonly wordsPerSecond: number;
  readonly speed: Speed;
}

export interface GraphComparison {
  readonly sentences: number;
  readonly words: number;
  readonly decoders: readonly GraphDecoderComparison[];
}

/** Relative tolerance of sums of a graph's score in different orders. */
const ROUNDING = 1e-9;
/** Options of `compareGraphDecoders`. */
export interface GraphCompareOptions extends TurnOptions {
  /** Number of problems that are timed. */
  readonly timed: number;
  /** Returns the labelled F1 of the graphs of a decoder. */
  readonly f1?: ((decoder: GraphDecoder) => number) | undefined;
  /** Called before each decoder: `pass` of `passes`. */
  readonly onPass?: ((name: string, pass: number, passes: number) => void) | undefined;
}

interface Run {
  readonly decodings: readonly GraphDecoding[];
  readonly iterations: number | undefined;
}

/**
 * Decodes the same scored sentences with all decoders. A decoder that does not handle all of a problem
 * decodes the rest. The best score of a sentence is the highest of any decoder.
 */
export function compareGraphDecoders(
  problems: readonly GraphProblem[],
  entries: readonly GraphDecoderEntry[],
  options: GraphCompareOptions,
): GraphComparison {
  const { f1, onPass } = options;
  const speeds = timeAll(problems, entries, options);
  const runs = entries.map(({ label, make }, i) => {
    onPass?.(label, i + 1, entries.length);
    return runOf(graphOnItsParts(make()), problems);
  });
  const words = problems.reduce((sum, { arcs }) => sum + arcs.n, 0);
  const best = problems.map((_, i) => Math.max(...runs.map(({ decodings }) => decodings[i]!.score)));
  const total = best.reduce((sum, score) => sum + score, 0);
  const decoders = entries.map(({ label, make }, which): GraphDecoderComparison => {
    const { decodings, iterations } = runs[which]!;
    const isBest = ({ score }: GraphDecoding, i: number): boolean =>
      score >= best[i]! - ROUNDING * (1 + Math.abs(best[i]!));
    return {
      decoder: label,
      f1: f1?.(graphOnItsParts(make())),
      optimumShare: decodings.reduce((sum, { score }) => sum + score, 0) / total,
      optimal: mean(decodings.map((found, i) => Number(isBest(found, i)))),
      certified: mean(decodings.map(({ bound, score }) => Number(bound === score))),
      iterations: iterations !== undefined ? iterations / problems.length : undefined,
      wordsPerSecond: speeds[which]!.value,
      speed: speeds[which]!,
    };
  });
  return { sentences: problems.length, words, decoders };
}

/** Times the decoding of a sample of the problems, in turn over all decoders. */
function timeAll(
  problems: readonly GraphProblem[],
  entries: readonly GraphDecoderEntry[],
  options: GraphCompareOptions,
): Speed[] {
  const blocks = sampledBlocks(
    problems.map(({ arcs }) => arcs.n),
    options.timed,
  );
  const timed = entries.map(({ label, make }) => {
    const decoder = make();
    return {
      name: label,
      blocks: blocks.map(({ indices, share }) => {
        const known = indices.map((i) => withoutUnhandled(problems[i]!, decoder.handles));
        return {
          share,
          words: known.reduce((sum, { arcs }) => sum + arcs.n, 0),
          run: () => known.reduce((sum, problem) => sum + decoder.decode(problem).score, 0),
        };
      }),
    };
  });
  return measureInTurn(timed, options);
}

type ReportingDecoder = DecoderWith<"decodeWithReport", GraphDecoder>;

function runOf({ decodeWithReport }: ReportingDecoder, problems: readonly GraphProblem[]): Run {
  const decodings = problems.map((problem) => decodeWithReport(problem));
  const counts = decodings.map(({ counts: own = {} }) => own.iterations);
  const iterations = counts.reduce<number | undefined>(
    (sum, count) => (sum === undefined || count === undefined ? undefined : sum + count),
    0,
  );
  return { decodings, iterations };
}

/**
 * Wraps a decoder to accept any problem: what it does not handle is ignored in decoding, and counts in the
 * score. Its reports are unchanged.
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
  if (hasCapability(decoder, "decodeWithReport")) return decoder.decodeWithReport(problem);
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

import {
  type Decoder,
  type DecoderWith,
  type Decoding,
  endSteps,
  type ParsingProblem,
  type Random,
  type RankedTree,
  requireHandled,
  type StepListener,
  type TreeMarginals,
  validateProblem,
} from "@arcwise/core";
import { underName } from "../no-tree.ts";
import type { TreeSums } from "../sums/matrix-tree.ts";
import { minimumRisk } from "../sums/minimum-risk.ts";

/** A decoder with k-best lists, marginals, samples and minimum-Bayes-risk decoding. */
export type DistributionDecoder = DecoderWith<"kBest" | "marginals" | "sample" | "minimumBayesRisk">;

/** A `DistributionDecoder` whose steps can be watched. */
export type WatchedDecoder = DistributionDecoder & DecoderWith<"decodeWithSteps">;

/** Draws trees of a problem that it has been prepared for. */
interface PreparedSampler {
  sample(stream: Random, heads: Int32Array): void;
}

/** The algorithms of a decoder. Each is called with problems whose parts the decoder handles. */
export interface TreeAlgorithms extends Pick<Decoder, "name" | "trees" | "singleRoot" | "handles"> {
  /** Finds the tree of highest score. */
  best(problem: ParsingProblem): Decoding;
  /** `best`, with its steps; the result is not one of them. */
  watch?(problem: ParsingProblem, onStep: StepListener): Decoding;
  /** Ranks the trees. */
  rank(problem: ParsingProblem): IterableIterator<RankedTree>;
  /** Computes log-partition and marginals. */
  sum(problem: ParsingProblem): TreeMarginals;
  /** Makes a sampler that is prepared for the problem. */
  sampler(problem: ParsingProblem): PreparedSampler;
  /** Finds the best tree by arc scores alone; default: `best`. */
  bestByArcs?(problem: ParsingProblem): Decoding;
}

/**
 * Makes a decoder from algorithms over the same trees. It refuses parts that are not in `handles`, and errors
 * carry its name.
 */
export function distributionDecoder(
  algorithms: TreeAlgorithms & Required<Pick<TreeAlgorithms, "watch">>,
): WatchedDecoder;
export function distributionDecoder(algorithms: TreeAlgorithms): DistributionDecoder;
export function distributionDecoder(algorithms: TreeAlgorithms): DistributionDecoder {
  const { name, trees, singleRoot, handles, watch } = algorithms;

  function run<T>(problem: ParsingProblem, action: () => T): T {
    requireHandled(problem, name, handles);
    return underName(name, action);
  }

  const marginals = (problem: ParsingProblem): TreeMarginals => run(problem, () => algorithms.sum(problem));
  const search = { decode: (problem: ParsingProblem) => (algorithms.bestByArcs ?? algorithms.best)(problem) };

  return {
    name,
    trees,
    singleRoot,
    handles,
    marginals,
    decode: (problem) => run(problem, () => algorithms.best(problem)),
    kBest: (problem) => run(problem, () => algorithms.rank(problem)),
    sample: (problem, stream) =>
      drawTrees(
        run(problem, () => algorithms.sampler(problem)),
        problem.arcs.n,
        stream,
      ),
    minimumBayesRisk: (problem) => minimumRisk(problem, marginals(problem), search),
    ...(watch && {
      decodeWithSteps: (problem, onStep) =>
        run(problem, () => endSteps(watch.call(algorithms, problem, onStep), onStep)),
    }),
  };
}

/** Returns marginals of arcs from a sum over trees without parts. Checks the problem. */
export function arcDistribution(problem: ParsingProblem, sums: TreeSums): TreeMarginals {
  validateProblem(problem);
  const arcs = new Float64Array(problem.arcScores.length);
  return { logPartition: sums.marginals(problem.arcs, problem.arcScores, arcs), arcs, parts: [] };
}

/** Draws trees of n words, without end. */
function* drawTrees(sampler: PreparedSampler, n: number, stream: Random): Generator<Int32Array, never> {
  for (;;) {
    const heads = new Int32Array(n + 1);
    sampler.sample(stream, heads);
    yield heads;
  }
}

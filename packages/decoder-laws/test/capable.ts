import {
  arcIndex,
  type Decoder,
  type DecoderCapabilities,
  type DecoderWith,
  endSteps,
  NoTree,
  type ParsingProblem,
  type Random,
  requireHandled,
  scoreTree,
  type TreeConstraint,
  validateProblem,
} from "@arcwise/core";
import { bruteForceDecoder, keepsConstraint, rankedTrees, treeDistribution } from "@arcwise/decoder-laws";

/** The type of a decoder with all capabilities. */
export type CapableDecoder = DecoderWith<keyof DecoderCapabilities>;

/** Returns a brute-force decoder with all capabilities, by enumeration; single root, no global scores. */
export function capableDecoder(): CapableDecoder {
  const decoder = bruteForceDecoder({ handles: ["grandparent", "nextSibling"] });
  const { name, handles } = decoder;

  function ranked(problem: ParsingProblem) {
    requireHandled(problem, name, handles);
    validateProblem(problem);
    return rankedTrees(problem);
  }

  function distribution(problem: ParsingProblem) {
    if (ranked(problem).length === 0) throw new NoTree(name, "every tree uses a pruned arc");
    return treeDistribution(problem);
  }

  function decodeWithReport(problem: ParsingProblem) {
    return { ...decoder.decode(problem), status: "optimal" as const, counts: { trees: 1 } };
  }

  return {
    ...decoder,
    *kBest(problem) {
      yield* ranked(problem);
    },
    marginals(problem) {
      const { logPartition, arcs, parts } = distribution(problem);
      return { logPartition, arcs, parts };
    },
    sample: (problem, stream) => draws(distribution(problem), stream),
    minimumBayesRisk(problem) {
      const { trees, arcs, logPartition } = distribution(problem);
      const confidenceOf = (heads: Int32Array) =>
        Float64Array.from(heads, (h, m) => (m === 0 ? 0 : arcs[arcIndex(problem.arcs, h, m)]));
      const right = (heads: Int32Array) => confidenceOf(heads).reduce((sum, p) => sum + p, 0);
      const { heads } = trees.reduce((best, tree) => (right(tree.heads) > right(best.heads) ? tree : best));
      const expectedCorrect = right(heads);
      const score = scoreTree(problem, heads);
      return {
        heads,
        score,
        bound: Infinity,
        confidence: confidenceOf(heads),
        expectedCorrect,
        logPartition,
      };
    },
    decodeConstrained(problem, constraints) {
      const rules = [...constraints];
      for (const rule of rules) checkRule(problem.arcs.n, rule);
      const best = ranked(problem).find(({ heads }) => rules.every((rule) => keepsConstraint(heads, rule)));
      if (best === undefined) throw new NoTree(name, "no tree satisfies the constraints");
      return { ...best, bound: best.score };
    },
    decodeWithReport,
    decodeWithSteps: (problem, onStep) => endSteps(decoder.decode(problem), onStep),
    decodeRelaxed(problem) {
      const found = decodeWithReport(problem);
      const only = problem.arcScores.map((_, a) =>
        found.heads[problem.arcs.modifier[a]] === problem.arcs.head[a] ? 0 : -Infinity,
      );
      const { arcs, parts } = treeDistribution({ ...problem, arcScores: only });
      return { ...found, posteriors: arcs, partPosteriors: parts };
    },
  };
}

function checkRule(n: number, constraint: TreeConstraint): void {
  const pairs =
    constraint.rule === "implies"
      ? [...constraint.premises, constraint.conclusion]
      : constraint.rule === "uncrossed"
        ? [constraint.arc]
        : constraint.arcs;
  if (!["atMostOne", "exactlyOne", "atLeastOne", "implies", "uncrossed"].includes(constraint.rule)) {
    throw new RangeError(`unknown rule ${constraint.rule}`);
  }
  for (const [h, m] of pairs) {
    if (h < 0 || h > n || m < 1 || m > n || h === m) throw new RangeError(`no arc ${h} -> ${m}`);
  }
}

/** Draws trees by their probabilities, without end. */
export function* draws(
  { trees, probabilities }: Pick<ReturnType<typeof treeDistribution>, "trees" | "probabilities">,
  stream: Pick<Random, "next">,
): Generator<Int32Array, never> {
  for (;;) {
    let left = stream.next();
    let at = 0;
    while (at + 1 < trees.length && left >= probabilities[at]) left -= probabilities[at++];
    yield trees[at].heads.slice();
  }
}

/** Makes a sound decoder with some members replaced, given the originals. */
export function changed(replace: (sound: CapableDecoder) => Partial<CapableDecoder>): () => Decoder {
  return () => {
    const sound = capableDecoder();
    return { ...sound, ...replace(sound) };
  };
}

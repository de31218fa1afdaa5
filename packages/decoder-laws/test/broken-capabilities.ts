import { arcIndex, endSteps, NoTree, scoreTree } from "@arcwise/core";
import { bestTree, rankedTrees, treeDistribution } from "@arcwise/decoder-laws";
import { copyProblem, scaleScores } from "../src/transform.ts";
import type { Broken } from "./broken.ts";
import { changed, draws } from "./capable.ts";

/** Returns a decoder with a fault in some of its members, given the sound ones. */
function faulty(law: string, fault: string, replace: Parameters<typeof changed>[0]): Broken {
  return { law, fault, make: changed(replace) };
}

/** Decoders with one fault in a capability. */
export const BROKEN_CAPABILITIES: readonly Broken[] = [
  faulty("ranking", "yields the best tree twice", ({ kBest }) => ({
    *kBest(problem) {
      const [first, ...rest] = kBest(problem);
      if (first === undefined) return;
      yield first;
      yield* rest.slice(0, 1).map((tree) => ({ ...tree, score: tree.score + 1 }));
      yield* rest.slice(1);
    },
  })),
  faulty("ranking", "reports scores without those of parts", ({ kBest }) => ({
    *kBest(problem) {
      const arcsAlone = { ...problem, parts: [] };
      for (const { heads } of kBest(problem)) yield { heads, score: scoreTree(arcsAlone, heads) };
    },
  })),
  faulty("k-best", "leaves out the second tree", ({ kBest }) => ({
    *kBest(problem) {
      let rank = 0;
      for (const tree of kBest(problem)) if (rank++ !== 1) yield tree;
    },
  })),
  faulty("partition", "returns the best score instead of the sum", ({ marginals }) => ({
    marginals: (problem) => ({ ...marginals(problem), logPartition: bestTree(problem)?.score ?? 0 }),
  })),
  faulty("marginals", "sums over trees with any number of roots", ({ marginals }) => ({
    marginals: (problem) => {
      const right = marginals(problem);
      return { ...right, arcs: treeDistribution(problem, { singleRoot: false }).arcs };
    },
  })),
  faulty("extreme-marginals", "returns no numbers for the greatest scores", ({ marginals }) => ({
    marginals: (problem) => {
      const right = marginals(problem);
      const isLarge = problem.arcScores.some((score) => Math.abs(score) > 1e300 && score !== -Infinity);
      return isLarge ? { ...right, arcs: right.arcs.map(() => Number.NaN) } : right;
    },
  })),
  faulty("marginals", "gives parts the marginal 0", ({ marginals }) => ({
    marginals: (problem) => {
      const right = marginals(problem);
      return { ...right, parts: right.parts.map((values) => values.map(() => 0)) };
    },
  })),
  faulty("minimum-risk", "maximises the risk", ({ minimumBayesRisk }) => ({
    minimumBayesRisk: (problem) => {
      const risk = minimumBayesRisk(problem);
      const { trees, arcs } = treeDistribution(problem);
      const confidenceOf = (heads: Int32Array) =>
        Float64Array.from(heads, (h, m) => (m === 0 ? 0 : arcs[arcIndex(problem.arcs, h, m)]));
      const right = (heads: Int32Array) => confidenceOf(heads).reduce((sum, p) => sum + p, 0);
      const { heads, score } = trees.reduce((a, b) => (right(b.heads) < right(a.heads) ? b : a));
      return { ...risk, heads, score, confidence: confidenceOf(heads), expectedCorrect: right(heads) };
    },
  })),
  faulty("minimum-risk", "counts the artificial root as a right head", ({ minimumBayesRisk }) => ({
    minimumBayesRisk: (problem) => {
      const risk = minimumBayesRisk(problem);
      return { ...risk, expectedCorrect: risk.expectedCorrect + 1 };
    },
  })),
  faulty("sampled-tree", "draws a tree with several roots now and then", ({ sample }) => ({
    sample: (problem, stream) => {
      const drawn = sample(problem, stream);
      const several = rankedTrees(problem, { singleRoot: false }).find(
        ({ heads }) => heads.filter((h) => h === 0).length > 1,
      );
      return spoilt(drawn, (heads, i) => (i % 7 === 6 && i < 20 ? (several?.heads.slice() ?? heads) : heads));
    },
  })),
  {
    law: "sample-seed",
    fault: "draws from random numbers of its own",
    make: (() => {
      let state = 12345;
      const next = () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 2 ** 32;
      };
      return changed(({ sample }) => ({
        sample: (problem, stream) => {
          sample(problem, stream);
          const own = draws(treeDistribution(problem), { next });
          // The first trees depend on the seed: only longer samples show the fault.
          return spoilt(sample(problem, stream), (heads, i) => (i < 3 ? heads : own.next().value));
        },
      }));
    })(),
  },
  faulty("sample-frequency", "draws from the uniform distribution", ({ sample }) => ({
    sample: (problem, stream) => {
      sample(problem, stream);
      return draws(treeDistribution(scaleScores(problem, 1e-9)), stream);
    },
  })),
  faulty("constraints", "ignores constraints that are implications", ({ decodeConstrained }) => ({
    decodeConstrained: (problem, constraints) =>
      decodeConstrained(
        problem,
        [...constraints].filter(({ rule }) => rule !== "implies"),
      ),
  })),
  faulty("constraints", "throws where the best tree breaks them", ({ decodeConstrained, decode, name }) => ({
    decodeConstrained: (problem, constraints) => {
      const found = decodeConstrained(problem, constraints);
      if (found.score < decode(problem).score) throw new NoTree(name, "the best tree breaks them");
      return found;
    },
  })),
  faulty("report", "reports every problem as unsolved", ({ decodeWithReport }) => ({
    decodeWithReport: (problem) => ({ ...decodeWithReport(problem), status: "unsolved" }),
  })),
  faulty("report", "decodes without parts for the report", ({ decodeWithReport }) => ({
    decodeWithReport: (problem) => {
      const report = decodeWithReport(problem);
      const { heads } = bestTree({ ...problem, parts: [] })!;
      const score = scoreTree(problem, heads);
      return { ...report, heads, score, bound: score };
    },
  })),
  faulty("steps", "ends in another tree than its result", ({ decodeWithSteps }) => ({
    decodeWithSteps: (problem, onStep) => {
      const found = decodeWithSteps(problem, () => {});
      endSteps({ ...found, heads: found.heads.map((h) => (h === 0 ? 0 : h + 1)) }, onStep);
      return found;
    },
  })),
  faulty("steps", "reports a bound below the best tree", ({ decodeWithSteps }) => ({
    decodeWithSteps: (problem, onStep) => {
      const bound = decodeWithSteps(problem, () => {}).score - 1;
      onStep({ kind: "bound", iteration: 1, bound, score: bound });
      return decodeWithSteps(problem, onStep);
    },
  })),
  faulty("relaxation", "returns marginals as posteriors", ({ decodeRelaxed }) => ({
    decodeRelaxed: (problem) => ({
      ...decodeRelaxed(problem),
      posteriors: treeDistribution(problem).arcs,
    }),
  })),
  faulty(
    "capability-errors",
    "ranks trees of the arcs alone when there are other parts",
    ({ kBest, handles }) => ({
      kBest: (problem) => kBest({ ...problem, parts: problem.parts.filter(({ kind }) => handles.has(kind)) }),
    }),
  ),
  faulty("capability-errors", "returns a sum of 0 if no tree exists", ({ marginals }) => ({
    marginals: (problem) => {
      try {
        return marginals(problem);
      } catch (error) {
        if (error instanceof NoTree) return { logPartition: 0, arcs: problem.arcScores, parts: [] };
        throw error;
      }
    },
  })),
  faulty("capability-manner", "writes marginals to the scores", ({ marginals }) => ({
    marginals: (problem) => {
      const found = marginals(copyProblem(problem));
      problem.arcScores.set(found.arcs.map((p) => Math.log(p)));
      return found;
    },
  })),
  {
    law: "capability-manner",
    fault: "returns its scratch array",
    make: () => {
      const scratch = new Float64Array(100);
      return changed(({ marginals }) => ({
        marginals: (problem) => {
          const found = marginals(problem);
          scratch.set(found.arcs);
          return { ...found, arcs: scratch.subarray(0, found.arcs.length) };
        },
      }))();
    },
  },
];

function* spoilt(
  trees: Iterable<Int32Array>,
  spoil: (heads: Int32Array, rank: number) => Int32Array,
): Generator<Int32Array, void> {
  let rank = 0;
  for (const heads of trees) yield spoil(heads, rank++);
}

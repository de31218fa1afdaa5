import { arcIndex, endSteps, NoTree, scoreTree } from "@arcwise/core";
import { bestTree, rankedTrees, treeDistribution } from "@arcwise/decoder-laws";
import { copyProblem, scaleScores } from "../src/transform.ts";
import type { Broken } from "./broken.ts";
import { changed, draws } from "./capable.ts";

/** Decoders with one fault in a capability. */
export const BROKEN_CAPABILITIES: readonly Broken[] = [
  {
    law: "ranking",
    fault: "yields the best tree twice",
    make: changed(({ kBest }) => ({
      *kBest(problem) {
        const [first, ...rest] = kBest(problem);
        if (first === undefined) return;
        yield first;
        yield* rest.slice(0, 1).map((tree) => ({ ...tree, score: tree.score + 1 }));
        yield* rest.slice(1);
      },
    })),
  },
  {
    law: "ranking",
    fault: "reports scores without those of parts",
    make: changed(({ kBest }) => ({
      *kBest(problem) {
        const arcsAlone = { ...problem, parts: [] };
        for (const { heads } of kBest(problem)) yield { heads, score: scoreTree(arcsAlone, heads) };
      },
    })),
  },
  {
    law: "k-best",
    fault: "leaves out the second tree",
    make: changed(({ kBest }) => ({
      *kBest(problem) {
        let rank = 0;
        for (const tree of kBest(problem)) if (rank++ !== 1) yield tree;
      },
    })),
  },
  {
    law: "partition",
    fault: "returns the best score instead of the sum",
    make: changed(({ marginals }) => ({
      marginals: (problem) => ({ ...marginals(problem), logPartition: bestTree(problem)?.score ?? 0 }),
    })),
  },
  {
    law: "marginals",
    fault: "sums over trees with any number of roots",
    make: changed(({ marginals }) => ({
      marginals: (problem) => {
        const right = marginals(problem);
        return { ...right, arcs: treeDistribution(problem, { singleRoot: false }).arcs };
      },
    })),
  },
  {
    law: "extreme-marginals",
    fault: "returns no numbers for the greatest scores",
    make: changed(({ marginals }) => ({
      marginals: (problem) => {
        const right = marginals(problem);
        const isLarge = problem.arcScores.some((score) => Math.abs(score) > 1e300 && score !== -Infinity);
        return isLarge ? { ...right, arcs: right.arcs.map(() => Number.NaN) } : right;
      },
    })),
  },
  {
    law: "marginals",
    fault: "gives parts the marginal 0",
    make: changed(({ marginals }) => ({
      marginals: (problem) => {
        const right = marginals(problem);
        return { ...right, parts: right.parts.map((values) => values.map(() => 0)) };
      },
    })),
  },
  {
    law: "minimum-risk",
    fault: "maximises the risk",
    make: changed(({ minimumBayesRisk }) => ({
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
  },
  {
    law: "minimum-risk",
    fault: "counts the artificial root as a right head",
    make: changed(({ minimumBayesRisk }) => ({
      minimumBayesRisk: (problem) => {
        const risk = minimumBayesRisk(problem);
        return { ...risk, expectedCorrect: risk.expectedCorrect + 1 };
      },
    })),
  },
  {
    law: "sampled-tree",
    fault: "draws a tree with several roots now and then",
    make: changed(({ sample }) => ({
      sample: (problem, stream) => {
        const drawn = sample(problem, stream);
        const several = rankedTrees(problem, { singleRoot: false }).find(
          ({ heads }) => heads.filter((h) => h === 0).length > 1,
        );
        return spoilt(drawn, (heads, i) =>
          i % 7 === 6 && i < 20 ? (several?.heads.slice() ?? heads) : heads,
        );
      },
    })),
  },
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
  {
    law: "sample-frequency",
    fault: "draws from the uniform distribution",
    make: changed(({ sample }) => ({
      sample: (problem, stream) => {
        sample(problem, stream);
        return draws(treeDistribution(scaleScores(problem, 1e-9)), stream);
      },
    })),
  },
  {
    law: "constraints",
    fault: "ignores constraints that are implications",
    make: changed(({ decodeConstrained }) => ({
      decodeConstrained: (problem, constraints) =>
        decodeConstrained(
          problem,
          [...constraints].filter(({ rule }) => rule !== "implies"),
        ),
    })),
  },
  {
    law: "constraints",
    fault: "throws where the best tree breaks them",
    make: changed(({ decodeConstrained, decode, name }) => ({
      decodeConstrained: (problem, constraints) => {
        const found = decodeConstrained(problem, constraints);
        if (found.score < decode(problem).score) throw new NoTree(name, "the best tree breaks them");
        return found;
      },
    })),
  },
  {
    law: "report",
    fault: "reports every problem as unsolved",
    make: changed(({ decodeWithReport }) => ({
      decodeWithReport: (problem) => ({ ...decodeWithReport(problem), status: "unsolved" }),
    })),
  },
  {
    law: "report",
    fault: "decodes without parts for the report",
    make: changed(({ decodeWithReport }) => ({
      decodeWithReport: (problem) => {
        const report = decodeWithReport(problem);
        const { heads } = bestTree({ ...problem, parts: [] })!;
        const score = scoreTree(problem, heads);
        return { ...report, heads, score, bound: score };
      },
    })),
  },
  {
    law: "steps",
    fault: "ends in another tree than its result",
    make: changed(({ decodeWithSteps }) => ({
      decodeWithSteps: (problem, onStep) => {
        const found = decodeWithSteps(problem, () => {});
        endSteps({ ...found, heads: found.heads.map((h) => (h === 0 ? 0 : h + 1)) }, onStep);
        return found;
      },
    })),
  },
  {
    law: "steps",
    fault: "reports a bound below the best tree",
    make: changed(({ decodeWithSteps }) => ({
      decodeWithSteps: (problem, onStep) => {
        const bound = decodeWithSteps(problem, () => {}).score - 1;
        onStep({ kind: "bound", iteration: 1, bound, score: bound });
        return decodeWithSteps(problem, onStep);
      },
    })),
  },
  {
    law: "relaxation",
    fault: "returns marginals as posteriors",
    make: changed(({ decodeRelaxed }) => ({
      decodeRelaxed: (problem) => ({
        ...decodeRelaxed(problem),
        posteriors: treeDistribution(problem).arcs,
      }),
    })),
  },
  {
    law: "capability-errors",
    fault: "ranks trees of the arcs alone when there are other parts",
    make: changed(({ kBest, handles }) => ({
      kBest: (problem) => kBest({ ...problem, parts: problem.parts.filter(({ kind }) => handles.has(kind)) }),
    })),
  },
  {
    law: "capability-errors",
    fault: "returns a sum of 0 if no tree exists",
    make: changed(({ marginals }) => ({
      marginals: (problem) => {
        try {
          return marginals(problem);
        } catch (error) {
          if (error instanceof NoTree) return { logPartition: 0, arcs: problem.arcScores, parts: [] };
          throw error;
        }
      },
    })),
  },
  {
    law: "capability-manner",
    fault: "writes marginals to the scores",
    make: changed(({ marginals }) => ({
      marginals: (problem) => {
        const found = marginals(copyProblem(problem));
        problem.arcScores.set(found.arcs.map((p) => Math.log(p)));
        return found;
      },
    })),
  },
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

import { NoTree, type PartKind, ProblemScorer, ProblemValidator } from "@arcwise/core";
import { kBestProjectiveTrees } from "../kbest/kbest-projective.ts";
import { PROJECTIVE_KINDS, type TreeOptions } from "../options.ts";
import { ProjectiveChart } from "../projective/projective-chart.ts";
import { betweenSiblings, fillBest } from "../projective/projective-max.ts";
import { projectiveScores } from "../projective/projective-scores.ts";
import { largestTerm, ProjectiveWalk } from "../projective/projective-walk.ts";
import { createPartSampler } from "../sampling/sampling-parts.ts";
import { createInsideOutside } from "../sums/inside-outside.ts";
import { createPartSums } from "../sums/inside-outside-parts.ts";
import { arcDistribution, type DistributionDecoder, distributionDecoder } from "./distribution-decoder.ts";
import { plainEisnerDecoder } from "./plain-eisner-decoder.ts";

/** Options of `projectiveDecoder`. */
export interface ProjectiveDecoderOptions extends TreeOptions {
  /** Default: "projective". Errors carry it. */
  readonly name?: string | undefined;
  /** Kinds of parts that the decoder handles. Default: all that decompose. */
  readonly kinds?: readonly PartKind[] | undefined;
}

/**
 * Finds the best projective tree, exactly, for any combination of arcs, grandparents, adjacent and outermost
 * siblings, grand-siblings and tri-siblings. Uses the cheapest of the programmes below for the kinds of parts
 * that a problem has.
 *
 * | kinds present | cost, all n² arcs | cost, c candidate heads per word |
 * |---|---|---|
 * | arcs, `nextSibling`, `lastSibling` | O(n³) | O(c² n²) |
 * | and `grandparent`, `grandSibling` | O(n⁴) | O(c² n²) |
 * | arcs, siblings, and `triSibling` | O(n⁴) | O(c² n²), and one step a tri-sibling |
 * | all | O(n⁵) | O(c² n²), and c steps a tri-sibling |
 *
 * The decoder also has k-best lists (`kBestProjectiveTrees`), marginals (`createPartSums`, and
 * `createInsideOutside` for arcs alone), samples and minimum-Bayes-risk decoding, all with parts.
 *
 * Memory: O(n · arcs), and one number for each grand-sibling when there are tri-siblings. The decoder reuses
 * its memory, so one decoder decodes one sentence at a time.
 *
 * Eisner (1996); McDonald and Pereira (2006); Carreras (2007); Koo and Collins (2010).
 *
 * @throws UnsupportedPart for global scorers and `sibling` and `headBigram` parts, which do not decompose, and for
 *   parts that are not in `kinds`
 * @throws NoTree when the candidate arcs that are not pruned contain no projective tree
 * @throws RangeError when a score is NaN or +Infinity, or arrays do not fit each other
 *
 * @example
 * import { arcIndex, completeArcs, partLayout } from "@arcwise/core";
 * import { kBestProjectiveTrees, projectiveDecoder } from "@arcwise/decode-mst";
 *
 * // "she saw stars with telescopes": the arc 3 -> 4 (stars with) scores more than 2 -> 4 (saw with).
 * const arcs = completeArcs(5);
 * const arcScores = new Float64Array(arcs.head.length);
 * const scored = [[2, 1, 4], [0, 2, 4], [2, 3, 4], [3, 4, 2], [2, 4, 1], [4, 5, 4]] as const;
 * for (const [h, m, score] of scored) arcScores[arcIndex(arcs, h, m)] = score;
 * const problem = { arcs, arcScores, parts: [] };
 * console.log(projectiveDecoder().decode(problem).heads.join(" ")); // -1 2 0 2 3 4
 *
 * // A grandparent part changes the best tree: saw -> with -> telescopes.
 * const grandparents = partLayout("grandparent", arcs);
 * const owner = arcIndex(arcs, 4, 5);
 * const slot = arcIndex(arcs, 2, 4) - arcs.start[4]!;
 * grandparents.scores[grandparents.start[owner]! + slot] = 1.5;
 * const second = { ...problem, parts: [grandparents] };
 * const best = projectiveDecoder().decode(second);
 * console.log(best.heads.join(" "), best.score); // -1 2 0 2 2 4 18.5
 *
 * // The second-best tree, and how probable that part is.
 * const ranking = kBestProjectiveTrees(second);
 * ranking.next();
 * console.log(ranking.next().value.heads.join(" ")); // -1 2 0 2 3 4
 * const marginals = projectiveDecoder().marginals(second);
 * console.log(marginals.parts[0]![grandparents.start[owner]! + slot]!.toFixed(2)); // 0.61
 */
export function projectiveDecoder(options: ProjectiveDecoderOptions = {}): DistributionDecoder {
  const { name = "projective", kinds = PROJECTIVE_KINDS, singleRoot = true } = options;
  const handles: ReadonlySet<PartKind> = new Set(kinds);
  const chart = new ProjectiveChart();
  const walk = new ProjectiveWalk(betweenSiblings);
  const validator = new ProblemValidator();
  const scorer = new ProblemScorer();
  const arcSums = createInsideOutside({ singleRoot });
  const partSums = createPartSums({ singleRoot });
  const { decode: bestByArcs } = plainEisnerDecoder({ singleRoot });

  return distributionDecoder({
    name,
    trees: "projective",
    singleRoot,
    handles,
    best(problem) {
      chart.prepare(projectiveScores(problem, name, handles, validator), singleRoot);
      if (fillBest(chart) === -Infinity) {
        throw new NoTree(name, `the candidate arcs of ${chart.n} words contain no projective tree`);
      }
      const heads = new Int32Array(chart.n + 1);
      walk.read(chart, heads, largestTerm);
      const score = scorer.score(problem, heads);
      return { heads, score, bound: score };
    },
    rank: (problem) => kBestProjectiveTrees(problem, { singleRoot }),
    sum: (problem) =>
      problem.parts.length > 0 ? partSums.marginals(problem) : arcDistribution(problem, arcSums),
    sampler(problem) {
      const sampler = createPartSampler({ singleRoot });
      sampler.prepare(problem);
      return sampler;
    },
    bestByArcs,
  });
}

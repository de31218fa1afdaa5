import { NoTree, type ParsingProblem, type PartKind, type Random } from "@arcwise/core";
import { PROJECTIVE_KINDS, type TreeOptions } from "../options.ts";
import { betweenCell, ProjectiveChart } from "../projective/projective-chart.ts";
import { type Alternatives, fillInside } from "../projective/projective-inside.ts";
import { LARGEST_SUMMED, projectiveScores } from "../projective/projective-scores.ts";
import { ProjectiveWalk } from "../projective/projective-walk.ts";
import { checkHeads } from "./sampling.ts";
import { drawTerm } from "./sampling-elimination.ts";

/**
 * Draws projective trees with parts, with probability proportional to exp(score). Handles one sentence at a
 * time.
 */
export interface PartSampler {
  /** Prepares for a problem, whose arrays must not change until its last tree is drawn. */
  prepare(problem: ParsingProblem): void;
  /** Draws a tree, independent of all others, and writes its heads (`heads[0] = -1`). */
  sample(stream: Random, heads: Int32Array): void;
}

/**
 * Makes a sampler of projective trees with the parts of `projectiveDecoder`. Preparing costs as much as that
 * decoder's inside pass (see `createPartSums`); drawing a tree takes O(n²) at worst, and one step for each
 * tri-sibling considered.
 */
export function createPartSampler(options: TreeOptions = {}): PartSampler {
  const name = "projective sampler";
  const handles: ReadonlySet<PartKind> = new Set(PROJECTIVE_KINDS);
  const none = new Float64Array(0);
  const work: Alternatives = { values: none, past: none, middle: none };
  const chart = new ProjectiveChart();
  const walk = new ProjectiveWalk((filled, s, a) => filled.between[betweenCell(filled, s, a)]);

  function prepare(problem: ParsingProblem): void {
    const scores = projectiveScores(problem, name, handles, undefined, LARGEST_SUMMED);
    chart.prepare(scores, options.singleRoot ?? true);
    if (fillInside(chart, work) === -Infinity) {
      throw new NoTree(name, `no projective tree over ${chart.n} words`);
    }
  }

  function sample(stream: Random, heads: Int32Array): void {
    checkHeads(heads, chart.n);
    walk.read(chart, heads, (terms, count) => drawTerm(terms, count, stream));
  }

  return { prepare, sample };
}

import type { SparseVector } from "@arcwise/core";
import type { SearchTrace, WeightVector } from "@arcwise/learn";
import { BeamSearch } from "../inference/beam.ts";
import type { ChainExample } from "./chain-example.ts";
import type { ChainScorer } from "./chain-scorer.ts";

/**
 * Runs a beam search that reports where the gold labels fell out of the beam, for updates under inexact
 * search (Collins and Roark 2004; Huang, Fayong and Guo 2012). A step is a position.
 */
export function chainSearch(
  examples: readonly ChainExample[],
  scorer: ChainScorer,
  width: number,
): (example: number, weights: WeightVector) => SearchTrace {
  const beam = new BeamSearch(width);
  let violations = new Float64Array(64);
  let labels = new Int32Array(64);

  return (example, weights) => {
    const { prepared, labels: gold } = examples[example];
    const { n, lattice } = prepared;
    if (violations.length < n) {
      violations = new Float64Array(2 * n);
      labels = new Int32Array(2 * n);
    }
    const problem = scorer.score(prepared, weights);
    beam.start(problem);
    const { trellis } = beam;
    let state = 0;
    let goldScore = 0;
    let lost = n;
    for (let i = 0; i < n; i++) {
      beam.step(problem, i);
      let c = 0;
      while (lattice.labels[lattice.start[i] + c] !== gold[i]) c++;
      const local = state - trellis.state[i];
      const m = local % trellis.inner[i];
      state = trellis.state[i + 1] + m * trellis.count[i] + c;
      const entry = problem.table[i] < 0 ? -1 : problem.table[i] + local * trellis.count[i] + c;
      goldScore += problem.scores[lattice.start[i] + c] + (entry < 0 ? 0 : problem.grams[entry]);
      if (lost === n && !beam.keeps(state, (local - m) / trellis.inner[i])) lost = i;
      violations[i] = beam.prefix(problem, i, labels) - goldScore;
    }
    return {
      steps: n,
      violations,
      lost,
      difference(step: number, into: SparseVector) {
        beam.prefix(problem, step, labels);
        return addDifference(scorer, examples[example], labels, step + 1, into);
      },
    };
  };
}

/**
 * Adds the features of the first `length` gold labels minus the features of other labels. O(length).
 *
 * @returns the number of labels that differ
 */
export function addDifference(
  scorer: ChainScorer,
  { prepared, labels: gold }: ChainExample,
  labels: Int32Array,
  length: number,
  into: SparseVector,
): number {
  const added = { into, scale: 1 };
  const subtracted = { into, scale: -1 };
  let cost = 0;
  let since = 3;
  for (let i = 0; i < length; i++) {
    if (labels[i] === gold[i]) since++;
    else {
      since = 0;
      cost++;
    }
    // K-grams are the same where the last labels are.
    if (since >= scorer.extractor.order) continue;
    const from = since === 0 ? 1 : since + 1;
    scorer.addFeatures(prepared, i, gold, added, from);
    scorer.addFeatures(prepared, i, labels, subtracted, from);
  }
  return cost;
}

import type { PartModel } from "@arcwise/learn";
import { type ChainProblem, grown, type Lattice, tableSize } from "../inference/chain-problem.ts";
import { ForwardBackward } from "../inference/forward-backward.ts";
import type { ChainExample } from "./chain-example.ts";
import type { ChainScorer } from "./chain-scorer.ts";

/**
 * Makes the parts of labellings: for each position, the k-grams of candidates that may end there, laid out as
 * a table of a `ChainProblem`. Of order 1 they are the candidates.
 */
export function chainParts(examples: readonly ChainExample[], scorer: ChainScorer): PartModel {
  const { order } = scorer;
  const sums = new ForwardBackward();
  let zeros = new Float64Array(0);

  function sizeOf({ start }: Lattice, i: number): number {
    return tableSize(order, start, i);
  }

  function count(example: number): number {
    const { lattice } = examples[example].prepared;
    let total = 0;
    for (let i = 0; i < lattice.n; i++) total += sizeOf(lattice, i);
    return total;
  }

  /**
   * Calls `visit` with every part: its position, its index, the index of its entry in a table, and its last
   * candidate.
   */
  function eachPart(
    lattice: Lattice,
    visit: (i: number, part: number, entry: number, candidate: number) => void,
  ): void {
    let part = 0;
    for (let i = 0; i < lattice.n; i++) {
      const size = sizeOf(lattice, i);
      const candidates = lattice.start[i + 1] - lattice.start[i];
      for (let entry = 0; entry < size; entry++, part++) {
        visit(i, part, entry, lattice.start[i] + (entry % candidates));
      }
    }
  }

  return {
    count,
    gold(example, into) {
      const { prepared, labels } = examples[example];
      eachPart(prepared.lattice, (i, part, entry) => {
        into[part] = isGold(prepared.lattice, order, labels, i, entry) ? 1 : 0;
      });
    },
    costs(example, into) {
      const { prepared, labels } = examples[example];
      eachPart(prepared.lattice, (i, part, _entry, candidate) => {
        into[part] = prepared.lattice.labels[candidate] === labels[i] ? 0 : 1;
      });
    },
    scores(example, weights, into) {
      const { prepared } = examples[example];
      const problem = scorer.score(prepared, weights);
      eachPart(prepared.lattice, (i, part, entry, candidate) => {
        const gram = problem.table[i] < 0 ? 0 : problem.grams[problem.table[i] + entry];
        into[part] = problem.scores[candidate] + gram;
      });
    },
    marginals(example, potentials, into) {
      const { lattice } = examples[example].prepared;
      zeros = grown(zeros, lattice.start[lattice.n]);
      const problem =
        order === 1 ? unaryProblem(lattice, potentials) : gramProblem(lattice, potentials, zeros, order);
      const { logPartition, marginals, grams } = sums.sum(problem);
      const found = order === 1 ? marginals : grams;
      for (let part = count(example) - 1; part >= 0; part--) into[part] = found[part];
      return logPartition;
    },
    addFeatures(example, amounts, into) {
      const { prepared } = examples[example];
      const { lattice, features } = prepared;
      const labels = new Int32Array(lattice.n);
      // A label's own features are the same in all its k-grams: they are added once, with the sum of amounts.
      const labelAmounts = new Float64Array(lattice.start[lattice.n]);
      eachPart(lattice, (i, part, entry, candidate) => {
        const scale = amounts[part];
        if (scale === 0) return;
        labelAmounts[candidate] += scale;
        if (features.length === 1) return;
        setGram(lattice, i, entry, labels);
        scorer.addFeatures(prepared, i, labels, { into, scale }, 2);
      });
      for (let i = 0; i < lattice.n; i++) {
        for (let c = lattice.start[i]; c < lattice.start[i + 1]; c++) {
          const change = { into, scale: labelAmounts[c] };
          if (change.scale !== 0) scorer.addGram(features[0], 1, i, lattice.labels[c], change);
        }
      }
    },
  };
}

function unaryProblem(lattice: Lattice, scores: Float64Array): ChainProblem {
  const none = new Float64Array(0);
  return { order: 1, lattice, scores, grams: none, table: new Int32Array(lattice.n).fill(-1) };
}

function gramProblem(lattice: Lattice, grams: Float64Array, zeros: Float64Array, order: 2 | 3): ChainProblem {
  const table = new Int32Array(lattice.n);
  for (let i = 1; i < lattice.n; i++) table[i] = table[i - 1] + tableSize(order, lattice.start, i - 1);
  return { order, lattice, scores: zeros, grams, table };
}

/** Writes the labels of an entry of the table of position i to their positions. */
function setGram({ start, labels: candidates }: Lattice, i: number, entry: number, labels: Int32Array): void {
  let rest = entry;
  for (let j = i; j >= 0 && j > i - 3; j--) {
    const count = start[j + 1] - start[j];
    labels[j] = candidates[start[j] + (rest % count)];
    rest = Math.floor(rest / count);
  }
}

function isGold(lattice: Lattice, order: number, gold: Int32Array, i: number, entry: number): boolean {
  const { start, labels } = lattice;
  let rest = entry;
  for (let j = i; j >= 0 && j > i - order; j--) {
    const count = start[j + 1] - start[j];
    if (labels[start[j] + (rest % count)] !== gold[j]) return false;
    rest = Math.floor(rest / count);
  }
  return true;
}

import {
  emptyChainScores,
  type GraphChoice,
  type GraphPosteriors,
  type GraphProblem,
  isPairTable,
} from "@arcwise/core";

/**
 * Binary variables of a graph problem. A label is a variable only if it is unique and two arcs of its
 * predicate compete for it; of an arc's other labels the best one is used, and its score is added to the
 * arc's. A predicate is a variable only if it has a cost; the others are on whenever that increases the score
 * or an arc needs them.
 */
export interface GraphVariables {
  /** Log-potential of each variable. */
  readonly potentials: Float64Array;
  /** Total score of predicates without a variable that are always on, and of all chains as if empty. */
  readonly constant: number;
  /** The variable of each word as a predicate; -1: none. */
  readonly predicate: Int32Array;
  /** The variable of each arc; -1: never on. */
  readonly arc: Int32Array;
  /** The variable of each labelled arc; -1: none. */
  readonly label: Int32Array;
  /**
   * Per arc: the labelled arc that represents its labels without a variable; -1: the arc needs one of the
   * others.
   */
  readonly base: Int32Array;
}

/** Makes the variables of a problem; with `everyLabel`, each label is a variable. O(n + labelled arcs). */
export function graphVariables(problem: GraphProblem, everyLabel: boolean): GraphVariables {
  const { arcs, arcScores, predicateScores, labels } = problem;
  const kept = keptArcs(problem);
  const contested = everyLabel ? undefined : contestedLabels(problem, kept);
  const potentials: number[] = [];
  const add = (potential: number): number => potentials.push(potential) - 1;
  const variables = {
    predicate: new Int32Array(arcs.n + 1).fill(-1),
    arc: new Int32Array(arcs.head.length).fill(-1),
    label: new Int32Array(labels.label.length).fill(-1),
    base: new Int32Array(arcs.head.length).fill(-1),
  };
  for (let a = 0; a < arcs.head.length; a++) {
    if (kept[a] === 0) continue;
    const h = arcs.head[a];
    if (predicateScores[h] < 0 && variables.predicate[h] < 0)
      variables.predicate[h] = add(predicateScores[h]);
    const [from, to] = [labels.start[a], labels.start[a + 1]];
    const isVariable = (k: number): boolean =>
      contested === undefined || contested[h * labels.count + labels.label[k]] > 1;
    let base = -1;
    for (let k = from; k < to; k++) {
      if (labels.scores[k] === -Infinity || isVariable(k)) continue;
      if (base < 0 || labels.scores[k] > labels.scores[base]) base = k;
    }
    const share = base < 0 ? 0 : labels.scores[base];
    variables.base[a] = base;
    variables.arc[a] = add(arcScores[a] + share);
    for (let k = from; k < to; k++) {
      if (labels.scores[k] !== -Infinity && isVariable(k)) variables.label[k] = add(labels.scores[k] - share);
    }
  }
  let constant = predicateScores.reduce((sum, score) => sum + Math.max(0, score), 0);
  for (const table of problem.parts) {
    if (isPairTable(table)) continue;
    for (const score of emptyChainScores(table)) constant += score;
  }
  return { ...variables, potentials: Float64Array.from(potentials), constant };
}

/** Per arc: 1 where it, one of its labels and its predicate are not pruned. */
function keptArcs({ arcs, arcScores, predicateScores, labels }: GraphProblem): Uint8Array {
  return Uint8Array.from(arcScores, (score, a) => {
    if (score === -Infinity || predicateScores[arcs.head[a]] === -Infinity) return 0;
    for (let k = labels.start[a]; k < labels.start[a + 1]; k++) if (labels.scores[k] > -Infinity) return 1;
    return 0;
  });
}

/** For each word and label: the number of arcs of the word that may have it, if it is unique; else 0. */
function contestedLabels({ arcs, labels, unique }: GraphProblem, kept: Uint8Array): Uint32Array {
  const counts = new Uint32Array((arcs.n + 1) * labels.count);
  for (let a = 0; a < kept.length; a++) {
    if (kept[a] === 0) continue;
    for (let k = labels.start[a]; k < labels.start[a + 1]; k++) {
      if (unique[labels.label[k]] === 1 && labels.scores[k] > -Infinity) {
        counts[arcs.head[a] * labels.count + labels.label[k]]++;
      }
    }
  }
  return counts;
}

/** Returns the graph of an assignment, 0 or 1 for each variable. O(n + labelled arcs). */
export function choiceOf(
  { arcs, predicateScores, labels }: GraphProblem,
  { predicate, arc, label, base }: GraphVariables,
  on: ArrayLike<number>,
): GraphChoice {
  const predicates = Uint8Array.from(predicateScores, (score, w) =>
    w === 0 || (predicate[w] >= 0 ? on[predicate[w]] === 1 : score > 0) ? 1 : 0,
  );
  const labelled = new Int32Array(arc.length).fill(-1);
  for (let a = 0; a < arc.length; a++) {
    if (arc[a] < 0 || on[arc[a]] !== 1) continue;
    labelled[a] = base[a];
    for (let k = labels.start[a]; k < labels.start[a + 1]; k++) {
      if (label[k] >= 0 && on[label[k]] === 1) labelled[a] = k;
    }
    predicates[arcs.head[a]] = 1;
  }
  return { predicates, labelled };
}

/** Converts means of variables to posteriors of predicates, arcs and labelled arcs. O(n + labelled arcs). */
export function posteriorsOf(
  { arcs, predicateScores, labels }: GraphProblem,
  { predicate, arc, label, base }: GraphVariables,
  mean: Float64Array,
): GraphPosteriors {
  const predicates = Float64Array.from(predicateScores, (score, w) =>
    w === 0 ? 1 : predicate[w] >= 0 ? mean[predicate[w]] : score > 0 ? 1 : 0,
  );
  const posteriors = Float64Array.from(arc, (variable) => (variable < 0 ? 0 : mean[variable]));
  const labelled = new Float64Array(label.length);
  for (let a = 0; a < arc.length; a++) {
    let rest = posteriors[a];
    for (let k = labels.start[a]; k < labels.start[a + 1]; k++) {
      if (label[k] < 0) continue;
      labelled[k] = mean[label[k]];
      rest -= labelled[k];
    }
    if (base[a] >= 0) labelled[base[a]] = Math.max(0, rest);
    const h = arcs.head[a];
    if (predicate[h] < 0) predicates[h] = Math.max(predicates[h], posteriors[a]);
  }
  return { predicates, arcs: posteriors, labelled };
}

/** Returns the posteriors of a graph: 1 for everything that is on. */
export function choicePosteriors(
  problem: GraphProblem,
  { predicates, labelled }: GraphChoice,
): GraphPosteriors {
  const labelPosteriors = new Float64Array(problem.labels.label.length);
  for (const chosen of labelled) if (chosen >= 0) labelPosteriors[chosen] = 1;
  return {
    predicates: Float64Array.from(predicates),
    arcs: Float64Array.from(labelled, (chosen) => (chosen >= 0 ? 1 : 0)),
    labelled: labelPosteriors,
  };
}

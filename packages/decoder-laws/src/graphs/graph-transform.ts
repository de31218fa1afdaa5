import { type GraphProblem, isPairTable } from "@arcwise/core";

/** Returns the arrays of a problem of graphs, with their names. */
export function arraysOfGraph(
  problem: GraphProblem,
): (readonly [name: string, values: Int32Array | Float64Array | Uint8Array])[] {
  const { arcs, labels } = problem;
  return [
    ["arcs.start", arcs.start],
    ["arcs.head", arcs.head],
    ["arcs.modifier", arcs.modifier],
    ["arcScores", problem.arcScores],
    ["predicateScores", problem.predicateScores],
    ["labels.start", labels.start],
    ["labels.label", labels.label],
    ["labels.scores", labels.scores],
    ["unique", problem.unique],
    ...problem.parts.flatMap((table): (readonly [string, Int32Array | Float64Array])[] => [
      [`${table.kind}.scores`, table.scores],
      ...(isPairTable(table)
        ? ([
            [`${table.kind}.first`, table.first],
            [`${table.kind}.second`, table.second],
          ] as const)
        : ([[`${table.kind}.start`, table.start]] as const)),
    ]),
  ];
}

/** Multiplies every score by a positive factor. */
export function scaleGraphScores(problem: GraphProblem, factor: number): GraphProblem {
  const scaled = (scores: Float64Array): Float64Array => scores.map((score) => score * factor);
  return {
    ...problem,
    arcScores: scaled(problem.arcScores),
    predicateScores: scaled(problem.predicateScores),
    labels: { ...problem.labels, scores: scaled(problem.labels.scores) },
    parts: problem.parts.map((table) => ({ ...table, scores: scaled(table.scores) })),
  };
}

/** Moves `by` from each label of an arc to the arc, which changes the score of no graph. */
export function shiftLabels(problem: GraphProblem, by: number): GraphProblem {
  return {
    ...problem,
    arcScores: problem.arcScores.map((score) => score + by),
    labels: { ...problem.labels, scores: problem.labels.scores.map((score) => score - by) },
  };
}

/** Reverses the numbering of labels, which changes the score of no graph. */
export function renumberLabels(problem: GraphProblem): GraphProblem {
  const { count, start } = problem.labels;
  const label = problem.labels.label.slice();
  const scores = problem.labels.scores.slice();
  for (let a = 0; a + 1 < start.length; a++) {
    const [from, to] = [start[a], start[a + 1]];
    label.subarray(from, to).reverse();
    scores.subarray(from, to).reverse();
  }
  return {
    ...problem,
    labels: { count, start, label: label.map((which) => count - 1 - which), scores },
    unique: problem.unique.slice().reverse(),
  };
}

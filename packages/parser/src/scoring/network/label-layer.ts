import {
  addColumnSums,
  fillRows,
  LEAK,
  type Matrix,
  type MatrixMemory,
  matrix,
  moved,
  padded,
  transposed,
} from "@arcwise/neural";

/** What scores the labels of arcs, with its places among the parameters. */
export interface LabelShape {
  readonly inputs: number;
  readonly units: number;
  /** `padded` labels: columns of scores. */
  readonly columns: number;
  /** Weights of the head's and of the modifier's states, and biases. */
  readonly head: Matrix;
  readonly modifier: Matrix;
  readonly bias: Matrix;
  /** Weights of units for labels, and biases of these. */
  readonly labels: Matrix;
  readonly labelBias: Matrix;
}

/** Parameters: a multiple of `units`. */
export function labelLayerSize(inputs: number, units: number, labels: number): number {
  const columns = padded(labels);
  return (2 * inputs + 1 + columns + Math.ceil(columns / units)) * units;
}

export function labelLayerAt(at: number, inputs: number, units: number, labels: number): LabelShape {
  const columns = padded(labels);
  const modifier = at + inputs * units;
  const bias = modifier + inputs * units;
  const ofLabels = bias + units;
  return {
    inputs,
    units,
    columns,
    head: matrix(at, units),
    modifier: matrix(modifier, units),
    bias: matrix(bias, units),
    labels: matrix(ofLabels, columns),
    labelBias: matrix(ofLabels + units * columns, columns),
  };
}

/** What the states of each row are to labels, as heads and as modifiers. */
export interface LabelInputs {
  readonly heads: Matrix;
  readonly modifiers: Matrix;
}

/** O(rows · inputs · units). */
export function labelInputs(
  memory: MatrixMemory,
  { inputs, units, head, modifier, bias }: LabelShape,
  states: Matrix,
  rows: number,
): LabelInputs {
  const heads = memory.matrix(rows, units);
  const modifiers = memory.matrix(rows, units);
  fillRows(memory.values, heads, bias, rows, units);
  memory.multiply(heads, states, head, rows, units, inputs);
  memory.multiply(modifiers, states, modifier, rows, units, inputs);
  return { heads, modifiers };
}

/** Leaky rectified units of arcs. */
export function labelUnits(
  memory: MatrixMemory,
  { units }: LabelShape,
  { heads, modifiers }: LabelInputs,
  arcs: readonly RowPair[],
): Matrix {
  const into = memory.matrix(arcs.length, units);
  const { values } = memory;
  for (const [a, { head, modifier }] of arcs.entries()) {
    const at = into.at + a * units;
    for (let k = 0; k < units; k++) {
      const sum = values[heads.at + head * units + k]! + values[modifiers.at + modifier * units + k]!;
      values[at + k] = sum < 0 ? LEAK * sum : sum;
    }
  }
  return into;
}

/** An arc, by the rows of its words. */
export interface RowPair {
  readonly head: number;
  readonly modifier: number;
}

/** Scores of the labels of arcs, a row each. O(arcs · units · labels). */
export function labelForward(memory: MatrixMemory, shape: LabelShape, units: Matrix, arcs: number): Matrix {
  const scores = memory.matrix(arcs, shape.columns);
  fillRows(memory.values, scores, shape.labelBias, arcs, shape.columns);
  memory.multiply(scores, units, shape.labels, arcs, shape.columns, shape.units);
  return scores;
}

/** Adds the gradients of the parameters between units and labels, and of the units, from those of the scores. */
export function labelBackward(
  memory: MatrixMemory,
  { labels, labelBias, columns, units: width }: LabelShape,
  units: Matrix,
  slopes: Matrix,
  unitSlopes: Matrix,
  arcs: number,
  gradient: number,
): void {
  const turned = memory.matrix(columns, width);
  memory.transpose(turned, labels, width, columns);
  addColumnSums(memory.values, moved(labelBias, gradient), slopes, arcs, columns);
  memory.multiply(moved(labels, gradient), transposed(units), slopes, width, columns, arcs);
  memory.multiply(unitSlopes, slopes, turned, arcs, width, columns);
}

/** Adds the gradients of the parameters before the units, and of the states, from those of the units, which are spent. */
export function labelInputsBackward(
  memory: MatrixMemory,
  { inputs, units, head, modifier, bias }: LabelShape,
  states: Matrix,
  unitsOfArcs: Matrix,
  unitSlopes: Matrix,
  stateSlopes: Matrix,
  arcs: readonly RowPair[],
  rows: number,
  gradient: number,
): void {
  const ofHeads = memory.matrix(rows, units);
  const ofModifiers = memory.matrix(rows, units);
  const turned = memory.matrix(units, inputs);
  const { values } = memory;
  for (const [a, arc] of arcs.entries()) {
    for (let k = 0; k < units; k++) {
      const i = a * units + k;
      const slope = values[unitSlopes.at + i]! * (values[unitsOfArcs.at + i]! < 0 ? LEAK : 1);
      values[ofHeads.at + arc.head * units + k]! += slope;
      values[ofModifiers.at + arc.modifier * units + k]! += slope;
    }
  }
  addColumnSums(values, moved(bias, gradient), ofHeads, rows, units);
  for (const [weights, slopes] of [
    [head, ofHeads],
    [modifier, ofModifiers],
  ] as const) {
    memory.multiply(moved(weights, gradient), transposed(states), slopes, inputs, units, rows);
    memory.transpose(turned, weights, inputs, units);
    memory.multiply(stateSlopes, slopes, turned, rows, inputs, units);
  }
}

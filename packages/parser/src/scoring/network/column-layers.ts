import {
  type DenseGradients,
  type DenseShape,
  type DenseTrace,
  denseLayer,
  dropout,
  type EncoderDropout,
  type Matrix,
  type MatrixMemory,
  multiplyInPlace,
  padded,
} from "@arcwise/neural";

/** The labels of a column of words that a network predicts: tags, say. */
export interface ColumnWidths {
  readonly labels: number;
  /**
   * Parts of each label, by number: a label's score is its own plus the scores of its parts, so that rare
   * labels learn from others. An empty list: none of the labels has parts.
   */
  readonly parts: readonly (readonly number[])[];
}

/** The layers that score the labels of a column, with their offsets among the parameters. */
export interface ColumnShape extends ColumnWidths {
  /** Each label that has parts, and the offset of one of its parts among the scores, in turn. */
  readonly labelParts: Int32Array;
  readonly hidden: DenseShape;
  /** From hidden units to the scores of labels, then of parts, padded. */
  readonly scores: DenseShape;
}

/** Returns the number of different parts: they are numbered from 0. O(parts of all labels). */
export function differentParts({ parts }: ColumnWidths): number {
  return 1 + parts.reduce((most, own) => own.reduce((a, b) => Math.max(a, b), most), -1);
}

function outputsOf(widths: ColumnWidths): number {
  return padded(widths.labels + differentParts(widths));
}

/** Number of parameters of a column: a multiple of `units`, so that all rows have the same length. */
export function columnSize(inputs: number, units: number, widths: ColumnWidths): number {
  const size = denseLayer.size(inputs, units) + denseLayer.size(units, outputsOf(widths));
  return Math.ceil(size / units) * units;
}

/** The layers of a column at an offset. */
export function columnAt(at: number, inputs: number, units: number, widths: ColumnWidths): ColumnShape {
  const { labels, parts } = widths;
  return {
    ...widths,
    labelParts: Int32Array.from(parts.flatMap((own, label) => own.flatMap((part) => [label, labels + part]))),
    hidden: denseLayer.at(at, inputs, units, "leaky-relu"),
    scores: denseLayer.at(at + denseLayer.size(inputs, units), units, outputsOf(widths), "none"),
  };
}

/**
 * Adds the weights of parts to the weights of their labels, for a network that does not learn: returns the
 * layers without parts. O(units · parts of all labels).
 */
export function foldParts(values: Float32Array, shape: ColumnShape): ColumnShape {
  const { weights, bias, inputs } = shape.scores;
  for (let r = 0; r < inputs; r++) addParts(values, shape, weights.at + r * weights.row);
  addParts(values, shape, bias.at);
  const scores = { ...shape.scores, outputs: padded(shape.labels) };
  return { ...shape, parts: [], labelParts: new Int32Array(), scores };
}

/** The results of a forward pass: a row of hidden units and of scores for each row of states. */
export interface ColumnTrace {
  readonly hidden: DenseTrace;
  readonly scores: DenseTrace;
  /** Factors of dropout of the hidden units; undefined without dropout. */
  readonly mask: Matrix | undefined;
}

/** Scores the labels of a column for all rows. O(rows · units (inputs + labels)). */
export function columnForward(
  memory: MatrixMemory,
  shape: ColumnShape,
  states: Matrix,
  rows: number,
  rates: EncoderDropout | undefined,
): ColumnTrace {
  const hidden = denseLayer.forward(memory, shape.hidden, states, rows);
  const { outputs } = hidden;
  const mask = rates && dropout(memory, outputs, rows * outputs.row, rates.layers, rates.stream);
  const scores = denseLayer.forward(memory, shape.scores, outputs, rows);
  addPartScores(memory.values, shape, scores.outputs, rows);
  return { hidden, scores, mask };
}

/**
 * Adds the gradients of parameters and states, given the gradients of the labels' scores, which are
 * overwritten.
 */
export function columnBackward(
  memory: MatrixMemory,
  shape: ColumnShape,
  { hidden, scores, mask }: ColumnTrace,
  { outputs, inputs, parameters }: DenseGradients,
): void {
  const mark = memory.mark;
  const { rows } = scores;
  const hiddenGradient = memory.matrix(rows, shape.hidden.outputs);
  sumPartGradients(memory.values, shape, outputs, rows);
  denseLayer.backward(memory, shape.scores, scores, { outputs, inputs: hiddenGradient, parameters });
  if (mask) multiplyInPlace(memory.values, hiddenGradient, mask, rows * hiddenGradient.row);
  denseLayer.backward(memory, shape.hidden, hidden, { outputs: hiddenGradient, inputs, parameters });
  memory.release(mark);
}

/** Adds to the score of each label the scores of its parts. */
function addPartScores(values: Float32Array, shape: ColumnShape, scores: Matrix, rows: number): void {
  if (shape.labelParts.length === 0) return;
  for (let r = 0; r < rows; r++) addParts(values, shape, scores.at + r * scores.row);
}

/** Adds to each label's entry of a row the entries of its parts. */
function addParts(values: Float32Array, { labelParts }: ColumnShape, at: number): void {
  for (let k = 0; k < labelParts.length; k += 2) values[at + labelParts[k]] += values[at + labelParts[k + 1]];
}

/** The gradient of a part is the sum of the gradients of its labels. */
function sumPartGradients(
  values: Float32Array,
  { labelParts }: ColumnShape,
  gradients: Matrix,
  rows: number,
): void {
  for (let r = 0; r < rows; r++) {
    const at = gradients.at + r * gradients.row;
    for (let k = 0; k < labelParts.length; k += 2)
      values[at + labelParts[k + 1]] += values[at + labelParts[k]];
  }
}

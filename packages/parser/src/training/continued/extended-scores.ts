import type { DenseShape } from "@arcwise/neural";
import { type ColumnWidths, differentParts } from "../../scoring/network/column-layers.ts";

/** How far the score of a new label is below the mean of the known labels at first. */
const NEW_LABEL = 2;

/** A layer that scores labels and their parts, with the parameters that it is among. */
export interface LabelScores {
  readonly values: Float32Array;
  readonly layer: DenseShape;
  readonly widths: ColumnWidths;
}

/**
 * Copies the parameters of a layer that scores labels to a layer with more labels. The score of a new label is 2 below the
 * mean score of the known ones, so that the best label stays the same. O(units · labels).
 */
export function extendScores(known: LabelScores, more: LabelScores): void {
  const { inputs } = known.layer;
  for (let r = 0; r <= inputs; r++) {
    const isBias = r === inputs;
    const from = rowAt(known, r);
    const to = rowAt(more, r);
    extendRow(known.values.subarray(from), known.widths, more.values.subarray(to), more.widths, isBias);
  }
}

/** Returns the offset of a row of weights, or of the biases after them. */
function rowAt({ layer: { weights, bias, inputs } }: LabelScores, row: number): number {
  return row === inputs ? bias.at : weights.at + row * weights.row;
}

function extendRow(
  from: Float32Array,
  known: ColumnWidths,
  to: Float32Array,
  more: ColumnWidths,
  isBias: boolean,
): void {
  const partsOf = (values: Float32Array, { labels, parts }: ColumnWidths, label: number) =>
    (parts[label] ?? []).reduce((sum, part) => sum + values[labels + part], 0);
  let sum = 0;
  for (let label = 0; label < known.labels; label++) {
    to[label] = from[label];
    sum += from[label] + partsOf(from, known, label);
  }
  for (let part = 0; part < differentParts(known); part++) to[more.labels + part] = from[known.labels + part];
  const mean = sum / known.labels - (isBias ? NEW_LABEL : 0);
  for (let label = known.labels; label < more.labels; label++) to[label] = mean - partsOf(to, more, label);
}

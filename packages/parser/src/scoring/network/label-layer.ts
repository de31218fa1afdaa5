import { type DenseShape, denseLayer, type PairShape, padded, pairLayer } from "@arcwise/neural";

/** The layers that score the labels of arcs, with their offsets among the parameters. */
export interface LabelShape {
  /** Units of an arc: of its head's states (`first`) and its modifier's (`second`). */
  readonly pair: PairShape;
  /** From units to the scores of labels, `padded(labels)` columns. */
  readonly scores: DenseShape;
}

/** Number of parameters: a multiple of `units`, so that all rows of the network have the same length. */
export function labelLayerSize(inputs: number, units: number, labels: number): number {
  const size = pairLayer.size(inputs, units) + denseLayer.size(units, padded(labels));
  return Math.ceil(size / units) * units;
}

/** The layers at an offset. */
export function labelLayerAt(at: number, inputs: number, units: number, labels: number): LabelShape {
  const scores = denseLayer.at(at + pairLayer.size(inputs, units), units, padded(labels), "none");
  return { pair: pairLayer.at(at, inputs, units), scores };
}

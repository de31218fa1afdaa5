import type { WeightTable } from "@arcwise/core/features";

/** The tables of weights of a model. */
export interface ModelWeights {
  readonly arcs: WeightTable;
  readonly parts: WeightTable;
  /** Undefined where whole trees are not scored. */
  readonly trees: WeightTable | undefined;
}

/** Number of weights of arcs, parts and whole trees, in the order of one vector. */
export interface Dimensions {
  readonly arcs: number;
  readonly parts: number;
  readonly global: number;
}

/** Offset of the weights of whole trees. */
export function firstGlobal({ arcs, parts }: Dimensions): number {
  return arcs + parts;
}

/** Number of all weights. */
export function totalDimension(dimensions: Dimensions): number {
  return firstGlobal(dimensions) + dimensions.global;
}

/** The tables of a model in training: one vector holds all of them. */
export function trainingWeights(values: WeightTable["values"], dimensions: Dimensions): ModelWeights {
  const tableFrom = (first: number) => ({ values, first, scale: 1 });
  return {
    arcs: tableFrom(0),
    parts: tableFrom(dimensions.arcs),
    trees: dimensions.global === 0 ? undefined : tableFrom(firstGlobal(dimensions)),
  };
}

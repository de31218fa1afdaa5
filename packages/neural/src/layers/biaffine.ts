import type { MatrixMemory } from "../matrices.ts";
import { type Matrix, matrix, padded, transposed } from "../matrix.ts";
import { moved } from "../rows.ts";
import { checkWidths } from "./widths.ts";

/** A biaffine form of pairs of rows, with its offsets among the parameters. */
export interface BiaffineShape {
  readonly units: number;
  /** Weights of pairs of a modifier's unit (row) and a head's unit (column). */
  readonly weights: Matrix;
  /** Weights of a head's units, and of the distances from modifier to head. */
  readonly head: Matrix;
  readonly distance: Matrix;
}

/** Distances up to this have separate weights, on each side; longer ones share one. */
const MAX_DISTANCE = 31;
const DISTANCES = 2 * MAX_DISTANCE + 1;

/** Returns the number of parameters: a multiple of `units`, as is the offset of each part. */
export function biaffineSize(units: number): number {
  return (units + 1 + Math.ceil(DISTANCES / units)) * units;
}

/** Returns the layer at an offset. */
export function biaffineAt(at: number, units: number): BiaffineShape {
  checkWidths({ units });
  const head = at + units * units;
  return {
    units,
    weights: matrix(at, units),
    head: matrix(head, units),
    distance: matrix(head + units, DISTANCES),
  };
}

/** Trace of a forward pass over one sequence, for `biaffineBackward`. Rows are positions. */
export interface BiaffineTrace {
  /** Number of positions. */
  readonly length: number;
  readonly heads: Matrix;
  readonly modifiers: Matrix;
  /** Modifiers times weights. */
  readonly products: Matrix;
  /** Score of head h for modifier m in row m and column h. A row has `padded(length)` columns. */
  readonly scores: Matrix;
}

/**
 * Scores all pairs of positions: m' W h + w h + d(h - m), for the units m of a modifier and h of a head and a
 * weight d of their distance (Dozat and Manning 2017). O(n units² + n² units).
 */
export function biaffineForward(
  memory: MatrixMemory,
  shape: BiaffineShape,
  heads: Matrix,
  modifiers: Matrix,
  length: number,
): BiaffineTrace {
  const { units } = shape;
  const columns = padded(length);
  const products = memory.matrix(length, units);
  const scores = memory.matrix(length, columns);
  const headsByUnit = memory.matrix(units, columns);
  memory.multiply(products, modifiers, shape.weights, length, units, units);
  memory.transpose(headsByUnit, heads, length, units);
  const middle = shape.distance.at + MAX_DISTANCE;
  memory.headScores(scores, headsByUnit, shape.head, { length, units, middle, most: MAX_DISTANCE });
  memory.multiply(scores, products, headsByUnit, length, columns, units);
  return { length, heads, modifiers, products, scores };
}

/** Gradients of heads, modifiers and parameters are added to. */
export interface BiaffineGradients {
  /** Laid out as the scores. Row 0 is ignored: position 0 modifies nothing. */
  readonly scores: Matrix;
  readonly heads: Matrix;
  readonly modifiers: Matrix;
  /** Distance from a parameter to its gradient. */
  readonly parameters: number;
}

/**
 * Adds the gradients of parameters, heads and modifiers, given the gradients of the scores. O(n units² + n²
 * units).
 */
export function biaffineBackward(
  memory: MatrixMemory,
  shape: BiaffineShape,
  { length, heads, modifiers, products }: BiaffineTrace,
  { scores: ds, heads: dh, modifiers: dm, parameters }: BiaffineGradients,
): void {
  const { units } = shape;
  const productGradients = memory.matrix(length, units);
  const weightsByHead = memory.matrix(units, units);
  memory.transpose(weightsByHead, shape.weights, units, units);
  memory.multiply(productGradients, ds, heads, length, units, length);
  memory.multiply(dh, transposed(ds), products, length, units, length);
  const weights = moved(shape.weights, parameters);
  memory.multiply(weights, transposed(modifiers), productGradients, units, units, length);
  memory.multiply(dm, productGradients, weightsByHead, length, units, units);
  const { values } = memory;
  const middle = shape.distance.at + parameters + MAX_DISTANCE;
  const head = shape.head.at;
  for (let h = 0; h < length; h++) {
    let alone = 0;
    for (let m = 1; m < length; m++) {
      const gradient = values[ds.at + m * ds.row + h];
      values[middle + clipped(h - m)] += gradient;
      alone += gradient;
    }
    for (let k = 0; k < units; k++) {
      values[head + parameters + k] += alone * values[heads.at + h * units + k];
      values[dh.at + h * units + k] += alone * values[head + k];
    }
  }
}

function clipped(distance: number): number {
  return distance > MAX_DISTANCE ? MAX_DISTANCE : distance < -MAX_DISTANCE ? -MAX_DISTANCE : distance;
}

/** Scores all pairs of two words by a biaffine form of their rows. */
export const biaffineLayer = {
  at: biaffineAt,
  size: biaffineSize,
  forward: biaffineForward,
  backward: biaffineBackward,
} as const;

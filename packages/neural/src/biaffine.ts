import { type Matrix, type MatrixMemory, matrix, padded, transposed } from "./matrices.ts";
import { moved } from "./rows.ts";

/** The last layer, with its places among the parameters. */
export interface BiaffineShape {
  readonly units: number;
  /** Weights of a modifier's unit with a head's: `units` rows. */
  readonly weights: Matrix;
  /** Weights of a head's units alone, and of places of the head before and behind the modifier. */
  readonly head: Matrix;
  readonly distance: Matrix;
}

/** Distances that are told apart on each side. */
const MOST = 31;
const DISTANCES = 2 * MOST + 1;

/** Parameters: a multiple of `units`, as is what lies before each part of them. */
export function biaffineSize(units: number): number {
  return (units + 1 + Math.ceil(DISTANCES / units)) * units;
}

export function biaffineAt(at: number, units: number): BiaffineShape {
  const head = at + units * units;
  return {
    units,
    weights: matrix(at, units),
    head: matrix(head, units),
    distance: matrix(head + units, DISTANCES),
  };
}

/** A sentence in the last layer. Rows are positions from the root (0) on. */
export interface BiaffineTrace {
  /** Positions. */
  readonly length: number;
  readonly heads: Matrix;
  readonly modifiers: Matrix;
  /** Modifiers times weights. */
  readonly turned: Matrix;
  /** Score of head h for modifier m in row m and column h: a row is `padded(length)` long. */
  readonly scores: Matrix;
}

/**
 * Scores of all pairs: m' W h + w h + what the distance from m to h weighs (Dozat and Manning 2017). Those of the root as a
 * modifier and of a word with itself mean nothing. O(n units² + n² units).
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
  const turned = memory.matrix(length, units);
  const scores = memory.matrix(length, columns);
  const upright = memory.matrix(units, columns);
  memory.multiply(turned, modifiers, shape.weights, length, units, units);
  memory.transpose(upright, heads, length, units);
  const { values } = memory;
  const middle = shape.distance.at + MOST;
  for (let h = 0; h < length; h++) {
    let alone = 0;
    for (let k = 0; k < units; k++) alone += values[shape.head.at + k]! * values[heads.at + h * units + k]!;
    for (let m = 0; m < length; m++) {
      values[scores.at + m * columns + h] = alone + values[middle + clipped(h - m)]!;
    }
  }
  memory.multiply(scores, turned, upright, length, columns, units);
  return { length, heads, modifiers, turned, scores };
}

/** Adds the gradients of parameters, heads and modifiers, from those of the scores, in rows as the scores are. */
export function biaffineBackward(
  memory: MatrixMemory,
  shape: BiaffineShape,
  { length, heads, modifiers, turned, scores }: BiaffineTrace,
  slopes: Matrix,
  headSlopes: Matrix,
  modifierSlopes: Matrix,
  gradient: number,
): void {
  const { units } = shape;
  const columns = scores.row;
  const turnedSlopes = memory.matrix(length, units);
  const transposedWeights = memory.matrix(units, units);
  memory.transpose(transposedWeights, shape.weights, units, units);
  memory.multiply(turnedSlopes, slopes, heads, length, units, length);
  memory.multiply(headSlopes, transposed(slopes), turned, length, units, length);
  memory.multiply(moved(shape.weights, gradient), transposed(modifiers), turnedSlopes, units, units, length);
  memory.multiply(modifierSlopes, turnedSlopes, transposedWeights, length, units, units);
  const { values } = memory;
  const middle = shape.distance.at + gradient + MOST;
  const head = shape.head.at;
  for (let h = 0; h < length; h++) {
    let alone = 0;
    for (let m = 1; m < length; m++) {
      const slope = values[slopes.at + m * columns + h]!;
      values[middle + clipped(h - m)]! += slope;
      alone += slope;
    }
    for (let k = 0; k < units; k++) {
      values[head + gradient + k]! += alone * values[heads.at + h * units + k]!;
      values[headSlopes.at + h * units + k]! += alone * values[head + k]!;
    }
  }
}

function clipped(distance: number): number {
  return distance > MOST ? MOST : distance < -MOST ? -MOST : distance;
}

import type { MatrixMemory } from "../matrices.ts";
import { type Matrix, matrix } from "../matrix.ts";
import { checkWidths } from "./widths.ts";

/** A table of vectors, with its offset among the parameters. */
export interface EmbeddingShape {
  /** Number of vectors, one row each. */
  readonly entries: number;
  /** Length of a vector, a multiple of `LANES`. */
  readonly units: number;
  readonly table: Matrix;
}

/**
 * The vectors that are summed for each row: `entries[start[r]]` to before `entries[start[r + 1]]` for row r.
 */
export interface Lookups {
  readonly start: Int32Array;
  readonly entries: Int32Array;
}

/** Returns the shape of an embedding whose parameters begin at an offset. */
export function embeddingAt(at: number, entries: number, units: number): EmbeddingShape {
  checkWidths({ units });
  return { entries, units, table: matrix(at, units) };
}

/** Returns the number of parameters. */
export function embeddingSize(entries: number, units: number): number {
  return entries * units;
}

/** Adds to each row of a matrix the vectors looked up for it. O(lookups · units). */
export function embeddingForward(
  memory: MatrixMemory,
  { units, table }: EmbeddingShape,
  { start, entries }: Lookups,
  into: Matrix,
): void {
  memory.sumRows(into, table, units, start, entries);
}

/** Gradients of the rows that `embeddingForward` wrote, and the distance from a parameter to its gradient. */
export interface EmbeddingGradients {
  readonly outputs: Matrix;
  readonly parameters: number;
}

/**
 * Adds the gradient of each row to the gradients of the vectors that were summed for it. O(lookups · units).
 */
export function embeddingBackward(
  memory: MatrixMemory,
  { units, table }: EmbeddingShape,
  { start, entries }: Lookups,
  { outputs, parameters }: EmbeddingGradients,
): void {
  const { values } = memory;
  const first = table.at + parameters;
  for (let r = 0; r + 1 < start.length; r++) {
    const from = outputs.at + r * outputs.row;
    for (let f = start[r]; f < start[r + 1]; f++) {
      const to = first + entries[f] * units;
      for (let k = 0; k < units; k++) values[to + k] += values[from + k];
    }
  }
}

/** Sums of vectors that are looked up. */
export const embeddingLayer = {
  at: embeddingAt,
  size: embeddingSize,
  forward: embeddingForward,
  backward: embeddingBackward,
} as const;

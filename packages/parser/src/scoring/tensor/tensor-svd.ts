import { random } from "@arcwise/core";

/** A sparse three-way tensor: entry k is `values[k]` at (heads[k], modifiers[k], arcs[k]). */
export interface SparseTensor {
  readonly heads: Int32Array;
  readonly modifiers: Int32Array;
  readonly arcs: Int32Array;
  readonly values: Float64Array;
  /** Sizes of the first two modes, and of the third. */
  readonly words: number;
  readonly arcRows: number;
}

/** A rank-one tensor: `weight` times the outer product of three vectors of length 1. */
export interface RankOne {
  readonly weight: number;
  readonly head: Float64Array;
  readonly modifier: Float64Array;
  readonly arc: Float64Array;
}

/** Additional directions, which increase the accuracy of the others. */
const OVERSAMPLED = 10;
const SUBSPACE_ITERATIONS = 4;
const RANK_ONE_ITERATIONS = 20;

/**
 * Approximates a tensor by a sum of rank-one tensors, as Lei et al. (2014, section 5): a truncated singular
 * value decomposition of the tensor unfolded into a matrix of heads × (modifiers × arcs), then for each right
 * singular vector, as a matrix of modifiers × arcs, its best rank-one approximation.
 *
 * The first is found by subspace iteration (Halko, Martinsson and Tropp 2011), the second by power iteration.
 * Cost: about 10 (rank + 10) passes over the entries, and 5 words · (rank + 10)² for orthogonalisation.
 *
 * @returns `rank` terms or fewer when the tensor has a smaller rank; by falling singular value of the
 *   unfolding
 */
export function decompose(tensor: SparseTensor, rank: number, seed: number): RankOne[] {
  const unfolded = unfold(tensor);
  const vectors = leadingVectors(unfolded, tensor.words, rank, seed);
  const terms: RankOne[] = [];
  for (const head of vectors) {
    const right = timesTransposed(unfolded, head);
    const term = bestRankOne(right, unfolded, tensor);
    if (!(term.weight > 0)) break;
    terms.push({ ...term, head });
  }
  return terms;
}

/**
 * A tensor as a matrix: entry k is at (row[k], column[k]); columns are the pairs of the other modes that
 * occur.
 */
interface Unfolded {
  readonly row: Int32Array;
  readonly column: Int32Array;
  readonly values: Float64Array;
  readonly modifierOf: Int32Array;
  readonly arcOf: Int32Array;
}

function unfold({ heads, modifiers, arcs, values, words, arcRows }: SparseTensor): Unfolded {
  const count = values.length;
  // Columns of pairs that occur, in the order of pairs, so that the entries of a column are contiguous.
  const order = byPair(modifiers, arcs, words, arcRows);
  const row = new Int32Array(count);
  const column = new Int32Array(count);
  const sorted = new Float64Array(count);
  const modifierOf = new Int32Array(count);
  const arcOf = new Int32Array(count);
  let columns = 0;
  for (let place = 0; place < count; place++) {
    const k = order[place]!;
    const starts =
      columns === 0 || modifierOf[columns - 1] !== modifiers[k] || arcOf[columns - 1] !== arcs[k];
    if (starts) {
      modifierOf[columns] = modifiers[k]!;
      arcOf[columns++] = arcs[k]!;
    }
    row[place] = heads[k]!;
    column[place] = columns - 1;
    sorted[place] = values[k]!;
  }
  return {
    row,
    column,
    values: sorted,
    modifierOf: modifierOf.slice(0, columns),
    arcOf: arcOf.slice(0, columns),
  };
}

/** The entries ordered by modifier, then by arc: two stable counting sorts. O(entries + words + arcRows). */
function byPair(modifiers: Int32Array, arcs: Int32Array, words: number, arcRows: number): Int32Array {
  const unsorted = Int32Array.from({ length: arcs.length }, (_, k) => k);
  return sortedBy(modifiers, words, sortedBy(arcs, arcRows, unsorted));
}

function sortedBy(keys: Int32Array, range: number, order: Int32Array): Int32Array {
  const start = new Int32Array(range + 1);
  for (let k = 0; k < keys.length; k++) start[keys[k]! + 1]!++;
  for (let key = 0; key < range; key++) start[key + 1]! += start[key]!;
  const sorted = new Int32Array(order.length);
  for (let place = 0; place < order.length; place++) sorted[start[keys[order[place]!]!]!++] = order[place]!;
  return sorted;
}

/** Returns the leading left singular vectors of a matrix with this number of rows. */
function leadingVectors(matrix: Unfolded, rows: number, rank: number, seed: number): Float64Array[] {
  const stream = random(seed);
  const width = Math.min(rank + OVERSAMPLED, rows);
  const start = Array.from({ length: width }, () =>
    Float64Array.from({ length: rows }, () => stream.normal()),
  );
  let basis = orthonormal(start);
  for (let iteration = 0; iteration < SUBSPACE_ITERATIONS; iteration++) {
    basis = orthonormal(basis.map((vector) => timesGram(matrix, vector, rows)));
  }
  const images = basis.map((vector) => timesGram(matrix, vector, rows));
  const { values, vectors } = symmetricEigen(basis.map((a) => Float64Array.from(images, (b) => dot(a, b))));
  const order = values
    .map((_, i) => i)
    .sort((i, j) => values[j]! - values[i]!)
    .slice(0, rank);
  const least = 1e-12 * Math.max(0, ...values);
  return order.filter((i) => values[i]! > least).map((i) => combine(basis, vectors, i, rows));
}

/** The sum over j of `coefficients[j][i]` times vector j. */
function combine(
  basis: readonly Float64Array[],
  coefficients: readonly Float64Array[],
  i: number,
  rows: number,
) {
  const sum = new Float64Array(rows);
  for (const [j, vector] of basis.entries()) addScaled(sum, vector, coefficients[j]![i]!);
  return sum;
}

/** Aᵀ x. */
function timesTransposed({ row, column, values, modifierOf }: Unfolded, x: Float64Array): Float64Array {
  const product = new Float64Array(modifierOf.length);
  for (let k = 0; k < row.length; k++) product[column[k]!]! += values[k]! * x[row[k]!]!;
  return product;
}

/** A Aᵀ x. */
function timesGram(matrix: Unfolded, x: Float64Array, rows: number): Float64Array {
  const { row, column, values } = matrix;
  const image = timesTransposed(matrix, x);
  const product = new Float64Array(rows);
  for (let k = 0; k < row.length; k++) product[row[k]!]! += values[k]! * image[column[k]!]!;
  return product;
}

/** Returns the best rank-one approximation of a matrix of modifiers × arcs, given by its entries. */
function bestRankOne(
  entries: Float64Array,
  { modifierOf, arcOf }: Unfolded,
  { words, arcRows }: SparseTensor,
): Omit<RankOne, "head"> {
  const modifier = new Float64Array(words);
  const arc = new Float64Array(arcRows).fill(1 / Math.sqrt(arcRows));
  // The uniform vector may be orthogonal to the matrix: begin with the longest column instead.
  const lengths = new Float64Array(arcRows);
  for (let k = 0; k < entries.length; k++) lengths[arcOf[k]!]! += entries[k]! ** 2;
  arc[lengths.indexOf(Math.max(...lengths))]! += 1;
  let weight = 0;
  for (let iteration = 0; iteration < RANK_ONE_ITERATIONS; iteration++) {
    modifier.fill(0);
    for (let k = 0; k < entries.length; k++) modifier[modifierOf[k]!]! += entries[k]! * arc[arcOf[k]!]!;
    normalize(modifier);
    arc.fill(0);
    for (let k = 0; k < entries.length; k++) arc[arcOf[k]!]! += entries[k]! * modifier[modifierOf[k]!]!;
    weight = normalize(arc);
  }
  return { weight, modifier, arc };
}

/**
 * Returns orthonormal vectors that span the same space, by Gram-Schmidt done twice; dependent ones are
 * omitted.
 */
function orthonormal(vectors: readonly Float64Array[]): Float64Array[] {
  const basis: Float64Array[] = [];
  for (const vector of vectors) {
    const before = normalize(vector);
    for (let pass = 0; pass < 2; pass++) {
      for (const other of basis) addScaled(vector, other, -dot(vector, other));
    }
    if (before > 0 && normalize(vector) > 1e-10) basis.push(vector);
  }
  return basis;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

function addScaled(into: Float64Array, vector: Float64Array, scale: number): void {
  for (let i = 0; i < into.length; i++) into[i]! += scale * vector[i]!;
}

/** Scales a vector to length 1, unless it is 0. Returns the original length. */
function normalize(vector: Float64Array): number {
  const length = Math.sqrt(dot(vector, vector));
  if (length > 0) for (let i = 0; i < vector.length; i++) vector[i]! /= length;
  return length;
}

const MAX_SWEEPS = 50;

/**
 * Computes eigenvalues and eigenvectors (columns of `vectors`) of a symmetric matrix, by cyclic Jacobi
 * rotations (Golub and Van Loan, section 8.5). Changes the matrix. O(n³) a sweep; there are about ten.
 */
function symmetricEigen(matrix: Float64Array[]): { values: number[]; vectors: Float64Array[] } {
  const n = matrix.length;
  const vectors = matrix.map((_, i) => new Float64Array(n).fill(1, i, i + 1));
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    let largest = 0;
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) {
        const share = Math.abs(matrix[p]![q]!) / Math.sqrt(Math.abs(matrix[p]![p]! * matrix[q]![q]!) || 1);
        if (share < 1e-14) continue;
        largest = Math.max(largest, share);
        rotate(matrix, vectors, p, q);
      }
    }
    if (largest === 0) break;
  }
  return { values: matrix.map((row, i) => row[i]!), vectors };
}

/** Rotates rows and columns p and q such that their common entry becomes 0. */
function rotate(
  matrix: readonly Float64Array[],
  vectors: readonly Float64Array[],
  p: number,
  q: number,
): void {
  const theta = (matrix[q]![q]! - matrix[p]![p]!) / (2 * matrix[p]![q]!);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  const rowP = matrix[p]!;
  const rowQ = matrix[q]!;
  for (const row of [...matrix, ...vectors]) {
    const a = row[p]!;
    const b = row[q]!;
    row[p] = c * a - s * b;
    row[q] = s * a + c * b;
  }
  for (let k = 0; k < rowP.length; k++) {
    const a = rowP[k]!;
    const b = rowQ[k]!;
    rowP[k] = c * a - s * b;
    rowQ[k] = s * a + c * b;
  }
}

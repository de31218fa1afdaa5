/**
 * The inverse of a symmetric matrix [0 1; 1 M] that grows and shrinks by one row and column at a time.
 *
 * Row and column 0 are the border; `count` is the number of rows of M. The inverse is symmetric: entry i, j
 * <= i, is at `entries[i * stride + j]`, and the others are not stored.
 */
export class BorderedInverse {
  #entries = new Float64Array(25);
  #stride = 5;

  /** Resets the matrix to one row, whose entry in M is `own`. */
  start(own: number): void {
    this.#entries[0] = -own;
    this.#entries[this.#stride] = 1;
    this.#entries[this.#stride + 1] = 0;
  }

  /** Writes the inverse of the first `count` rows, times `column`, to `product`. O(count²). */
  multiply(count: number, column: Float64Array, product: Float64Array): void {
    const entries = this.#entries;
    const stride = this.#stride;
    for (let i = 0, row = 0; i <= count; i++, row += stride) {
      const own = column[i];
      let sum = 0;
      for (let j = 0; j < i; j++) {
        const entry = entries[row + j];
        sum += entry * column[j];
        product[j] += entry * own;
      }
      product[i] = sum + entries[row + i] * own;
    }
  }

  /**
   * Extends the inverse of `count` rows by one. O(count²).
   *
   * @param image the inverse times the new column of the matrix
   * @param rest the Schur complement of the new row
   */
  border(count: number, image: Float64Array, rest: number): void {
    const entries = this.#entries;
    const stride = this.#stride;
    const scale = 1 / rest;
    const last = (count + 1) * stride;
    for (let i = 0, row = 0; i <= count; i++, row += stride) {
      const factor = image[i] * scale;
      for (let j = 0; j <= i; j++) entries[row + j] += factor * image[j];
      entries[last + i] = -factor;
    }
    entries[last + count + 1] = scale;
  }

  /**
   * Removes the last row, `end`, and updates `target`, the inverse times some column. Returns false when the
   * row is too small for the rest to be exact. O(end²).
   */
  removeLast(end: number, target: Float64Array): boolean {
    const entries = this.#entries;
    const stride = this.#stride;
    const last = end * stride;
    const scale = 1 / entries[last + end];
    const own = target[end] * scale;
    for (let i = 0, row = 0; i < end; i++, row += stride) {
      target[i] -= own * entries[last + i];
      const factor = entries[last + i] * scale;
      for (let j = 0; j <= i; j++) entries[row + j] -= factor * entries[last + j];
    }
    return Number.isFinite(scale);
  }

  /** Exchanges rows and columns a <= b, where b is the last. O(b). */
  swap(a: number, b: number): void {
    if (a === b) return;
    const entries = this.#entries;
    const stride = this.#stride;
    const rowA = a * stride;
    const rowB = b * stride;
    for (let j = 0; j < a; j++) {
      const kept = entries[rowA + j];
      entries[rowA + j] = entries[rowB + j];
      entries[rowB + j] = kept;
    }
    for (let j = a + 1; j < b; j++) {
      const kept = entries[j * stride + a];
      entries[j * stride + a] = entries[rowB + j];
      entries[rowB + j] = kept;
    }
    const corner = entries[rowA + a];
    entries[rowA + a] = entries[rowB + b];
    entries[rowB + b] = corner;
  }

  /** Changes the length of rows to `stride` and preserves the first `count` rows. */
  grow(count: number, stride: number): void {
    const grown = new Float64Array(stride * stride);
    for (let i = 0; i <= count; i++) {
      for (let j = 0; j <= i; j++) grown[i * stride + j] = this.#entries[i * this.#stride + j];
    }
    this.#entries = grown;
    this.#stride = stride;
  }
}

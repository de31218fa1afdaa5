/** The largest byte. */
const LARGEST = 127;

/** Maximum scale of a row in a model file: sums of products of three such numbers fit into 32-bit floats. */
export const MAX_ROW_SCALE = 2 ** 16;

/** Numbers as bytes, with a scale for each row of `width`. */
export interface ByteRows {
  readonly values: Int8Array;
  readonly scales: Float32Array;
  readonly width: number;
}

/**
 * Rounds numbers to bytes, with a scale for each row of `width` of them: the number that a byte of 1 stands
 * for. O(numbers).
 *
 * @param what name of the numbers in messages
 * @param largest the byte of the number of largest magnitude in a row; fewer different bytes take less space
 */
export function quantizeRows(
  numbers: Float32Array,
  width: number,
  what: string,
  largest = LARGEST,
): ByteRows {
  const scales = new Float32Array(numbers.length / width);
  const values = new Int8Array(numbers.length);
  for (let row = 0; row < scales.length; row++) {
    let magnitude = 0;
    for (let i = row * width; i < (row + 1) * width; i++) {
      if (!Number.isFinite(numbers[i])) {
        throw new RangeError(`number ${i} of the ${what}: expected a finite one, got ${numbers[i]}`);
      }
      magnitude = Math.max(magnitude, Math.abs(numbers[i]));
    }
    scales[row] = magnitude / largest;
    if (scales[row] === 0) continue;
    // The scale was rounded to 32 bits, so the largest number could exceed a byte.
    for (let i = row * width; i < (row + 1) * width; i++) {
      values[i] = Math.max(-largest, Math.min(largest, Math.round(numbers[i] / scales[row])));
    }
  }
  return { values, scales, width };
}

/** Restores the numbers from bytes. O(numbers). */
export function restoreRows({ values, scales, width }: ByteRows, into: Float32Array): void {
  for (let row = 0; row < scales.length; row++) {
    for (let i = row * width; i < (row + 1) * width; i++) into[i] = values[i] * scales[row];
  }
}

/**
 * `quantizeRows` of learned parameters, for a model file.
 *
 * @param largest see `quantizeRows`
 */
export function quantizeParameters(
  numbers: Float32Array,
  width: number,
  what: string,
  largest = LARGEST,
): ReturnType<typeof quantizeRows> {
  const rows = quantizeRows(numbers, width, what, largest);
  const wrong = rows.scales.find((scale) => scale > MAX_ROW_SCALE);
  if (wrong === undefined) return rows;
  throw new RangeError(`expected ${what} up to ${MAX_ROW_SCALE * largest}, got ${wrong * largest}`);
}

/**
 * Smallest magnitude of a byte of a sparse weight of arcs, parts or labels. A third of the bytes that are not 0 are 1 or -1:
 * without them, attachment scores change by less than 0.1 points and files are a fifth smaller.
 */
export const MIN_BYTE = 2;

/**
 * Entropy coding of vectors of bytes, most of which are 0, such as tables of weights: the number of zeros
 * before each other value, and that value. What follows a value depends on the column that it is in: columns
 * are labels or distances, which are used with very different frequencies.
 *
 *     u16       number of columns
 *     code      see `symbols.ts`: from the first entry to the last, a number of zeros below 255, and the value
 *               after them, if there is one; 255 stands for as many zeros and whatever follows them. The context
 *               of a number of zeros is the column where they begin; all values share the last context.
 */
import {
  advanced,
  codeLength,
  isFinished,
  LOWEST,
  readSymbolCode,
  SYMBOLS,
  SymbolEncoder,
  TOTAL,
} from "./symbols.ts";

/** Maximum number of columns. */
const MAX_COLUMNS = 256;
/** Up to here, each number of columns is tried; after it, multiples of `COLUMN_STEP`: lines have such lengths. */
const FEW_COLUMNS = 32;
const COLUMN_STEP = 8;
/** Stands for as many zeros, and whatever follows. */
const MORE = SYMBOLS - 1;
/** Maximum number of values by which the number of columns is chosen. */
const SAMPLE = 2 ** 16;

/** Encodes a vector. O(entries). */
export function encodeRuns(vector: Int8Array): Uint8Array {
  const values = valueOffsets(vector);
  const columns = chooseColumns(values);
  const counts = new Uint32Array((columns + 1) * SYMBOLS);
  countZeros(counts, columns, values, 0, values.length);
  for (const offset of values) counts[columns * SYMBOLS + (vector[offset] & 255)]++;
  let from = values.length === 0 ? 0 : values.at(-1)! + 1;
  for (; vector.length - from >= MORE; from += MORE) counts[(from % columns) * SYMBOLS + MORE]++;
  if (from < vector.length) counts[(from % columns) * SYMBOLS + vector.length - from]++;

  const encoder = new SymbolEncoder(counts);
  let end = vector.length;
  for (let k = values.length - 1; k >= -1; k--) {
    const start = k < 0 ? 0 : values[k] + 1;
    addZeros(encoder, columns, start, end, end < vector.length);
    if (k < 0) break;
    end = values[k];
    encoder.add(columns, vector[end] & 255);
  }
  const bytes = encoder.bytes(2);
  new DataView(bytes.buffer).setUint16(0, columns, true);
  return bytes;
}

/** Adds the numbers of zeros from `start` to before `end`, after which a value follows or nothing. */
function addZeros(
  encoder: SymbolEncoder,
  columns: number,
  start: number,
  end: number,
  followed: boolean,
): void {
  const rest = (end - start) % MORE;
  const last = end - rest;
  if (followed || rest > 0) encoder.add(last % columns, rest);
  for (let from = last - MORE; from >= start; from -= MORE) encoder.add(from % columns, MORE);
}

/**
 * Decodes a vector of known length into one of zeros. O(values other than zero): some twenty nanoseconds each.
 *
 * @returns whether the bytes encode such a vector
 */
export function decodeRuns(bytes: Uint8Array, into: Int8Array): boolean {
  const columns = (bytes[0] ?? 0) + 256 * (bytes[1] ?? 0);
  if (columns < 1 || columns > MAX_COLUMNS) return false;
  const code = readSymbolCode(bytes, 2, columns + 1);
  if (code === undefined) return false;
  const { slots } = code;
  const values = columns * TOTAL;
  // The remainders of all sums of a column and a number of zeros: a division takes longer than a step.
  const remainders = Uint8Array.from({ length: columns + MORE + 1 }, (_, sum) => sum % columns);
  let { state, offset } = code;
  for (let at = 0, column = 0; at < into.length; ) {
    const slot = slots[column * TOTAL + (state & (TOTAL - 1))];
    const zeros = slot & MORE;
    state = advanced(state, slot);
    while (state < LOWEST) state = (state << 8) | bytes[offset++];
    at += zeros;
    if (at > into.length) return false;
    column = remainders[column + zeros];
    if (zeros === MORE || at === into.length) continue;
    const value = slots[values + (state & (TOTAL - 1))];
    into[at++] = value;
    column = remainders[column + 1];
    state = advanced(state, value);
    while (state < LOWEST) state = (state << 8) | bytes[offset++];
  }
  return isFinished(bytes, state, offset);
}

/** Returns the offsets of the values other than 0. */
function valueOffsets(vector: Int8Array): Int32Array {
  let count = 0;
  for (let i = 0; i < vector.length; i++) if (vector[i] !== 0) count++;
  const offsets = new Int32Array(count);
  for (let i = 0, k = 0; k < count; i++) if (vector[i] !== 0) offsets[k++] = i;
  return offsets;
}

/** Counts the numbers of zeros before the values from number `first` to before `end`, by column. */
function countZeros(
  counts: Uint32Array,
  columns: number,
  values: Int32Array,
  first: number,
  end: number,
): void {
  let from = first === 0 ? 0 : values[first - 1] + 1;
  for (let k = first; k < end; k++) {
    const value = values[k];
    for (; value - from >= MORE; from += MORE) counts[(from % columns) * SYMBOLS + MORE]++;
    counts[(from % columns) * SYMBOLS + value - from]++;
    from = value + 1;
  }
}

/** Returns the number of columns with the smallest code, by values from the middle. O(sample). */
function chooseColumns(values: Int32Array): number {
  let best = 1;
  let least = Infinity;
  const length = Math.min(values.length, SAMPLE);
  const first = (values.length - length) >> 1;
  // With few values, the tables of many columns are longer than what they save.
  const most = Math.min(MAX_COLUMNS, 1 + (values.length >> 7));
  for (let columns = 1; columns <= most; columns += columns < FEW_COLUMNS ? 1 : COLUMN_STEP) {
    const counts = new Uint32Array(columns * SYMBOLS);
    countZeros(counts, columns, values, first, first + length);
    const size = codeLength(counts, values.length / length);
    if (size < least) [best, least] = [columns, size];
  }
  return best;
}

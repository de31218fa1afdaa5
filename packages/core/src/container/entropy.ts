/**
 * Entropy coding of bytes by asymmetric numeral systems (Duda 2013), the variant with a range a symbol.
 *
 * Entries are coded in columns: entry i by the frequencies of the entries j with j = i modulo the number of
 * columns. In tables of weights, a column is a label or a distance, which are used with very different
 * frequencies.
 *
 *     u16       number of columns
 *     columns   for each the number of its values less 1 (u8), and for each value, ascending, its byte (i8)
 *               and its frequency (u16); frequencies of a column sum to 4096
 *     u32       final state of the encoder
 *     stream    bytes in the order in which the decoder reads them
 *
 * Numbers are little-endian. The decoder ends in the state in which the encoder began.
 */

/** Frequencies of a column sum to 2^PRECISION. */
const PRECISION = 12;
const TOTAL = 2 ** PRECISION;
/** Number of different bytes. */
const SYMBOLS = 256;
/** States are from this one to before 256 times it. */
const LOWEST = 2 ** 23;
/** Maximum number of columns. */
const MAX_COLUMNS = 256;
/** Tables have columns by multiples of this, see `lineLength`. */
const COLUMN_STEP = 8;
/** Number of entries by which the number of columns is chosen. */
const SAMPLE = 2 ** 19;

/** Frequencies of the values of each column, which sum to `TOTAL`, and the sums of those before. */
interface Frequencies {
  readonly columns: number;
  /** Of value s (as a byte without sign) of column c at `SYMBOLS c + s`. */
  readonly frequency: Uint16Array;
  readonly first: Uint16Array;
}

/** Encodes a vector that is not empty. O(entries). */
export function encodeEntropy(vector: Int8Array): Uint8Array {
  const frequencies = frequenciesOf(countValues(vector, 0, vector.length, columnsOf(vector)));
  const { columns, frequency, first } = frequencies;
  // The decoder reads backwards what the encoder writes.
  let stream = new Uint8Array(vector.length + 16);
  let at = stream.length;
  let state = LOWEST;
  for (let i = vector.length - 1, column = i % columns; i >= 0; i--) {
    const symbol = column * SYMBOLS + (vector[i]! & 255);
    const own = frequency[symbol]!;
    while (state >= own * 2 ** (31 - PRECISION)) {
      if (at === 0) {
        const grown = new Uint8Array(2 * stream.length);
        at = stream.length;
        grown.set(stream, at);
        stream = grown;
      }
      stream[--at] = state & 255;
      state >>>= 8;
    }
    const quotient = Math.floor(state / own);
    state = quotient * TOTAL + (state - quotient * own) + first[symbol]!;
    column = column === 0 ? columns - 1 : column - 1;
  }
  const table = tableBytes(frequencies);
  const bytes = new Uint8Array(table.length + 4 + stream.length - at);
  bytes.set(table);
  new DataView(bytes.buffer).setUint32(table.length, state, true);
  bytes.set(stream.subarray(at), table.length + 4);
  return bytes;
}

/**
 * Decodes a vector of known length. O(entries): some ten nanoseconds an entry where most are the most
 * frequent value of their column, as in sparse tables, and twice that in columns without such a value.
 *
 * @returns whether the bytes encode such a vector
 */
export function decodeEntropy(bytes: Uint8Array, into: Int8Array): boolean {
  const read = readTable(bytes);
  if (read === undefined || read.end + 4 > bytes.length) return false;
  const { frequencies, end } = read;
  const { columns, frequency, first } = frequencies;
  const valueAt = valuesOf(frequencies);
  // The slots of all columns do not fit the processor's nearest cache: the most frequent values are found
  // without them.
  const usual = usualValues(frequencies);
  let state = new DataView(bytes.buffer, bytes.byteOffset).getUint32(end, true);
  if (state < LOWEST || state >= LOWEST * 256) return false;
  let offset = end + 4;
  let column = 0;
  for (let i = 0; i < into.length; i++) {
    const slot = state & (TOTAL - 1);
    const own = usual[3 * column + 1]!;
    const rest = slot - usual[3 * column]!;
    if (rest >= 0 && rest < own) {
      state = Math.imul(own, state >>> PRECISION) + rest;
      into[i] = usual[3 * column + 2]!;
    } else {
      const value = valueAt[column * TOTAL + slot]!;
      const symbol = column * SYMBOLS + value;
      state = Math.imul(frequency[symbol]!, state >>> PRECISION) + slot - first[symbol]!;
      into[i] = value;
    }
    while (state < LOWEST) {
      if (offset === bytes.length) return false;
      state = (state << 8) | bytes[offset++]!;
    }
    column = column === columns - 1 ? 0 : column + 1;
  }
  return state === LOWEST && offset === bytes.length;
}

/** Counts the values of each column in a range whose beginning is a multiple of `columns`. O(entries). */
function countValues(vector: Int8Array, from: number, to: number, columns: number): Uint32Array {
  const counts = new Uint32Array(columns * SYMBOLS);
  for (let i = from, column = 0; i < to; i++) {
    counts[column * SYMBOLS + (vector[i]! & 255)]!++;
    column = column === columns - 1 ? 0 : column + 1;
  }
  return counts;
}

/** Returns the number of columns with the smallest code, by a sample from the middle. O(sample). */
function columnsOf(vector: Int8Array): number {
  let best = 1;
  let least = Infinity;
  const length = Math.min(vector.length, SAMPLE);
  for (let columns = 1; columns <= MAX_COLUMNS; columns += columns === 1 ? COLUMN_STEP - 1 : COLUMN_STEP) {
    const from = Math.floor((vector.length - length) / 2 / columns) * columns;
    const counts = countValues(vector, from, from + length, columns);
    const size = (vector.length / length) * codeLength(counts) + 24 * distinct(counts);
    if (size < least) [best, least] = [columns, size];
  }
  return best;
}

/** Returns the number of bits of entries with these counts. */
function codeLength(counts: Uint32Array): number {
  let bits = 0;
  for (let from = 0; from < counts.length; from += SYMBOLS) {
    let sum = 0;
    for (let s = from; s < from + SYMBOLS; s++) {
      const count = counts[s]!;
      sum += count;
      if (count > 0) bits -= count * Math.log2(count);
    }
    if (sum > 0) bits += sum * Math.log2(sum);
  }
  return bits;
}

function distinct(counts: Uint32Array): number {
  return counts.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0);
}

/** Scales the counts of each column to a sum of `TOTAL`, at least 1 for each value that occurs. */
function frequenciesOf(counts: Uint32Array): Frequencies {
  const columns = counts.length / SYMBOLS;
  const frequency = new Uint16Array(counts.length);
  for (let from = 0; from < counts.length; from += SYMBOLS) {
    const own = counts.subarray(from, from + SYMBOLS);
    const sum = own.reduce((a, b) => a + b, 0);
    const scaled = frequency.subarray(from, from + SYMBOLS);
    if (sum === 0) scaled[0] = TOTAL;
    else
      for (let s = 0; s < SYMBOLS; s++) scaled[s] = own[s] === 0 ? 0 : Math.max(1, (own[s]! / sum) * TOTAL);
    balance(scaled);
  }
  return { columns, frequency, first: startsOf(frequency) };
}

/** Changes the largest frequencies so that the sum is `TOTAL`. */
function balance(scaled: Uint16Array): void {
  let missing = TOTAL - scaled.reduce((a, b) => a + b, 0);
  while (missing !== 0) {
    let largest = 0;
    for (let s = 1; s < SYMBOLS; s++) if (scaled[s]! > scaled[largest]!) largest = s;
    // No frequency is taken below 1: the largest one is above the mean, 16.
    const change = Math.max(missing, 8 - scaled[largest]!);
    scaled[largest]! += change;
    missing -= change;
  }
}

/** Returns for each value the sum of the frequencies of those before it in its column. */
function startsOf(frequency: Uint16Array): Uint16Array {
  const first = new Uint16Array(frequency.length);
  for (let s = 0; s < frequency.length; s++) {
    first[s] = s % SYMBOLS === 0 ? 0 : first[s - 1]! + frequency[s - 1]!;
  }
  return first;
}

/** Returns for each column its most frequent value: the first of its slots, their number, and the value. */
function usualValues({ columns, frequency, first }: Frequencies): Int32Array {
  const usual = new Int32Array(3 * columns);
  for (let column = 0; column < columns; column++) {
    const from = column * SYMBOLS;
    let best = from;
    for (let s = from + 1; s < from + SYMBOLS; s++) if (frequency[s]! > frequency[best]!) best = s;
    usual.set([first[best]!, frequency[best]!, best - from], 3 * column);
  }
  return usual;
}

/** Returns the value of each slot of each column. */
function valuesOf({ columns, frequency, first }: Frequencies): Uint8Array {
  const values = new Uint8Array(columns * TOTAL);
  for (let s = 0; s < frequency.length; s++) {
    const from = Math.floor(s / SYMBOLS) * TOTAL + first[s]!;
    values.fill(s % SYMBOLS, from, from + frequency[s]!);
  }
  return values;
}

function tableBytes({ columns, frequency }: Frequencies): Uint8Array {
  const bytes: number[] = [columns & 255, columns >> 8];
  for (let from = 0; from < frequency.length; from += SYMBOLS) {
    const own = frequency.subarray(from, from + SYMBOLS);
    bytes.push(own.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0) - 1);
    for (const [s, count] of own.entries()) if (count > 0) bytes.push(s, count & 255, count >> 8);
  }
  return Uint8Array.from(bytes);
}

/** Reads the frequencies; undefined when they are none. */
function readTable(
  bytes: Uint8Array,
): { readonly frequencies: Frequencies; readonly end: number } | undefined {
  const number = (at: number) => (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0);
  const columns = number(0);
  if (columns < 1 || columns > MAX_COLUMNS) return undefined;
  const frequency = new Uint16Array(columns * SYMBOLS);
  let offset = 2;
  for (let column = 0; column < columns; column++) {
    const values = (bytes[offset++] ?? 0) + 1;
    let sum = 0;
    let before = -1;
    for (let k = 0; k < values; k++, offset += 3) {
      const value = bytes[offset] ?? 0;
      const own = number(offset + 1);
      if (value <= before || own === 0) return undefined;
      frequency[column * SYMBOLS + value] = own;
      sum += own;
      before = value;
    }
    if (sum !== TOTAL) return undefined;
  }
  return { frequencies: { columns, frequency, first: startsOf(frequency) }, end: offset };
}

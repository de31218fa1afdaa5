import { log } from "../arithmetic/index.ts";

/**
 * Entropy coding of bytes by asymmetric numeral systems (Duda 2013), the variant with a range a symbol. Each
 * symbol is coded by the frequencies of its context, such as the column of a table that it is in.
 *
 *     tables    for each context the number of its symbols less 1 (u8), and for each symbol, ascending, the
 *               symbol (u8) and its frequency (u16); frequencies of a context sum to 4096
 *     u32       state in which the encoder ended
 *     stream    bytes in the order in which the decoder reads them
 *
 * Numbers are little-endian. The decoder ends in the state in which the encoder began.
 */

/** Frequencies of a context sum to 2^PRECISION. */
const PRECISION = 12;
export const TOTAL = 2 ** PRECISION;
/** Number of different symbols. */
export const SYMBOLS = 256;
/** States are from this one to before 256 times it. */
export const LOWEST = 2 ** 23;

/** Frequencies of the symbols of each context, which sum to `TOTAL`, and the sums of those before. */
interface Frequencies {
  /** Of symbol s of context c at `SYMBOLS c + s`. */
  readonly frequency: Uint16Array;
  readonly first: Uint16Array;
}

/** Encodes symbols from the last to the first. */
export class SymbolEncoder {
  readonly #frequencies: Frequencies;
  /** Filled from its end, since the decoder reads backwards what the encoder writes. */
  #stream = new Uint8Array(2 ** 16);
  #at = this.#stream.length;
  #state = LOWEST;

  /** @param counts of symbol s in context c at `SYMBOLS c + s` */
  constructor(counts: Uint32Array) {
    this.#frequencies = scaledCounts(counts);
  }

  /** Adds the symbol before those that were added. O(1) amortised. */
  add(context: number, symbol: number): void {
    const { frequency, first } = this.#frequencies;
    const index = context * SYMBOLS + symbol;
    const range = frequency[index];
    while (this.#state >= range * 2 ** (31 - PRECISION)) {
      if (this.#at === 0) this.#grow();
      this.#stream[--this.#at] = this.#state & 255;
      this.#state >>>= 8;
    }
    const quotient = Math.floor(this.#state / range);
    this.#state = quotient * TOTAL + (this.#state - quotient * range) + first[index];
  }

  /** Returns the tables, the state and the stream, after `start` bytes for the caller. */
  bytes(start: number): Uint8Array {
    const tables = tableBytes(this.#frequencies);
    const stream = this.#stream.subarray(this.#at);
    const bytes = new Uint8Array(start + tables.length + 4 + stream.length);
    bytes.set(tables, start);
    new DataView(bytes.buffer).setUint32(start + tables.length, this.#state, true);
    bytes.set(stream, start + tables.length + 4);
    return bytes;
  }

  #grow(): void {
    const grown = new Uint8Array(2 * this.#stream.length);
    this.#at = this.#stream.length;
    grown.set(this.#stream, this.#at);
    this.#stream = grown;
  }
}

/**
 * The initial state of a decoder. Its step is spelt out in the loops of `entropy.ts` and `runs.ts`, whose local
 * variables engines keep in registers: a table of millions of entries is decoded at the start of every program.
 *
 *     slot = slots[context * TOTAL + state % TOTAL]
 *     symbol = slot & 255
 *     state = advanced(state, slot), and while it is below LOWEST, state * 256 + bytes[offset++]
 *
 * A state is at least 2^11 after a step, so that two bytes are read at most: bytes beyond the end count as 0.
 */
export interface SymbolCode {
  /** For each slot of each context: its symbol, from bit 8 on the frequency less 1, from bit 20 on the slots before. */
  readonly slots: Uint32Array;
  readonly state: number;
  /** Offset of the stream. */
  readonly offset: number;
}

/** Returns the code that follows the first `start` bytes; undefined if there is none. O(contexts). */
export function readSymbolCode(bytes: Uint8Array, start: number, contexts: number): SymbolCode | undefined {
  const slots = new Uint32Array(contexts * TOTAL);
  let offset = start;
  for (let context = 0; context < contexts; context++) {
    const next = readFrequencies(bytes, offset, slots.subarray(context * TOTAL, (context + 1) * TOTAL));
    if (next === undefined) return undefined;
    offset = next;
  }
  if (offset + 4 > bytes.length) return undefined;
  const state = new DataView(bytes.buffer, bytes.byteOffset).getUint32(offset, true);
  if (state < LOWEST || state >= LOWEST * 256) return undefined;
  return { slots, state, offset: offset + 4 };
}

/** Reads the frequencies of a context into its slots; returns the offset after them, undefined where the bytes are not frequencies. */
function readFrequencies(bytes: Uint8Array, start: number, slots: Uint32Array): number | undefined {
  const count = (bytes[start] ?? 0) + 1;
  let offset = start + 1;
  let first = 0;
  for (let k = 0, before = -1; k < count; k++, offset += 3) {
    const symbol = bytes[offset] ?? 0;
    const range = (bytes[offset + 1] ?? 0) + 256 * (bytes[offset + 2] ?? 0);
    if (symbol <= before || range === 0 || first + range > TOTAL) return undefined;
    const slot = symbol | ((range - 1) << 8);
    for (let place = 0; place < range; place++) slots[first + place] = slot | (place << 20);
    first += range;
    before = symbol;
  }
  return first === TOTAL ? offset : undefined;
}

/** Returns the state after a step, before bytes are read. */
export function advanced(state: number, slot: number): number {
  return Math.imul(((slot >>> 8) & (TOTAL - 1)) + 1, state >>> PRECISION) + (slot >>> 20);
}

/** Returns whether exactly the symbols that were encoded have been read. */
export function isFinished(bytes: Uint8Array, state: number, offset: number): boolean {
  return state === LOWEST && offset === bytes.length;
}

/**
 * Returns about the number of bits of symbols of which a sample has these counts, and of their tables. The
 * entropy of a sample is too low by half a nat for each different symbol of a context (Miller 1955).
 *
 * @param factor number of all symbols by the number in the sample
 */
export function codeLength(counts: Uint32Array, factor: number): number {
  let code = 0;
  let tables = 0;
  const correction = 0.5 / Math.LN2;
  for (let from = 0; from < counts.length; from += SYMBOLS) {
    let sum = 0;
    for (let s = from; s < from + SYMBOLS; s++) {
      const count = counts[s];
      if (count === 0) continue;
      sum += count;
      code += correction - (count * log(count)) / Math.LN2;
      tables += 24;
    }
    if (sum > 0) code += (sum * log(sum)) / Math.LN2;
  }
  return factor * code + tables;
}

/** Scales the counts of each context to a sum of `TOTAL`, at least 1 for each symbol that occurs. */
function scaledCounts(counts: Uint32Array): Frequencies {
  const frequency = new Uint16Array(counts.length);
  for (let from = 0; from < counts.length; from += SYMBOLS) {
    const context = counts.subarray(from, from + SYMBOLS);
    const sum = context.reduce((a, b) => a + b, 0);
    const scaled = frequency.subarray(from, from + SYMBOLS);
    if (sum === 0) scaled[0] = TOTAL;
    else
      for (let s = 0; s < SYMBOLS; s++)
        scaled[s] = context[s] === 0 ? 0 : Math.max(1, (context[s] / sum) * TOTAL);
    balance(scaled);
  }
  return { frequency, first: sumsBefore(frequency) };
}

/** Changes the largest frequencies so that the sum is `TOTAL`. */
function balance(scaled: Uint16Array): void {
  let missing = TOTAL - scaled.reduce((a, b) => a + b, 0);
  while (missing !== 0) {
    let largest = 0;
    for (let s = 1; s < SYMBOLS; s++) if (scaled[s] > scaled[largest]) largest = s;
    // No frequency is taken below 1: the largest one is above the mean, 16.
    const change = Math.max(missing, 8 - scaled[largest]);
    scaled[largest] += change;
    missing -= change;
  }
}

/** Returns for each symbol the sum of the frequencies of those before it in its context. */
function sumsBefore(frequency: Uint16Array): Uint16Array {
  const first = new Uint16Array(frequency.length);
  for (let s = 0; s < frequency.length; s++) {
    first[s] = s % SYMBOLS === 0 ? 0 : first[s - 1] + frequency[s - 1];
  }
  return first;
}

function tableBytes({ frequency }: Frequencies): Uint8Array {
  const bytes: number[] = [];
  for (let from = 0; from < frequency.length; from += SYMBOLS) {
    const context = frequency.subarray(from, from + SYMBOLS);
    bytes.push(context.reduce((sum, range) => sum + (range > 0 ? 1 : 0), 0) - 1);
    for (const [s, range] of context.entries()) if (range > 0) bytes.push(s, range & 255, range >> 8);
  }
  return Uint8Array.from(bytes);
}

/**
 * A stream of pseudo-random numbers that depends on its seed alone: the same on every machine. The generator
 * is sfc32 (Chris Doty-Humphrey, PractRand): 128 bits of state, period about 2^127.
 */
export interface Random {
  /** Uniform in [0, 1), with 53 random bits. */
  next(): number;
  /**
   * Uniform integer in 0..bound - 1.
   *
   * @throws RangeError unless 1 <= bound <= 2^32
   */
  int(bound: number): number;
  /** Uniform 32-bit unsigned integer. */
  uint32(): number;
  /** Standard normal (Marsaglia's polar method), from arithmetic that every engine rounds alike. */
  normal(): number;
  /** Shuffles the array in place (Fisher-Yates) and returns it. */
  shuffle<T extends { length: number; [index: number]: unknown }>(items: T): T;
  /**
   * Returns an independent stream for a worker, shard or sentence; it does not depend on how much of this one
   * was used. Forks of forks are independent too: `fork(1).fork(2)` is not `fork(2).fork(1)`.
   *
   * @throws RangeError unless its number is a safe integer >= 0
   */
  fork(stream: number): Random;
}

/** Returns a random stream from an integer seed (its lower 53 bits count). */
export function random(seed: number): Random {
  if (!Number.isSafeInteger(seed)) throw new RangeError(`a seed must be a safe integer, got ${seed}`);
  return stream(seed | 0, Math.floor(seed / 2 ** 32) | 0, 0);
}

/** Where the counter starts for the keys of forks; streams start at 1. */
const FORK = 0x40000000;

/** Makes a generator of 32-bit words from a key of 96 bits. */
function generator(a: number, b: number, c: number, counter: number): () => number {
  function uint32(): number {
    const t = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return t >>> 0;
  }
  // The first outputs still correlate with the key.
  for (let i = 0; i < 15; i++) uint32();
  return uint32;
}

function stream(keyA: number, keyB: number, keyC: number): Random {
  const uint32 = generator(keyA, keyB, keyC, 1);

  function next(): number {
    return ((uint32() >>> 5) * 2 ** 26 + (uint32() >>> 6)) / 2 ** 53;
  }

  function int(bound: number): number {
    if (!Number.isInteger(bound) || bound < 1 || bound > 2 ** 32) {
      throw new RangeError(`bound must be an integer from 1 to 2^32, got ${bound}`);
    }
    // Values below the remainder would favour small results: draw again.
    const remainder = 2 ** 32 % bound;
    let value = uint32();
    while (value < remainder) value = uint32();
    return value % bound;
  }

  function normal(): number {
    for (;;) {
      const u = 2 * next() - 1;
      const v = 2 * next() - 1;
      const s = u * u + v * v;
      if (s > 0 && s < 1) return u * Math.sqrt((-2 * logarithm(s)) / s);
    }
  }

  function shuffle<T extends { length: number; [index: number]: unknown }>(items: T): T {
    for (let i = items.length - 1; i > 0; i--) {
      const j = int(i + 1);
      const item = items[i];
      items[i] = items[j];
      items[j] = item;
    }
    return items;
  }

  function fork(index: number): Random {
    if (!Number.isSafeInteger(index) || index < 0) {
      throw new RangeError(`a fork's number must be a safe integer >= 0, got ${index}`);
    }
    const low = index | 0;
    const high = Math.floor(index / 2 ** 32) | 0;
    // Mixed once before the stream number is added, so that neighbouring seeds and streams do not coincide.
    const parent = generator(keyA, keyB, keyC, FORK);
    const child = generator(parent() ^ low, parent() ^ high, parent() | 0, FORK);
    return stream(child() | 0, child() | 0, child() | 0);
  }

  return { next, int, uint32, normal, shuffle, fork };
}

/**
 * Returns the natural logarithm of x in (0, 1). Engines may differ in the last bit of `Math.log`; they round
 * sums, products and quotients alike. Uses the series of 2 atanh((x - 1) / (x + 1)), with x brought near 1 by
 * doubling.
 */
function logarithm(x: number): number {
  let doublings = 0;
  for (; x < Math.SQRT1_2; x *= 2) doublings++;
  const z = (x - 1) / (x + 1);
  const square = z * z;
  let sum = 0;
  for (let k = 21; k >= 1; k -= 2) sum = sum * square + 1 / k;
  return 2 * z * sum - doublings * Math.LN2;
}

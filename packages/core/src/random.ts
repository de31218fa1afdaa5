/**
 * A stream of pseudo-random numbers that depends on its seed alone: the same on every machine.
 * The generator is sfc32 (Chris Doty-Humphrey, PractRand): 128 bits of state, period about 2^127.
 */
export interface Random {
  /** Uniform in [0, 1), with 53 random bits. */
  next(): number;
  /** Uniform integer in 0..bound - 1. @throws RangeError unless 1 <= bound <= 2^32 */
  int(bound: number): number;
  /** Uniform 32-bit unsigned integer. */
  uint32(): number;
  /** Standard normal (Marsaglia's polar method). */
  normal(): number;
  /** Shuffles the array in place (Fisher-Yates) and returns it. */
  shuffle<T extends { length: number; [index: number]: unknown }>(items: T): T;
  /** A stream of its own for a worker, shard or sentence: independent of how much of this one was used. */
  fork(stream: number): Random;
}

/** A random stream from an integer seed (its lower 53 bits count). */
export function random(seed: number): Random {
  if (!Number.isSafeInteger(seed)) throw new RangeError(`a seed must be a safe integer, got ${seed}`);
  return stream(seed | 0, Math.floor(seed / 2 ** 32) | 0, 0);
}

function stream(seedLow: number, seedHigh: number, fork: number): Random {
  let a = seedLow;
  let b = seedHigh;
  let c = fork;
  let counter = 1;

  function uint32(): number {
    const t = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return t >>> 0;
  }
  // The first outputs still look like the seed.
  for (let i = 0; i < 15; i++) uint32();

  function next(): number {
    return ((uint32() >>> 5) * 2 ** 26 + (uint32() >>> 6)) / 2 ** 53;
  }

  function int(bound: number): number {
    if (!Number.isInteger(bound) || bound < 1 || bound > 2 ** 32) {
      throw new RangeError(`bound must be an integer from 1 to 2^32, got ${bound}`);
    }
    // Values under the remainder would favour small results: draw again.
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
      if (s > 0 && s < 1) return u * Math.sqrt((-2 * Math.log(s)) / s);
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

  return {
    next,
    int,
    uint32,
    normal,
    shuffle,
    fork: (index) => stream(seedLow ^ Math.imul(index + 1, 0x9e3779b1), seedHigh, fork + index + 1),
  };
}

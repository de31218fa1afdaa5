import type { UdText, Words } from "./ud-text.ts";

/** An alignment of gold words and system words. */
export interface Alignment {
  /** Index of the system word of each gold word, -1 = none. */
  readonly systemOf: Int32Array;
  /** Number of aligned pairs. */
  readonly pairs: number;
}

/**
 * Aligns the words of two analyses of one text (Zeman et al. 2018, section 6.1). Outside of multiword tokens,
 * words are aligned when they cover the same characters. Around multiword tokens, the smallest stretch of
 * text that splits no multiword token of either side is aligned by the longest common subsequence of its
 * lower-case forms.
 *
 * Cost: O(words); for a stretch with g gold and s system words, O(g s) time and g s bits.
 */
export function alignWords(gold: UdText, system: UdText): Alignment {
  const aligner = new Aligner(gold.words, system.words);
  aligner.run();
  return aligner;
}

/** Words `gold .. goldEnd - 1` and `system .. systemEnd - 1`, over the same text. */
interface Stretch {
  readonly gold: number;
  readonly goldEnd: number;
  readonly system: number;
  readonly systemEnd: number;
}

class Aligner implements Alignment {
  readonly systemOf: Int32Array;
  pairs = 0;
  readonly #gold: Words;
  readonly #system: Words;

  constructor(gold: Words, system: Words) {
    this.#gold = gold;
    this.#system = system;
    this.systemOf = new Int32Array(gold.count).fill(-1);
  }

  run(): void {
    const gold = this.#gold;
    const system = this.#system;
    let g = 0;
    let s = 0;
    while (g < gold.count && s < system.count) {
      if (gold.inRange[g] === 1 || system.inRange[s] === 1) {
        const stretch = this.#stretchAt(g, s);
        this.#alignStretch(stretch);
        g = stretch.goldEnd;
        s = stretch.systemEnd;
      } else if (gold.start[g] === system.start[s] && gold.end[g] === system.end[s]) {
        this.#pair(g++, s++);
      } else if (gold.start[g]! <= system.start[s]!) g++;
      else s++;
    }
  }

  #pair(g: number, s: number): void {
    this.systemOf[g] = s;
    this.pairs++;
  }

  /** Returns the stretch that begins at two words of which at least one belongs to a multiword token. */
  #stretchAt(g: number, s: number): Stretch {
    const gold = this.#gold;
    const system = this.#system;
    const fromGold = gold.inRange[g] === 1;
    const end = fromGold ? gold.end[g]! : system.end[s]!;
    // A single word that starts before the multiword token of the other side is not part of the stretch.
    if (fromGold && system.inRange[s] === 0 && system.start[s]! < gold.start[g]!) s++;
    if (!fromGold && gold.start[g]! < system.start[s]!) g++;
    return this.#grow(g, s, end);
  }

  /** Adds all words before the end, which each multiword token that begins before it may extend. */
  #grow(gold0: number, system0: number, end: number): Stretch {
    const gold = this.#gold;
    const system = this.#system;
    let g = gold0;
    let s = system0;
    while (!(isBeyond(gold, g, end) && isBeyond(system, s, end))) {
      if (g < gold.count && (s >= system.count || gold.start[g]! <= system.start[s]!)) {
        if (gold.inRange[g] === 1 && gold.end[g]! > end) end = gold.end[g]!;
        g++;
      } else {
        if (system.inRange[s] === 1 && system.end[s]! > end) end = system.end[s]!;
        s++;
      }
    }
    return { gold: gold0, goldEnd: g, system: system0, systemEnd: s };
  }

  /**
   * Aligns a stretch by a longest common subsequence of its forms. Among several, takes the one that pairs
   * equal forms at the first opportunity and otherwise skips gold words first.
   */
  #alignStretch({ gold, goldEnd: g1, system, systemEnd: s1 }: Stretch): void {
    let g0 = gold;
    let s0 = system;
    const goldForm = this.#gold.form;
    const systemForm = this.#system.form;
    while (g0 < g1 && s0 < s1 && goldForm[g0] === systemForm[s0]) this.#pair(g0++, s0++);
    if (g0 === g1 || s0 === s1) return;
    const skipGold = this.#skipGold(g0, g1, s0, s1);
    const width = s1 - s0;
    let g = g0;
    let s = s0;
    while (g < g1 && s < s1) {
      const cell = (g - g0) * width + (s - s0);
      if (goldForm[g] === systemForm[s]) this.#pair(g++, s++);
      else if ((skipGold[Math.floor(cell / 8)]! >> (cell & 7)) & 1) g++;
      else s++;
    }
  }

  /**
   * Returns one bit per cell (g, s): whether skipping gold word g does not shorten the longest common
   * subsequence.
   */
  #skipGold(g0: number, g1: number, s0: number, s1: number): Uint8Array {
    const goldForm = this.#gold.form;
    const systemForm = this.#system.form;
    const width = s1 - s0;
    const bits = new Uint8Array(Math.ceil(((g1 - g0) * width) / 8));
    // Lengths of the subsequences of the suffixes from (g + 1, s), overwritten from the right by those from
    // (g, s).
    const lengths = new Int32Array(width + 1);
    for (let g = g1 - 1; g >= g0; g--) {
      const form = goldForm[g]!;
      const row = (g - g0) * width;
      let diagonal = 0;
      for (let s = width - 1; s >= 0; s--) {
        const below = lengths[s]!;
        let length = Math.max(below, lengths[s + 1]!);
        if (form === systemForm[s0 + s]) length = Math.max(length, diagonal + 1);
        if (length === below) bits[Math.floor((row + s) / 8)]! |= 1 << ((row + s) & 7);
        lengths[s] = length;
        diagonal = below;
      }
    }
    return bits;
  }
}

/** Returns whether a word lies behind a stretch that ends at an offset. */
function isBeyond(words: Words, word: number, end: number): boolean {
  if (word >= words.count) return true;
  return words.inRange[word] === 1 ? words.start[word]! >= end : words.end[word]! > end;
}

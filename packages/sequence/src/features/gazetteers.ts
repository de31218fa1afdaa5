import { normalizeText, type Sentence } from "@arcwise/core";
import { ModelError } from "@arcwise/core/container";
import { extend, hashString } from "@arcwise/core/features";
import { indexOf, type KeyIndex } from "./hash-index.ts";

/** Number of lists of names that templates can name: `list1` to `list8`. */
export const MAX_GAZETTEERS = 8;
/** Maximum number of words of a name. */
export const MAX_NAME_WORDS = 32;

/** A list of names. */
export interface Gazetteer {
  /** Names of one or several words, with spaces between the words. */
  readonly names: readonly string[];
  /** Whether `PARIS` and `paris` are `Paris`. Default: false. */
  readonly ignoreCase?: boolean | undefined;
}

/** A list of names as hashes. Plain data. */
export interface GazetteerData {
  readonly ignoreCase: boolean;
  /** Number of words of the longest name. */
  readonly longest: number;
  /** One code per name, ascending. */
  readonly keys: Int32Array;
  /** Codes of the first words of names of several words, ascending. */
  readonly first: Int32Array;
}

const SEED = 0x6761;

/** Returns the codes of the names of a list. O(characters). */
export function gazetteerData({ names, ignoreCase = false }: Gazetteer): GazetteerData {
  if (names.length === 0) throw new RangeError("expected a list of at least one name, got none");
  const keys = new Set<number>();
  const first = new Set<number>();
  let longest = 0;
  for (const [k, name] of names.entries()) {
    const words = name.trim().split(/\s+/u);
    if (words[0] === "" || words.length > MAX_NAME_WORDS) {
      throw new RangeError(
        `name ${k + 1} of a list: expected 1 to ${MAX_NAME_WORDS} words, got ${JSON.stringify(name)}`,
      );
    }
    const codes = words.map((word) => wordCode(word, ignoreCase));
    keys.add(codes.reduce(extend, SEED));
    if (codes.length > 1) first.add(extend(SEED, codes[0]));
    longest = Math.max(longest, codes.length);
  }
  return { ignoreCase, longest, keys: ascending(keys), first: ascending(first) };
}

function ascending(codes: ReadonlySet<number>): Int32Array {
  return Int32Array.from(codes).sort();
}

function wordCode(form: string, ignoreCase: boolean): number {
  return hashString(normalizeText(ignoreCase ? form.toLowerCase() : form));
}

/** The position of a word in a name: 0 outside, 1 the first word, 2 another one. */
export type NamePosition = 0 | 1 | 2;

/** Finds the names of a list in sentences. Two sequences of words have the same code with probability 2^-32. */
export class GazetteerIndex {
  readonly data: GazetteerData;
  readonly #names: KeyIndex;
  readonly #first: KeyIndex;

  constructor(data: GazetteerData) {
    checkAscending(data.keys);
    checkAscending(data.first);
    this.data = data;
    this.#names = indexOf(data.keys);
    this.#first = indexOf(data.first);
  }

  /** Returns the codes of words, for `positions` and `isFirst`. */
  codes(sentence: Sentence): Int32Array {
    return Int32Array.from(sentence, ({ form }) => wordCode(form, this.data.ignoreCase));
  }

  /**
   * Returns the position of each word in the names of the sentence. Names are found from the left, the longest
   * first, and do not overlap. O(n words of the longest name).
   */
  positions(codes: Int32Array): NamePosition[] {
    const { longest } = this.data;
    const positions = new Array<NamePosition>(codes.length).fill(0);
    for (let i = 0; i < codes.length; i++) {
      let key = SEED;
      let end = i;
      const last = Math.min(codes.length, i + longest);
      for (let j = i; j < last; j++) {
        key = extend(key, codes[j]);
        if (this.#names.find(key) >= 0) end = j + 1;
      }
      if (end === i) continue;
      positions.fill(2, i, end);
      positions[i] = 1;
      i = end - 1;
    }
    return positions;
  }

  /** Returns whether a word begins a name of several words. */
  isFirst(code: number): boolean {
    return this.#first.find(extend(SEED, code)) >= 0;
  }
}

function checkAscending(codes: Int32Array): void {
  for (let k = 1; k < codes.length; k++) {
    if (codes[k] <= codes[k - 1]) throw new ModelError("damaged tagger file: a list is not ascending");
  }
}

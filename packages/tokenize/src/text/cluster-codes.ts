import { normalizeText } from "@arcwise/core";
import { hashString } from "@arcwise/core/features";
import { CLASSES, classOf } from "./character-classes.ts";

/** The bit of the codes of characters that have several code points in normal form C. */
const COMPOSED = 2 ** 30;
const CLASS_SHIFT = 20;
const CLASS_MASK = 2 ** 9 - 1;
const HASH_MASK = 2 ** CLASS_SHIFT - 1;
/** Entries of the cache, which a text in many scripts would otherwise fill. */
const MAX_KNOWN = 4096;
/** An emoji presentation selector, or the mark of a keycap. */
const EMOJI = /[\ufe0f\u20e3]/;
const FACE = 0x1f600;

/** Returns whether a code stands for several code points. */
export function isComposed(code: number): boolean {
  return code >= COMPOSED;
}

/** Returns the class of a character by its code, 0 to `CLASSES` - 1. */
export function classOfCode(code: number): number {
  return isComposed(code) ? (code >> CLASS_SHIFT) & CLASS_MASK : classOf(code);
}

/** Returns the number of the pair of classes of two characters by their codes, 0 to `CLASSES`² - 1. */
export function spacedPair(before: number, after: number): number {
  return classOfCode(before) * CLASSES + classOfCode(after);
}

/**
 * Numbers grapheme clusters: the code of one that is a single code point in normal form C is that code point;
 * otherwise it has the class of the first code point, or of an emoji, and a hash. The codes are the same on
 * every engine whose `normalize` knows the characters.
 */
export class ClusterCodes {
  readonly #known = new Map<string, number>();

  /** Returns the code of a cluster. */
  codeOf(cluster: string): number {
    let code = this.#known.get(cluster);
    if (code === undefined) {
      if (this.#known.size >= MAX_KNOWN) this.#known.clear();
      code = clusterCode(normalizeText(cluster));
      this.#known.set(cluster, code);
    }
    return code;
  }
}

function clusterCode(text: string): number {
  const first = text.codePointAt(0)!;
  if (text.length === (first > 0xffff ? 2 : 1)) return first;
  const own = classOf(EMOJI.test(text) ? FACE : first);
  return COMPOSED | (own << CLASS_SHIFT) | (hashString(text) & HASH_MASK);
}

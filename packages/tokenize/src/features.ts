import { codeOf, extend, hashString, shapeOf } from "@arcwise/core/features";
import type { FeatureKeys } from "./network/feature-index.ts";
import { type Characters, readingOf } from "./text/character-reader.ts";
import { classOfCode } from "./text/cluster-codes.ts";

/**
 * Features of a character: itself; its class and whether spaces are around it; itself with the next one;
 * the classes of both and of the one before. `minimum`: how often a key occurs in training at least;
 * `unknown`: how often training replaces it by the unknown one.
 */
export const CHARACTER_FEATURES = { kinds: 4, minimum: [3, 1, 3, 3], unknown: [0.02, 0, 0.1, 0.02] } as const;

/** Seeds of the hashes of the kinds of features. */
const SEED = 0x70;

/** Returns the key of a character itself. */
export function characterKey(code: number): number {
  return codeOf(SEED, code);
}

/** Returns the keys of the features of all characters. O(length). */
export function characterKeys({ length, code, space, paragraph }: Characters): FeatureKeys {
  const { kinds } = CHARACTER_FEATURES;
  const keys = new Int32Array(length * kinds);
  for (let i = 0; i < length; i++) {
    const at = i * kinds;
    const isLast = i + 1 === length || paragraph[i + 1] === 1;
    const isFirst = i === 0 || paragraph[i] === 1;
    const before = isFirst || space[i]! !== 0 ? 1 : 0;
    const after = isLast || space[i + 1]! !== 0 ? 1 : 0;
    const own = classOfCode(code[i]!);
    const next = isLast ? -1 : classOfCode(code[i + 1]!);
    const previous = isFirst ? -1 : classOfCode(code[i - 1]!);
    const spaces = 2 * before + after;
    keys[at] = characterKey(code[i]!);
    keys[at + 1] = codeOf(SEED + 1, 4 * own + spaces);
    keys[at + 2] = extend(codeOf(SEED + 2, code[i]!), codeOf(after, isLast ? -1 : code[i + 1]!));
    keys[at + 3] = extend(extend(codeOf(SEED + 3, own), codeOf(spaces, next)), codeOf(0, previous));
  }
  return { kinds, keys };
}

/**
 * Features of a token: its form in lower case; its last three letters; its shape, with whether spaces are
 * around it; its shape alone; its last two letters with the first.
 */
export const TOKEN_FEATURES = {
  kinds: 5,
  minimum: [2, 2, 2, 2, 2],
  unknown: [0.2, 0.1, 0.02, 0.02, 0.1],
} as const;

/**
 * Returns the keys of the features of tokens. O(characters).
 *
 * @param ends index after the last character of each token; the first one begins with the first character
 */
export function tokenKeys(characters: Characters, ends: ArrayLike<number>): FeatureKeys {
  const { kinds } = TOKEN_FEATURES;
  const keys = new Int32Array(ends.length * kinds);
  for (let t = 0, start = 0; t < ends.length; start = ends[t++]!) {
    const end = ends[t]!;
    const form = readingOf(characters, start, end);
    const lower = form.toLowerCase();
    const shape = hashString(shapeOf(form));
    const isLast = end >= characters.length || characters.paragraph[end] === 1;
    const spaces =
      (characters.space[start]! !== 0 ? 1 : 0) + (isLast || characters.space[end]! !== 0 ? 2 : 0);
    const edges = 4 * (start === 0 ? 1 : characters.paragraph[start]!) + (isLast ? 8 : 0);
    const at = t * kinds;
    keys[at] = hashString(lower, SEED + 10);
    keys[at + 1] = hashString(lower.slice(-3), SEED + 11);
    keys[at + 2] = extend(codeOf(SEED + 12, spaces + edges), shape);
    keys[at + 3] = extend(codeOf(SEED + 13, 0), shape);
    keys[at + 4] = hashString(lower.slice(-2) + lower.slice(0, 1), SEED + 14);
  }
  return { kinds, keys };
}

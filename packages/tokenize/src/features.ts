import { codeOf, extend, hashString, shapeOf } from "@arcwise/core/features";
import type { FeatureKeys } from "./network/feature-index.ts";
import type { Span } from "./network/windows.ts";
import { type Characters, readingOf } from "./text/character-reader.ts";
import { classOfCode } from "./text/cluster-codes.ts";

/**
 * Features of a character: itself; its class and whether spaces are around it; itself with the next one;
 * the classes of both and of the one before. `minimum`: how often a key occurs in training at least;
 * `unknown`: how often training replaces it by the unknown one.
 */
export const CHARACTER_FEATURES = { kinds: 4, minimum: [3, 1, 3, 3], unknown: [0.02, 0, 0.1, 0.02] } as const;

/** How often training replaces a feature of the characters or runs around a character by the unknown one. */
const UNKNOWN = 0.2;

/**
 * The features of a character where many tokens have spaces or several words: `CHARACTER_FEATURES`,
 * and the keys that `addContextKeys` adds.
 */
export const WIDE_CHARACTER_FEATURES = {
  kinds: 9,
  minimum: [3, 1, 3, 3, 2, 2, 2, 2, 2],
  unknown: [0.02, 0, 0.1, 0.02, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN],
} as const;

/** Seeds of the hashes of the kinds of features. */
const SEED = 0x70;

/** Returns the key of a character itself. */
export function characterKey(code: number): number {
  return codeOf(SEED, code);
}

/** The value of a missing run or character. */
const NONE = -1;

/** Returns the key of a character and the next one, with 1 for a space between them. */
export function pairKey(code: number, space: number, next: number): number {
  return extend(codeOf(SEED + 2, code), codeOf(space, next));
}

/**
 * Returns the keys of the features of all characters. O(length).
 *
 * @param isWide whether with the features of `WIDE_CHARACTER_FEATURES`
 */
export function characterKeys(characters: Characters, isWide = false): FeatureKeys {
  const { length, code, space, paragraph } = characters;
  const { kinds } = isWide ? WIDE_CHARACTER_FEATURES : CHARACTER_FEATURES;
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
    keys[at + 2] = pairKey(code[i]!, after, isLast ? NONE : code[i + 1]!);
    keys[at + 3] = extend(extend(codeOf(SEED + 3, own), codeOf(spaces, next)), codeOf(0, previous));
  }
  if (isWide) addContextKeys(characters, keys);
  return { kinds, keys };
}

/** Characters between spaces. */
interface Run extends Span {
  readonly hash: number;
  /** Hashes of the runs before it and after it in its paragraph. */
  readonly before: number;
  readonly after: readonly [number, number];
}

/** Returns the runs of characters between spaces. O(length). */
function runsOf(characters: Characters): Run[] {
  const { length, space, paragraph } = characters;
  const found: { readonly from: number; readonly end: number; readonly hash: number }[] = [];
  for (let from = 0, i = 1; i <= length; i++) {
    if (i < length && space[i]! === 0 && paragraph[i] !== 1) continue;
    const hash = hashString(readingOf(characters, from, i).toLowerCase(), SEED + 20);
    found.push({ from, end: i, hash });
    from = i;
  }
  /** The hash of run r if it is in the paragraph of the run next to it. */
  const following = (r: number) =>
    r < found.length && paragraph[found[r]!.from] !== 1 ? found[r]!.hash : NONE;
  return found.map((run, r) => {
    const before = r > 0 && paragraph[run.from] !== 1 ? found[r - 1]!.hash : NONE;
    const next = following(r + 1);
    return { ...run, before, after: [next, next === NONE ? NONE : following(r + 2)] };
  });
}

/**
 * Adds the last keys of `WIDE_CHARACTER_FEATURES`: at the last character of a run between spaces, the run, the
 * next one, both, the run with the one before, and the next two; at others, the run with the offset in it, and
 * two to four characters before and after. O(length).
 */
function addContextKeys(characters: Characters, keys: Int32Array): void {
  const { kinds } = WIDE_CHARACTER_FEATURES;
  const { code } = characters;
  for (const { from, end, hash, before, after } of runsOf(characters)) {
    const [next, second] = after;
    const at = (i: number) => (i < from || i >= end ? NONE : characterKey(code[i]!));
    const add = (i: number, parts: readonly (readonly number[])[]) => {
      for (const [p, part] of parts.entries()) {
        const seed = SEED + 4 + p;
        keys[i * kinds + CHARACTER_FEATURES.kinds + p] = part.reduce(extend, codeOf(seed, part.length));
      }
    };
    for (let i = from; i + 1 < end; i++) {
      const [here, one, two, three] = [at(i), at(i + 1), at(i + 2), at(i + 3)];
      const [last, other] = [at(i - 1), at(i - 2)];
      add(i, [
        [i - from, hash],
        [one, two, three],
        [other, last, here],
        [at(i - 3), other, last, here],
        [one, two, three, at(i + 4)],
      ]);
    }
    add(end - 1, [[hash], [next], [hash, next], [before, hash], [next, second]]);
  }
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
    // No space comes before a text, as before a line of one: its tokens are the same.
    const isFirst = start === 0 || characters.paragraph[start] === 1;
    const spaces =
      (isFirst || characters.space[start]! !== 0 ? 1 : 0) + (isLast || characters.space[end]! !== 0 ? 2 : 0);
    const edges = (isFirst ? 4 : 0) + (isLast ? 8 : 0);
    const at = t * kinds;
    keys[at] = hashString(lower, SEED + 10);
    keys[at + 1] = hashString(lower.slice(-3), SEED + 11);
    keys[at + 2] = extend(codeOf(SEED + 12, spaces + edges), shape);
    keys[at + 3] = extend(codeOf(SEED + 13, 0), shape);
    keys[at + 4] = hashString(lower.slice(-2) + lower.slice(0, 1), SEED + 14);
  }
  return { kinds, keys };
}

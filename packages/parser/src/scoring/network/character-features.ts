import { codeOf, hashString } from "@arcwise/core/features";

/** The name of the template of characters among the templates of a network. */
export const CHARACTERS = "characters";

/** Longest prefix and suffix, and lengths of the sequences of characters anywhere in a form. */
const PREFIX = 4;
const SUFFIX = 6;
const SEQUENCES = [3, 4] as const;
/** Forms of this many characters or more are of the same length. */
const LONG = 12;
/** Longest form whose sequences are features; longer forms are not words. */
const LONGEST = 64;
/** Seeds of the hashes of each kind of feature. */
const SEED = { form: 0x11, length: 0x12, prefix: 0x13, suffix: 0x14, sequence: 0x15 } as const;
/** Maximum number of forms whose codes are remembered. */
const MAX_REMEMBERED = 2 ** 16;

/** The codes of a form. */
export interface FormCodes {
  /** That of the form with its capitals. */
  readonly form: number;
  /** Those of its length, prefixes, suffixes and sequences of characters in lower case, each once. */
  readonly others: Int32Array;
}

/**
 * Returns the features of the characters of forms, as 32-bit codes, and remembers them. They let a network know words that
 * it has not seen. O(characters).
 */
export function characterFeatures(): (form: string) => FormCodes {
  const remembered = new Map<string, FormCodes>();
  return (form) => {
    const known = remembered.get(form);
    if (known !== undefined) return known;
    const codes = { form: hashString(form, SEED.form), others: Int32Array.from(new Set(codesOf(form))) };
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(form, codes);
    return codes;
  };
}

function codesOf(form: string): number[] {
  const characters = Array.from(form.toLowerCase()).slice(0, LONGEST);
  const { length } = characters;
  const text = `\u0002${characters.join("")}\u0003`;
  /** Where each character of the text begins, and where it ends. */
  const start = [0];
  for (let k = 0; k <= length; k++) start.push(start[k] + (k === 0 ? 1 : characters[k - 1].length));
  start.push(text.length);
  const codes = [codeOf(SEED.length, Math.min(length, LONG))];
  const add = (seed: number, from: number, end: number) =>
    codes.push(hashString(text, seed, start[from], start[end]));
  for (let k = 1; k <= PREFIX && k < length; k++) add(SEED.prefix, 1, k + 1);
  for (let k = 1; k <= SUFFIX && k < length; k++) add(SEED.suffix, length - k + 1, length + 1);
  for (const k of SEQUENCES) {
    for (let i = 0; i + k <= length + 2; i++) add(SEED.sequence, i, i + k);
  }
  return codes;
}

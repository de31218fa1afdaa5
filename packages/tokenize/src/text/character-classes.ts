/**
 * Classes of characters: general category and script, which stand for characters that training has not seen.
 */

/** General categories, the frequent ones first. */
const CATEGORIES = [
  ["Ll", /\p{Ll}/u],
  ["Lu", /\p{Lu}/u],
  ["Lo", /\p{Lo}/u],
  ["Nd", /\p{Nd}/u],
  ["Po", /\p{Po}/u],
  ["Pd", /\p{Pd}/u],
  ["Ps", /\p{Ps}/u],
  ["Pe", /\p{Pe}/u],
  ["Pi", /\p{Pi}/u],
  ["Pf", /\p{Pf}/u],
  ["Pc", /\p{Pc}/u],
  ["M", /\p{M}/u],
  ["Lt", /\p{Lt}/u],
  ["Lm", /\p{Lm}/u],
  ["No", /\p{No}/u],
  ["Nl", /\p{Nl}/u],
  ["Sm", /\p{Sm}/u],
  ["Sc", /\p{Sc}/u],
  ["Sk", /\p{Sk}/u],
  ["So", /\p{So}/u],
  ["Cf", /\p{Cf}/u],
  ["Cs", /\p{Cs}/u],
] as const;

/** Scripts whose words are not separated by spaces, or that differ in how sentences end. */
const SCRIPTS = [
  /\p{Script=Latin}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Han}/u,
  /\p{Script=Hiragana}/u,
  /\p{Script=Katakana}/u,
  /\p{Script=Hangul}/u,
  /\p{Script=Thai}/u,
  /\p{Script=Lao}/u,
  /\p{Script=Khmer}/u,
  /\p{Script=Myanmar}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Devanagari}/u,
  /\p{Script=Gothic}/u,
] as const;

/** Number of classes: one for each pair of category and script, others included. */
export const CLASSES = (CATEGORIES.length + 1) * (SCRIPTS.length + 1);

const known = new Map<number, number>();
/** Entries of the cache, which a text in many scripts would otherwise fill with all of Unicode. */
const MAX_KNOWN = 4096;

/** Returns the class of a code point, 0 to `CLASSES` - 1; a lone surrogate also has a class. */
export function classOf(codePoint: number): number {
  const found = known.get(codePoint);
  if (found !== undefined) return found;
  const text = String.fromCodePoint(codePoint);
  const category = CATEGORIES.findIndex(([, pattern]) => pattern.test(text)) + 1;
  const script = SCRIPTS.findIndex((pattern) => pattern.test(text)) + 1;
  const value = category * (SCRIPTS.length + 1) + script;
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(codePoint, value);
  return value;
}

/** Returns whether a code point separates tokens: white space or a control character. O(1). */
export function isSpace(code: number): boolean {
  if (code < 0x1680) return code <= 0x20 || (code >= 0x7f && code <= 0xa0);
  if (code === 0x1680 || code === 0x3000 || code === 0xfeff || code === 0x202f || code === 0x205f)
    return true;
  return (code >= 0x2000 && code <= 0x200a) || code === 0x2028 || code === 0x2029;
}

/** Returns how many lines a space ends: 2 begin a paragraph. */
export function lineEnds(code: number): number {
  if (code === 0x2029) return 2;
  return (code >= 0x0a && code <= 0x0d) || code === 0x85 || code === 0x2028 ? 1 : 0;
}

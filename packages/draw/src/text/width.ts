import { describeValue, invalidArgument } from "@arcwise/core/errors";

/** East Asian scripts, full-width forms and emoji, which are as wide as they are high. */
const FULL_WIDTH =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|\p{Emoji_Presentation}/u;

/**
 * Widths of characters in units of the font size: the first row that matches. They are the mean advances of
 * DejaVu Sans, the widest of the usual sans-serif fonts, and of Noto Sans for scripts that it lacks.
 */
const WIDTHS: readonly (readonly [characters: RegExp, width: number])[] = [
  [/[ijl|.,:;'!‘’\s]/, 0.34],
  [/[ftrI()[\]{}"“”/\\-]/, 0.41],
  [/[mwMW@%—]/, 0.96],
  [/[A-Z]/, 0.69],
  [/[!-~]/, 0.62],
  [/\p{Mc}/u, 0.45],
  [/\p{M}|\p{Cf}/u, 0],
  [FULL_WIDTH, 1.04],
  [/\p{So}/u, 1.04],
  [/\p{Script=Arabic}/u, 0.5],
  [/\p{Script=Hebrew}|\p{Script=Thai}|\p{Script=Greek}|\p{Script=Coptic}/u, 0.6],
  [/\p{Script=Devanagari}|\p{Script=Bengali}|\p{Script=Gujarati}|\p{Script=Ethiopic}/u, 0.8],
  [/\p{Script=Tamil}|\p{Script=Malayalam}|\p{Script=Telugu}|\p{Script=Kannada}|\p{Script=Sinhala}/u, 1],
  [/\p{Script=Cyrillic}(?<=\p{Lu})|\p{Script=Armenian}/u, 0.8],
  [/\p{Lu}/u, 0.72],
];
const USUAL = 0.66;

/**
 * Estimates the width of a text in pixels where it cannot be measured. Most texts are narrower by up to a
 * fifth.
 */
export function textWidth(text: string, fontSize: number): number {
  if (typeof text !== "string") throw invalidArgument("textWidth", "a text", describeValue(text));
  if (typeof fontSize !== "number") throw invalidArgument("textWidth", "a number", describeValue(fontSize));
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width * fontSize;
}

function characterWidth(character: string): number {
  return WIDTHS.find(([characters]) => characters.test(character))?.[1] ?? USUAL;
}

/** Returns the number of columns that a text takes in a terminal: 2 for East Asian characters. */
export function terminalWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (!/\p{M}|\p{Cf}/u.test(character)) width += FULL_WIDTH.test(character) ? 2 : 1;
  }
  return width;
}

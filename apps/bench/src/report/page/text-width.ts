/** Widths of characters in units of the font size, generous for the usual sans-serif fonts. */
const NARROW = 0.36;
const USUAL = 0.6;
const LARGE = 0.76;
const WIDEST = 1;
/** East Asian scripts, full-width forms and pictographs, which are as wide as they are high. */
const FULL_WIDTH = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|\p{So}/u;
const COMBINING = /\p{M}|\u200b|\u200d/u;

/**
 * Estimates the width of a text in pixels where it cannot be measured. Most texts are up to a fifth narrower
 * in most fonts.
 */
export function textWidth(text: string, fontSize: number): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width * fontSize;
}

function characterWidth(character: string): number {
  if (COMBINING.test(character)) return 0;
  if (FULL_WIDTH.test(character) || character.codePointAt(0)! > 0xffff) return WIDEST;
  if (/[ilIjtfr.,:;'|!()[\]\s-]/.test(character)) return NARROW;
  if (/[mwMW@%—]/.test(character)) return WIDEST;
  return /\p{Lu}/u.test(character) ? LARGE : USUAL;
}

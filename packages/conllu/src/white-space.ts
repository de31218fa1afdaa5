const SPACE = /\p{White_Space}/u;

/**
 * Returns whether a character is white space as Python's `str.isspace`, and with it the validator of Universal
 * Dependencies, defines it: the white space of Unicode, and the separators U+001C to U+001F. Unlike the white space of `trim`,
 * it has no zero-width no-break space (U+FEFF).
 */
function isSpace(character: string): boolean {
  return SPACE.test(character) || (character >= "\u001c" && character <= "\u001f");
}

/** Returns whether a text has white space. O(length). */
export function hasWhiteSpace(text: string): boolean {
  for (const character of text) if (isSpace(character)) return true;
  return false;
}

/** Returns whether a text consists of white space. O(length). */
export function isWhiteSpace(text: string): boolean {
  return text !== "" && endOfSpaces(text, 0) === text.length;
}

/** Returns the index of the first character from `at` on that is not white space. O(spaces). */
export function endOfSpaces(text: string, at: number): number {
  let end = at;
  while (end < text.length && isSpace(text[end]!)) end++;
  return end;
}

/** Returns a text without the white space at its beginning. O(length). */
export function trimmedStart(text: string): string {
  return text.slice(endOfSpaces(text, 0));
}

/** Returns a text without the white space at its end. O(length). */
export function trimmedEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isSpace(text[end - 1]!)) end--;
  return text.slice(0, end);
}

import { invalidArgument } from "./arcwise-error.ts";

/**
 * Characters that a terminal obeys or that cannot be seen: control and format characters (Cc, Cf), line
 * separators, spaces other than U+0020, unpaired surrogates, and others without a glyph.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;

/**
 * Returns a text that is safe to show on a terminal, and in which nothing is hidden: characters that cannot be
 * seen are written as in JSON, such as `\u001b`. Every text that comes from outside passes here before it is
 * shown. O(length).
 */
export function escapeInvisible(text: string): string {
  if (typeof text !== "string") throw invalidArgument("escapeInvisible", "a text", typeof text);
  return text.replace(INVISIBLE, (character) =>
    Array.from({ length: character.length }, (_, i) => escapedUnit(character.charCodeAt(i))).join(""),
  );
}

function escapedUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}

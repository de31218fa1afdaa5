import type { RangeRow, Row, WordRow } from "../types.ts";

/** A token of the text: a range, or a word outside of ranges, with the IDs of its first and last word. */
export interface TokenRow {
  readonly row: WordRow | RangeRow;
  readonly first: number;
  readonly last: number;
}

/** Returns the tokens of a sentence: ranges, as far as there are words, and words outside of them. O(n). */
export function tokenRows(rows: readonly Row[]): TokenRow[] {
  const tokens: TokenRow[] = [];
  let words = 0;
  for (const row of rows) if (row.kind === "word") words++;
  let covered = 0;
  for (const row of rows) {
    if (row.kind === "range")
      tokens.push({ row, first: Math.max(1, row.first), last: Math.min(row.last, words) });
    else if (row.kind === "word" && row.id > covered) tokens.push({ row, first: row.id, last: row.id });
    if (row.kind === "range") covered = row.last;
  }
  return tokens;
}

/** Returns the white space after a token: `SpacesAfter`, nothing for `SpaceAfter=No`, or else a space. */
export function spacesAfter(misc: string): string {
  if (!misc.includes("Space")) return " ";
  return statedSpacesAfter(misc) ?? (misc.split("|").includes("SpaceAfter=No") ? "" : " ");
}

/** Returns `SpacesAfter` of MISC; undefined when it is absent, or not white space. */
export function statedSpacesAfter(misc: string): string | undefined {
  return misc.includes("SpacesAfter=") ? escapedSpaces(misc, "SpacesAfter") : undefined;
}

/** Returns the white space before a token: `SpacesBefore` of MISC, nothing when it is absent. */
export function spacesBefore(misc: string): string {
  return misc.includes("SpacesBefore=") ? (escapedSpaces(misc, "SpacesBefore") ?? "") : "";
}

/**
 * Returns a token as the text spells it: `SpacesInToken` of MISC if it differs from the form in white space
 * only, and the form otherwise.
 */
export function tokenText({ form, misc }: { readonly form: string; readonly misc: string }): string {
  if (!misc.includes("SpacesInToken=")) return form;
  const text = escapedText(misc, "SpacesInToken");
  return text !== undefined && withoutSpaces(text) === withoutSpaces(form) ? text : form;
}

function withoutSpaces(text: string): string {
  return text.replace(/\s/gu, "");
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\\s": " ",
  "\\t": "\t",
  "\\n": "\n",
  "\\r": "\r",
  "\\p": "|",
  "\\\\": "\\",
};

/** Returns an attribute of MISC without the escapes of UDPipe (`\s`, `\t`, `\n`, `\r`, `\p`, `\\`). */
function escapedText(misc: string, name: string): string | undefined {
  const start = `${name}=`;
  const item = misc.split("|").find((item) => item.startsWith(start));
  return item?.slice(start.length).replace(/\\[stnrp\\]/g, (escaped) => ESCAPES[escaped]!);
}

/** Returns an attribute of MISC that is white space; undefined when it is something else. */
function escapedSpaces(misc: string, name: string): string | undefined {
  const text = escapedText(misc, name);
  return text !== undefined && /^\s*$/u.test(text) ? text : undefined;
}

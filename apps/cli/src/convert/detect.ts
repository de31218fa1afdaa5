import { columnsLine } from "@arcwise/conllu";

/** Formats that `convert` reads and writes. */
export const TREEBANK_FORMATS = [
  "conllu",
  "conllx",
  "conll2009",
  "sdp",
  "json",
  "jsonl",
  "brackets",
] as const;
export type TreebankFormat = (typeof TREEBANK_FORMATS)[number];

/** Number of bytes that are read at most to see what an input holds. */
export const DETECT_LIMIT = 2 ** 16;

/**
 * Returns the format of a file by its beginning, up to the first empty line after a row. Columns of CoNLL-U and
 * CoNLL-X have the same number: a number in the ninth column, which is PHEAD, is CoNLL-X; otherwise it is CoNLL-U.
 *
 * @param empty the format of a file without rows, which is valid in each format
 */
export function detectFormat(beginning: string, empty: TreebankFormat = "conllu"): TreebankFormat | "text" {
  const lines = beginning.replace(/^\ufeff/, "").split(/\r?\n/);
  if (lines.some((line) => /^#SDP 201[45]\s*$/.test(line))) return "sdp";
  if (columnsLine(beginning) !== "") return "conllu";
  const first = lines.findIndex((line) => line.trim() !== "" && !line.startsWith("#"));
  if (first < 0) return empty;
  const line = lines[first]!;
  if (isSpacedTable(lines.slice(first))) return "conllu";
  if (/^\s*[[{]/.test(line)) return "json";
  if (line.startsWith("(")) return "brackets";
  const length = lines.slice(first).findIndex((one) => one.trim() === "");
  const rows = lines.slice(first, length < 0 ? undefined : first + length).map((one) => one.split("\t"));
  const columns = rows[0] ?? [];
  if (!/^\d+(?:[-.]\d+)?$/.test(columns[0] ?? "") || columns.length < 2) return "text";
  if (columns.length >= 6 && /^[+-]$/.test(columns[4]!) && /^[+-]$/.test(columns[5]!)) return "sdp";
  if (columns.length >= 14) return "conll2009";
  return rows.some((row) => /^\d+$/.test(row[8] ?? "")) ? "conllx" : "conllu";
}

/** The fewest columns of a table of words with heads: of CoNLL-X without its last two. */
const COLUMNS = 8;

/**
 * Returns whether lines begin a table of words whose columns are separated by spaces, as when tabs were lost: the
 * first line begins with the ID 1, and has columns `_`, or the second one has the ID 2 and as many columns. Readers of
 * tables refuse it with its line; it is not a text.
 */
export function isSpacedTable([first = "", second = ""]: readonly string[]): boolean {
  if (first.includes("\t")) return false;
  const [columns, next] = [first, second].map((line) => line.trim().split(/ +/));
  if (!/^(?:1(?:-\d+)?|0\.1)$/.test(columns![0]!) || columns!.length < COLUMNS) return false;
  return columns!.includes("_") || (next![0] === "2" && next!.length === columns!.length);
}

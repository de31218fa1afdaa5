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

/** Number of letters from which the beginning or the end of a name stands for it. */
const MIN_PART = 3;

/**
 * Returns the known name that is nearest to `written`, if it is near enough to be a typing error; or else the first that
 * begins or ends with it.
 */
export function nearest(written: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let part: string | undefined;
  let least = Math.max(1, Math.floor(written.length / 3)) + 1;
  const wanted = written.toLowerCase();
  for (const name of known) {
    const other = name.toLowerCase();
    if (wanted.length >= MIN_PART && (other.startsWith(wanted) || other.endsWith(wanted))) part ??= name;
    const distance = editDistance(wanted, other);
    if (distance >= least) continue;
    least = distance;
    best = name;
  }
  return best ?? part;
}

/** ` (did you mean "NAME"?)`, or nothing where no known name is near. */
export function suggestion(written: string, known: Iterable<string>): string {
  const name = nearest(written, known);
  return name === undefined ? "" : ` (did you mean "${name}"?)`;
}

/** Levenshtein distance; two neighbouring letters that are exchanged count once. O(lengths multiplied). */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      row[j] = Math.min(row[j - 1] + 1, last[j] + 1, last[j - 1] + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        row[j] = Math.min(row[j], before[j - 2] + 1);
      }
    }
    before = last;
    last = row;
  }
  return last[b.length];
}

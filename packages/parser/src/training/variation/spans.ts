/** Returns each word with its dependents, ascending; position 0 without itself. O(n). */
export function familiesOf(heads: Int32Array): number[][] {
  const families = Array.from(heads, (): number[] => []);
  for (let i = 1; i < heads.length; i++) {
    families[i]!.push(i);
    families[heads[i]!]!.push(i);
  }
  return families;
}

/** The first and the last position of the words below each word, itself included, and their number. */
export interface Spans {
  readonly first: Int32Array;
  readonly last: Int32Array;
  readonly size: Int32Array;
  /** All positions, heads before their dependents. */
  readonly downwards: Int32Array;
}

/** O(n). */
export function spansOf(heads: Int32Array, families: readonly (readonly number[])[]): Spans {
  const downwards = new Int32Array(heads.length);
  let found = 1;
  for (let k = 0; k < found; k++) {
    const head = downwards[k]!;
    for (const member of families[head]!) if (member !== head) downwards[found++] = member;
  }
  const first = Int32Array.from(heads, (_, i) => i);
  const last = first.slice();
  const size = new Int32Array(heads.length).fill(1);
  for (let k = heads.length - 1; k > 0; k--) {
    const m = downwards[k]!;
    const head = heads[m]!;
    first[head] = Math.min(first[head]!, first[m]!);
    last[head] = Math.max(last[head]!, last[m]!);
    size[head]! += size[m]!;
  }
  return { first, last, size, downwards };
}

/** Returns whether a word and all that depends on it are next to each other. */
export function isSpan({ first, last, size }: Spans, word: number): boolean {
  return last[word]! - first[word]! + 1 === size[word]!;
}

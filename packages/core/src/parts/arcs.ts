import type { Arcs } from "../problem.ts";

/**
 * Returns all n² arcs of a sentence of n words: every head 0..n except the modifier itself, for every
 * modifier. O(n²).
 *
 * @throws RangeError when n is not an integer >= 0
 */
export function completeArcs(n: number): Arcs {
  checkLength(n);
  const start = new Int32Array(n + 2);
  const head = new Int32Array(n * n);
  const modifier = new Int32Array(n * n);
  for (let m = 1, next = 0; m <= n; m++) {
    for (let h = 0; h <= n; h++) {
      if (h === m) continue;
      head[next] = h;
      modifier[next++] = m;
    }
    start[m + 1] = next;
  }
  return { n, start, head, modifier };
}

/**
 * Returns the arcs h -> m with `keep(h, m)`, h from 0 to n and m from 1 to n, h !== m. O(n²) calls.
 *
 * @throws RangeError when n is not an integer >= 0
 */
export function filterArcs(n: number, keep: (head: number, modifier: number) => boolean): Arcs {
  checkLength(n);
  const start = new Int32Array(n + 2);
  const head: number[] = [];
  const modifier: number[] = [];
  for (let m = 1; m <= n; m++) {
    for (let h = 0; h <= n; h++) {
      if (h !== m && keep(h, m)) {
        head.push(h);
        modifier.push(m);
      }
    }
    start[m + 1] = head.length;
  }
  return { n, start, head: Int32Array.from(head), modifier: Int32Array.from(modifier) };
}

function checkLength(n: number): void {
  if (!Number.isInteger(n) || n < 0) throw new RangeError(`n must be an integer >= 0, got ${n}`);
}

/** Returns the index of the arc h -> m, or -1 when it is not a candidate. O(log of the candidates of m). */
export function arcIndex(arcs: Arcs, h: number, m: number): number {
  const { start, head } = arcs;
  let low = start[m];
  let high = start[m + 1] - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = head[middle];
    if (found === h) return middle;
    if (found < h) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

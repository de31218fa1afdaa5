/**
 * Arcs as intervals, for sweeps from left to right: two arcs cross when exactly one end of each lies strictly
 * between the ends of the other.
 */
interface Intervals {
  /** Leftmost end of the arc of each word. */
  readonly left: Int32Array;
  /** Words by the left ends of their arcs: those at p are `byLeft[leftStart[p]] .. `. */
  readonly byLeft: Int32Array;
  readonly leftStart: Int32Array;
  /** The same by right ends. */
  readonly byRight: Int32Array;
  readonly rightStart: Int32Array;
}

function intervals(heads: Int32Array): Intervals {
  const length = heads.length;
  const left = new Int32Array(length);
  const leftStart = new Int32Array(length + 1);
  const rightStart = new Int32Array(length + 1);
  for (let m = 1; m < length; m++) {
    const h = heads[m]!;
    if (h < 0 || h >= length || h === m) {
      throw new RangeError(`expected the head of word ${m} to be another of 0 to ${length - 1}, got ${h}`);
    }
    left[m] = Math.min(h, m);
    leftStart[left[m]! + 1]!++;
    rightStart[Math.max(h, m) + 1]!++;
  }
  for (let p = 0; p < length; p++) {
    leftStart[p + 1]! += leftStart[p]!;
    rightStart[p + 1]! += rightStart[p]!;
  }
  const byLeft = new Int32Array(Math.max(0, length - 1));
  const byRight = new Int32Array(Math.max(0, length - 1));
  const leftFill = leftStart.slice();
  const rightFill = rightStart.slice();
  for (let m = 1; m < length; m++) {
    byLeft[leftFill[left[m]!]!++] = m;
    byRight[rightFill[Math.max(heads[m]!, m)]!++] = m;
  }
  return { left, byLeft, leftStart, byRight, rightStart };
}

/**
 * Returns the number of pairs of arcs that cross, including arcs from the root. The heads need not form a
 * tree. O(n log n): a sweep over right ends with a Fenwick tree of the left ends of open arcs.
 *
 * @throws RangeError when a head is not from 0 to n, or a word is its own head
 */
export function countCrossings(heads: Int32Array): number {
  const { left, leftStart, byRight, rightStart } = intervals(heads);
  const length = heads.length;
  const open = new Int32Array(length + 1);
  let count = 0;
  let opened = 0;
  for (let p = 0; p < length; p++) {
    for (let i = rightStart[p]!; i < rightStart[p + 1]!; i++) {
      opened--;
      for (let at = left[byRight[i]!]! + 1; at <= length; at += at & -at) open[at]!--;
    }
    // Arcs that began inside a closing arc and continue after its end cross it.
    for (let i = rightStart[p]!; i < rightStart[p + 1]!; i++) {
      let before = 0;
      for (let at = left[byRight[i]!]! + 1; at > 0; at -= at & -at) before += open[at]!;
      count += opened - before;
    }
    const starting = leftStart[p + 1]! - leftStart[p]!;
    opened += starting;
    for (let at = p + 1; at <= length; at += at & -at) open[at]! += starting;
  }
  return count;
}

/**
 * Returns the pairs of arcs that cross, including arcs from the root, each as the two modifiers, smaller
 * first; by the right end of the arc that ends first, then by decreasing left end of the other. The heads
 * need not form a tree. O(n + crossings): a sweep over right ends with a list of open arcs by left end.
 *
 * @throws RangeError when a head is not from 0 to n, or a word is its own head
 */
export function crossingArcs(heads: Int32Array): (readonly [number, number])[] {
  const { left, byLeft, leftStart, byRight, rightStart } = intervals(heads);
  const length = heads.length;
  const pairs: (readonly [number, number])[] = [];
  // Position 0 is no modifier: it closes the circular list of open arcs.
  const next = new Int32Array(length);
  const previous = new Int32Array(length);
  for (let p = 0; p < length; p++) {
    for (let i = rightStart[p]!; i < rightStart[p + 1]!; i++) {
      const m = byRight[i]!;
      next[previous[m]!] = next[m]!;
      previous[next[m]!] = previous[m]!;
    }
    for (let i = rightStart[p]!; i < rightStart[p + 1]!; i++) {
      const m = byRight[i]!;
      for (let other = previous[0]!; other !== 0 && left[other]! > left[m]!; other = previous[other]!) {
        pairs.push(m < other ? [m, other] : [other, m]);
      }
    }
    for (let i = leftStart[p]!; i < leftStart[p + 1]!; i++) {
      const m = byLeft[i]!;
      previous[m] = previous[0]!;
      next[m] = 0;
      next[previous[0]!] = m;
      previous[0] = m;
    }
  }
  return pairs;
}

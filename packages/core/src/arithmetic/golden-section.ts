const RATIO = (Math.sqrt(5) - 1) / 2;

/**
 * Returns the argument of the minimum of a unimodal function, up to a width, by golden-section search (Kiefer 1953).
 * O(log((to - from) / width)) calls of the function.
 *
 * @example
 * goldenSection((x) => (x - 2) ** 2, 0, 10, 1e-6); // 2.000000, to within 1e-6
 */
export function goldenSection(f: (x: number) => number, from: number, to: number, width: number): number {
  let [low, high] = [from, to];
  let [left, right] = [high - RATIO * (high - low), low + RATIO * (high - low)];
  let [atLeft, atRight] = [f(left), f(right)];
  while (high - low > width) {
    if (atLeft < atRight) {
      [high, right, atRight] = [right, left, atLeft];
      left = high - RATIO * (high - low);
      atLeft = f(left);
    } else {
      [low, left, atLeft] = [left, right, atRight];
      right = low + RATIO * (high - low);
      atRight = f(right);
    }
  }
  return (low + high) / 2;
}

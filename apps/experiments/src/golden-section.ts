const RATIO = (Math.sqrt(5) - 1) / 2;

/** Returns the argument of the minimum of a unimodal function, up to a width (Kiefer 1953). */
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

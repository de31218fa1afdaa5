/** What is plotted as accuracy against speed. */
export interface Scored {
  readonly wordsPerSecond: number;
  readonly las: number;
}

/**
 * Returns the Pareto front, the fastest first: the points than which no other is both as fast and as
 * accurate, and better in one of them. O(n log n).
 */
export function paretoFront<T extends Scored>(points: readonly T[]): T[] {
  const byspeed = points.toSorted((a, b) => b.wordsPerSecond - a.wordsPerSecond || b.las - a.las);
  const front: T[] = [];
  for (const point of byspeed) if (front.length === 0 || point.las > front.at(-1)!.las) front.push(point);
  return front;
}

/**
 * Returns p-values corrected for several tests by the method of Holm (1979), in the order given: the smallest
 * is multiplied by the number of tests, the next by one less, and so on; none is below one before it.
 */
export function holm(pValues: readonly number[]): number[] {
  const order = [...pValues.keys()].sort((a, b) => pValues[a]! - pValues[b]!);
  const corrected = new Array<number>(pValues.length);
  let last = 0;
  for (const [rank, test] of order.entries()) {
    last = Math.max(last, Math.min(1, (pValues.length - rank) * pValues[test]!));
    corrected[test] = last;
  }
  return corrected;
}

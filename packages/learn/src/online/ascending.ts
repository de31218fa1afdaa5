/** Bits of a digit: counts of a digit fit into the first cache of a processor. */
const BITS = 11;
const DIGITS = 2 ** BITS;

/**
 * Returns integers >= 0 in ascending order, as a new array, by radix sort: vectors are read faster in the order of
 * their entries. O(integers) for each 11 bits of the largest integer.
 */
export function ascending(integers: Int32Array): Int32Array<ArrayBuffer> {
  let sorted = new Int32Array(integers);
  let spare = new Int32Array(sorted.length);
  let any = 0;
  for (let k = 0; k < sorted.length; k++) any |= sorted[k];
  const offsets = new Int32Array(DIGITS + 1);
  for (let shift = 0; any >>> shift > 0; shift += BITS) {
    offsets.fill(0);
    for (let k = 0; k < sorted.length; k++) offsets[((sorted[k] >>> shift) & (DIGITS - 1)) + 1]++;
    for (let digit = 1; digit < DIGITS; digit++) offsets[digit] += offsets[digit - 1];
    for (let k = 0; k < sorted.length; k++) {
      const integer = sorted[k];
      spare[offsets[(integer >>> shift) & (DIGITS - 1)]++] = integer;
    }
    [sorted, spare] = [spare, sorted];
  }
  return sorted;
}

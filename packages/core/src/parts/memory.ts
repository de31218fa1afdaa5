/** Returns `old` if it has at least `length` entries, otherwise `length` zeros. */
export function int32Memory(old: Int32Array | undefined, length: number): Int32Array {
  return old !== undefined && old.length >= length ? old : new Int32Array(length);
}

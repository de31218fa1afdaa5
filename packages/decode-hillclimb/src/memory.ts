/**
 * Returns an array of at least `length` entries: the one given if it is long enough, or a new one of twice
 * the length.
 */
export function grownInt32(array: Int32Array, length: number): Int32Array {
  return array.length >= length ? array : new Int32Array(2 * length);
}

export function grownFloat64(array: Float64Array, length: number): Float64Array {
  return array.length >= length ? array : new Float64Array(2 * length);
}

export function grownUint8(array: Uint8Array, length: number): Uint8Array {
  return array.length >= length ? array : new Uint8Array(2 * length);
}

type Vector = Int32Array<ArrayBuffer> | Float32Array<ArrayBuffer>;

/** Returns a vector of at least `length` entries that begins with the entries of another one, or that one. */
export function longer<V extends Vector>(vector: V, length: number, Made: new (length: number) => V): V {
  if (length <= vector.length) return vector;
  const made = new Made(Math.max(length, 2 * vector.length));
  made.set(vector);
  return made;
}

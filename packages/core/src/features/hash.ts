/**
 * 32-bit mixing for feature hashing. Every attribute of a word is turned into a well-mixed code once a
 * sentence; features are then XORs and multiplications of codes.
 */

/** Permutes 32-bit integers such that every input bit affects every output bit (murmur3's finaliser). */
export function mix(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}

/** Extends the hash of a sequence by one well-mixed code; depends on the order. */
export function extend(hash: number, code: number): number {
  const x = Math.imul(hash ^ code, 0x9e3779b1);
  return x ^ (x >>> 15);
}

/** Returns a well-mixed code of value `id` of an attribute. */
export function codeOf(attribute: number, id: number): number {
  return mix(Math.imul(attribute + 1, 0x632be5ab) + id);
}

/** The hash of an empty text before it is mixed (FNV-1a), by the seed of its kind. */
export function emptyHash(seed = 0): number {
  return 0x811c9dc5 ^ seed;
}

/** Returns the hash, before it is mixed, of a text with one more UTF-16 code unit. */
export function hashWith(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

/**
 * Returns a well-mixed code of a string, or of its UTF-16 code units from `from` up to, not including, `to`
 * (FNV-1a, then `mix`). O(length).
 */
export function hashString(text: string, seed = 0, from = 0, to = text.length): number {
  let hash = emptyHash(seed);
  for (let i = from; i < to; i++) hash = hashWith(hash, text.charCodeAt(i));
  return mix(hash);
}

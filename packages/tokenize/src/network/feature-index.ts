/**
 * Features of positions as keys: a position has one key of each kind, a well-mixed 32-bit code. The features
 * of a network are the keys that training saw often enough, and one of each kind for all others.
 */
export interface FeatureKeys {
  /** Kinds of features. */
  readonly kinds: number;
  /** The key of kind k at position i is `keys[i kinds + k]`. */
  readonly keys: Int32Array;
}

/** Numbers the features of a network: unknown keys of kind k are feature k, known keys follow. */
export class FeatureIndex {
  readonly kinds: number;
  /** The known keys, in the order of their features. */
  readonly keys: Int32Array;
  readonly #ids: ReadonlyMap<number, number>;

  constructor(kinds: number, keys: Int32Array) {
    this.kinds = kinds;
    this.keys = keys;
    this.#ids = new Map(Array.from(keys, (key, index) => [key, kinds + index]));
  }

  /** Number of features. */
  get size(): number {
    return this.kinds + this.#ids.size;
  }

  /** Returns the features of positions, as many as there are keys. O(keys). */
  featuresOf({ kinds, keys }: FeatureKeys): Int32Array {
    const features = new Int32Array(keys.length);
    for (let i = 0; i < keys.length; i++) features[i] = this.#ids.get(keys[i]!) ?? i % kinds;
    return features;
  }
}

/**
 * Collects the keys that occur often enough in one of several lists of positions.
 *
 * @param lists of the same kinds
 * @param minimum for each kind, how often a key occurs at least
 */
export function indexFeatures(lists: readonly FeatureKeys[], minimum: readonly number[]): FeatureIndex {
  const { kinds } = lists[0]!;
  const kept = new Set<number>();
  for (const { keys } of lists) {
    const counts = new Map<number, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    for (let i = 0; i < keys.length; i++) {
      if (counts.get(keys[i]!)! >= minimum[i % kinds]!) kept.add(keys[i]!);
    }
  }
  return new FeatureIndex(kinds, Int32Array.from(kept));
}

/** A table from strings to integers. 0 stands for every string that is not in the vocabulary. */
export interface Vocabulary {
  /** Known strings in the order of their indices, which begin at 1. */
  readonly strings: readonly string[];
  /** Index of a string, 0 when it is unknown. O(1). */
  id(text: string): number;
}

/**
 * Makes a vocabulary of the given strings, with indices 1, 2, ...
 *
 * @throws RangeError on a repeated string
 */
export function vocabulary(strings: readonly string[]): Vocabulary {
  const ids = new Map<string, number>();
  for (const [index, text] of strings.entries()) {
    if (ids.has(text)) throw new RangeError(`a vocabulary lists each string once; "${text}" comes twice`);
    ids.set(text, index + 1);
  }
  return { strings, id: (text) => ids.get(text) ?? 0 };
}

/**
 * Counts strings, and makes a vocabulary of the frequent ones: most frequent first, ties in order of code
 * units.
 */
export interface VocabularyCounter {
  add(text: string): void;
  /** The strings that were added at least `minimum` times. */
  vocabulary(minimum?: number): Vocabulary;
}

/** An empty counter. */
export function vocabularyCounter(): VocabularyCounter {
  const counts = new Map<string, number>();
  return {
    add: (text) => void counts.set(text, (counts.get(text) ?? 0) + 1),
    vocabulary(minimum = 1) {
      const kept = [...counts].filter(([, count]) => count >= minimum);
      kept.sort(([a, countOfA], [b, countOfB]) => countOfB - countOfA || (a < b ? -1 : 1));
      return vocabulary(kept.map(([text]) => text));
    },
  };
}

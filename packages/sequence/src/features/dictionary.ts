import type { EncodedSequence } from "./attributes.ts";
import { KeyExtractor } from "./extraction.ts";
import type { EncodedExample } from "./feature-space.ts";
import { indexOf, KeyCounter, type KeyIndex } from "./hash-index.ts";
import type { SequenceTemplate } from "./templates.ts";

/**
 * A key by which the candidate labels of a word are looked up, and the number of times that it must have been
 * seen.
 */
export interface DictionaryLevel {
  readonly template: SequenceTemplate;
  readonly minimum: number;
}

/** Candidate labels of words. Plain data. */
export interface DictionaryData {
  /** Levels in the order of look-up; a word that no level has gets the labels of any word. */
  readonly levels: readonly DictionaryLevel[];
  /** Ascending. */
  readonly keys: Int32Array;
  /** The labels of key k, ascending: `labels[start[k] .. start[k + 1] - 1]`. */
  readonly start: Int32Array;
  readonly labels: Int32Array;
}

/**
 * Candidate labels of words: those seen in training with the word, or with similar words (Ratnaparkhi 1996).
 */
export class LabelDictionary {
  readonly data: DictionaryData;
  readonly #levels: readonly KeyExtractor[];
  readonly #index: KeyIndex;
  readonly #keys: Int32Array;

  constructor(data: DictionaryData) {
    this.data = data;
    this.#levels = data.levels.map(({ template }) => new KeyExtractor([template]));
    this.#index = indexOf(data.keys);
    this.#keys = new Int32Array(1);
  }

  /** Returns the entry of a word, -1 when no level has it. O(levels). */
  find(sequence: EncodedSequence, i: number): number {
    for (let k = 0; k < this.#levels.length; k++) {
      if (this.#levels[k].extract(1, sequence, i, this.#keys, 0) === 0) continue;
      const entry = this.#index.find(this.#keys[0]);
      if (entry >= 0) return entry;
    }
    return -1;
  }
}

/** Returns the indices of the attributes in levels. */
export function dictionaryAttributes(levels: readonly DictionaryLevel[]): number[] {
  return levels.flatMap(({ template }) => [...new KeyExtractor([template]).attributes]);
}

/** Collects the labels of words. O(positions · levels). */
export function collectDictionary(
  examples: readonly EncodedExample[],
  levels: readonly DictionaryLevel[],
): DictionaryData {
  const seen = new Map<number, Set<number>>();
  const key = new Int32Array(1);
  for (const { template, minimum } of levels) {
    const extractor = new KeyExtractor([template]);
    const counter = new KeyCounter();
    const each = (visit: (key: number, label: number) => void) => {
      for (const { sequence, labels } of examples) {
        for (let i = 0; i < sequence.n; i++) {
          if (extractor.extract(1, sequence, i, key, 0) === 1) visit(key[0], labels[i]);
        }
      }
    };
    each((found) => counter.add(found));
    each((found, label) => {
      if (counter.count(found) < minimum) return;
      const labels = seen.get(found);
      if (labels === undefined) seen.set(found, new Set([label]));
      else labels.add(label);
    });
  }
  const entries = [...seen].sort(([a], [b]) => a - b);
  const lists = entries.map(([, labels]) => [...labels].sort((a, b) => a - b));
  const start = new Int32Array(lists.length + 1);
  for (const [k, list] of lists.entries()) start[k + 1] = start[k] + list.length;
  return {
    levels,
    keys: Int32Array.from(entries, ([found]) => found),
    start,
    labels: Int32Array.from(lists.flat()),
  };
}

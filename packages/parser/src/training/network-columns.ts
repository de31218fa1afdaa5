import { vocabularyCounter } from "@arcwise/core/features";
import type { ColumnLabels } from "../scoring/network/quantized-network.ts";
import type { NetworkColumn } from "./network-options.ts";

/** The labels of the words of a sentence in a column. */
export interface ColumnTarget {
  /** The right ones; -1: any. */
  readonly labels: Int32Array;
  /** Labels that something else predicted; -1: none. Absent: none for all words. */
  readonly given?: Int32Array | undefined;
  /** The value that is added to the scores of given labels. */
  readonly trust?: number | undefined;
}

/** A column to learn: its labels, and the label of each word of each sentence. */
export interface EncodedColumn {
  readonly data: ColumnLabels;
  readonly targets: readonly ColumnTarget[];
}

/**
 * Numbers the labels of a column and their parts, the most frequent first. O(words).
 *
 * @param lengths number of words of each sentence
 * @throws RangeError when there is not one label for each word, or no word
 */
export function encodeColumn(column: NetworkColumn, lengths: readonly number[]): EncodedColumn {
  const { name, labels, parts, given } = column;
  checkLabels(`column ${name}`, labels, lengths);
  if (given !== undefined) {
    checkLabels(`given labels of column ${name}`, given.labels, lengths);
    if (!Number.isFinite(given.trust))
      throw new RangeError(`column ${name}: expected a finite trust, got ${given.trust}`);
  }
  const counter = vocabularyCounter();
  for (const label of labels.flat()) counter.add(label);
  const { strings } = counter.vocabulary();
  if (strings.length === 0) throw new RangeError(`column ${name}: expected words, found none`);
  const numbers = new Map(strings.map((label, index) => [label, index]));
  return {
    data: { name, labels: strings, parts: parts === undefined ? [] : numberParts(strings, parts) },
    targets: labels.map((own, s) => ({
      labels: Int32Array.from(own, (label) => numbers.get(label)!),
      given: given && Int32Array.from(given.labels[s]!, (label) => numbers.get(label) ?? -1),
      trust: given?.trust,
    })),
  };
}

/** @throws RangeError when there is not one label for each word */
function checkLabels(what: string, labels: readonly (readonly string[])[], lengths: readonly number[]): void {
  if (labels.length !== lengths.length)
    throw new RangeError(`${what}: expected ${lengths.length} sentences, got ${labels.length}`);
  for (const [s, own] of labels.entries()) {
    if (own.length !== lengths[s])
      throw new RangeError(`${what}: expected ${lengths[s]} labels of sentence ${s + 1}, got ${own.length}`);
  }
}

/** Numbers the parts of labels, those that several labels have: others say no more than the label. */
function numberParts(labels: readonly string[], parts: (label: string) => readonly string[]): number[][] {
  const all = labels.map((label) => [...new Set(parts(label))]);
  const counts = new Map<string, number>();
  for (const part of all.flat()) counts.set(part, (counts.get(part) ?? 0) + 1);
  const numbers = new Map([...counts].filter(([, count]) => count > 1).map(([part], index) => [part, index]));
  return all.map((own) => own.flatMap((part) => numbers.get(part) ?? []));
}

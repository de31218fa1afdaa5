import { vocabularyCounter } from "@arcwise/core/features";
import type { ColumnLabels } from "../scoring/network/quantized-network.ts";
import type { NetworkColumn } from "../types.ts";

/** A column to learn: its labels, and that of each word of each sentence, by number. */
export interface EncodedColumn {
  readonly data: ColumnLabels;
  readonly targets: readonly Int32Array[];
}

/**
 * Numbers the labels of a column and their parts, the most frequent first. O(words).
 *
 * @param lengths number of words of each sentence
 * @throws RangeError when there is not one label for each word, or no word
 */
export function encodeColumn(column: NetworkColumn, lengths: readonly number[]): EncodedColumn {
  const { name, labels, parts } = column;
  if (labels.length !== lengths.length)
    throw new RangeError(`column ${name}: expected ${lengths.length} sentences, got ${labels.length}`);
  const counter = vocabularyCounter();
  for (const [s, own] of labels.entries()) {
    if (own.length !== lengths[s])
      throw new RangeError(
        `column ${name}: expected ${lengths[s]} labels of sentence ${s + 1}, got ${own.length}`,
      );
    for (const label of own) counter.add(label);
  }
  const { strings } = counter.vocabulary();
  if (strings.length === 0) throw new RangeError(`column ${name}: expected words, found none`);
  const numbers = new Map(strings.map((label, index) => [label, index]));
  return {
    data: { name, labels: strings, parts: parts === undefined ? [] : numberParts(strings, parts) },
    targets: labels.map((own) => Int32Array.from(own, (label) => numbers.get(label)!)),
  };
}

/** Numbers the parts of labels, those that several labels have: others say no more than the label. */
function numberParts(labels: readonly string[], parts: (label: string) => readonly string[]): number[][] {
  const all = labels.map((label) => [...new Set(parts(label))]);
  const counts = new Map<string, number>();
  for (const part of all.flat()) counts.set(part, (counts.get(part) ?? 0) + 1);
  const numbers = new Map([...counts].filter(([, count]) => count > 1).map(([part], index) => [part, index]));
  return all.map((own) => own.flatMap((part) => numbers.get(part) ?? []));
}

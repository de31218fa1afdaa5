import { counted } from "@arcwise/core/errors";
import { vocabularyCounter } from "@arcwise/core/features";
import type { ColumnLabels } from "../scoring/network/quantized-network.ts";
import type { NetworkColumn } from "./network-options.ts";
import { incompatible } from "./terms.ts";

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
 * Encodes the columns of a training; of a model that is continued, its own columns. Nothing is learned of those that are not
 * given. O(words).
 *
 * @param lengths number of words of each sentence
 * @param known the columns of the model that is continued
 */
export function encodeColumns(
  given: readonly NetworkColumn[],
  lengths: readonly number[],
  known: readonly ColumnLabels[] | undefined,
): EncodedColumn[] {
  if (known === undefined) return given.map((column) => encodeColumn(column, lengths));
  const names = known.map(({ name }) => name);
  const other = given.find(({ name }) => !names.includes(name));
  if (other !== undefined) {
    const message = `expected columns that the model predicts (${names.join(", ")}), got ${other.name}`;
    throw incompatible("trainParser", "network.columns", `network.columns: ${message}`);
  }
  return known.map((column) => {
    const { name } = column;
    const own = given.find((candidate) => candidate.name === name) ?? {
      name,
      labels: lengths.map((length) => new Array<undefined>(length).fill(undefined)),
    };
    return encodeColumn(own, lengths, column);
  });
}

/**
 * Numbers the labels of a column and their parts, the most frequent first. O(words).
 *
 * @param lengths number of words of each sentence
 * @param known the labels of a model that is continued, which keep their numbers
 */
export function encodeColumn(
  column: NetworkColumn,
  lengths: readonly number[],
  known?: ColumnLabels,
): EncodedColumn {
  const { name, labels, parts, given } = column;
  checkLabels(`column ${name}`, labels, lengths);
  if (given !== undefined) {
    checkLabels(`given labels of column ${name}`, given.labels, lengths);
    if (!Number.isFinite(given.trust))
      throw new RangeError(`column ${name}: expected a finite trust, got ${given.trust}`);
  }
  const counter = vocabularyCounter();
  for (const label of labels.flat()) if (label !== undefined) counter.add(label);
  const strings = [...new Set([...(known?.labels ?? []), ...counter.vocabulary().strings])];
  if (strings.length === 0) throw new RangeError(`column ${name}: expected words, found none`);
  const numbers = new Map(strings.map((label, index) => [label, index]));
  return {
    data: { name, labels: strings, parts: numberParts(strings, parts, known) },
    targets: labels.map((own, s) => ({
      labels: Int32Array.from(own, (label) => (label === undefined ? -1 : numbers.get(label)!)),
      given: given && Int32Array.from(given.labels[s], (label) => numbers.get(label) ?? -1),
      trust: given?.trust,
    })),
  };
}

function checkLabels(
  what: string,
  labels: readonly (readonly unknown[])[],
  lengths: readonly number[],
): void {
  if (labels.length !== lengths.length)
    throw new RangeError(`${what}: expected ${counted(lengths.length, "sentence")}, got ${labels.length}`);
  for (const [s, own] of labels.entries()) {
    if (own.length !== lengths[s])
      throw new RangeError(`${what}: expected ${lengths[s]} labels of sentence ${s + 1}, got ${own.length}`);
  }
}

/** Numbers the parts of labels, those that several labels have: others say no more than the label. */
function numberParts(
  labels: readonly string[],
  parts: NetworkColumn["parts"],
  known: ColumnLabels | undefined,
): readonly (readonly number[])[] {
  if (known !== undefined) return knownParts(labels, parts, known);
  if (parts === undefined) return [];
  const all = labels.map((label) => [...new Set(parts(label))]);
  const counts = new Map<string, number>();
  for (const part of all.flat()) counts.set(part, (counts.get(part) ?? 0) + 1);
  const numbers = new Map([...counts].filter(([, count]) => count > 1).map(([part], index) => [part, index]));
  return all.map((own) => own.flatMap((part) => numbers.get(part) ?? []));
}

/** Returns the parts of the labels of a model, and of new labels those that the model knows. */
function knownParts(
  labels: readonly string[],
  parts: NetworkColumn["parts"],
  known: ColumnLabels,
): readonly (readonly number[])[] {
  if (known.parts.length === 0) return [];
  const numbers = parts === undefined ? new Map<string, number>() : partNumbers(known, parts);
  const more = labels.slice(known.labels.length);
  return [
    ...known.parts,
    ...more.map((label) => [...new Set(parts?.(label))].flatMap((part) => numbers.get(part) ?? [])),
  ];
}

/**
 * Returns the numbers of the parts of a model by name. A model stores numbers alone: a name and its number belong to the same
 * labels.
 */
function partNumbers(
  { labels, parts: numbered }: ColumnLabels,
  parts: (label: string) => readonly string[],
): ReadonlyMap<string, number> {
  const numbers = grouped([...labelsByPart(numbered)].map(([number, key]) => [key, number]));
  const named = labelsByPart(labels.map((label) => [...new Set(parts(label))]));
  const found = new Map<string, number>();
  for (const [name, key] of named) {
    const number = numbers.get(key)?.shift();
    if (number !== undefined) found.set(name, number);
  }
  return found;
}

/** Returns for each part the list of labels that have it, as text. */
function labelsByPart<Part>(parts: readonly (readonly Part[])[]): ReadonlyMap<Part, string> {
  const lists = grouped(parts.flatMap((own, label) => own.map((part): [Part, number] => [part, label])));
  return new Map([...lists].map(([part, list]) => [part, list.join(" ")]));
}

/** Returns the values of each key, in their order. */
function grouped<Key>(pairs: readonly (readonly [Key, number])[]): Map<Key, number[]> {
  const lists = new Map<Key, number[]>();
  for (const [key, value] of pairs) {
    const list = lists.get(key) ?? [];
    lists.set(key, list);
    list.push(value);
  }
  return lists;
}

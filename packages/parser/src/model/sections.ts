import type { Vector } from "@arcwise/core/container";
import { ModelError, type Section } from "./container.ts";

/** The vectors that there are, in the same order. */
export function definedVectors(
  vectors: Readonly<Record<string, Vector | undefined>>,
): Record<string, Vector> {
  const given = Object.entries(vectors).filter(([, vector]) => vector !== undefined);
  return Object.fromEntries(given) as Record<string, Vector>;
}

/** Entries that a vector of a file has. @throws ModelError when there is none of the name and type */
export function entriesOf(name: string, type: Section["type"], sections: readonly Section[]): number {
  const section = sections.find((candidate) => candidate.name === name);
  if (section?.type !== type) throw new ModelError(`damaged model file: no vector "${name}" of ${type}`);
  return section.entries;
}

/** @throws ModelError when a vector has another number of entries */
export function expectEntries(
  name: string,
  type: Section["type"],
  expected: number,
  sections: readonly Section[],
): void {
  const found = entriesOf(name, type, sections);
  if (found === expected) return;
  throw new ModelError(`damaged model file: expected ${expected} entries of "${name}", found ${found}`);
}

/** Checks what bytes of rows are worth. @throws ModelError that names what they belong to */
export function checkScales(scales: Float32Array, owner: string): void {
  if (scales.every((scale) => scale >= 0 && scale < Infinity)) return;
  throw new ModelError(`damaged model file: a scale of its ${owner} is no number >= 0`);
}

/**
 * Checks that codes of features come once each, ascending. @throws ModelError that names what they belong to
 */
export function checkCodes(codes: Int32Array, owner: string): void {
  if (!codes.some((code, k) => k > 0 && code <= codes[k - 1]!)) return;
  throw new ModelError(`damaged model file: the features of its ${owner} are not in order`);
}

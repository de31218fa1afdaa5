import { extend, hashString } from "@arcwise/core/features";
import type { EncodedSequence } from "./attributes.ts";
import {
  type ParsedSequenceTemplate,
  parseSequenceTemplate,
  type SequenceTemplate,
  WINDOW,
} from "./templates.ts";

/** The templates of one arity, flat. */
interface Compiled {
  /** Pieces of template k: `start[k] .. start[k + 1] - 1`. */
  readonly start: Int32Array;
  readonly column: Int32Array;
  readonly offset: Int32Array;
  readonly seed: Int32Array;
  readonly words: Uint8Array;
  /** Keys of the templates without input: every position has them. */
  readonly constant: Int32Array;
}

/** Computes the keys of the words around a position: one 32-bit key per template. */
export class KeyExtractor {
  readonly templates: readonly SequenceTemplate[];
  /** Indices of the attributes in the templates. */
  readonly attributes: ReadonlySet<number>;
  /** The largest number of labels in a template, at least 1. */
  readonly order: 1 | 2 | 3;
  readonly #compiled: readonly Compiled[];

  constructor(templates: readonly SequenceTemplate[]) {
    if (new Set(templates).size !== templates.length)
      throw new RangeError("expected each template once, got a duplicate");
    const parsed = templates.map(parseSequenceTemplate);
    this.templates = templates;
    this.attributes = new Set(parsed.flatMap(({ pieces }) => pieces.map(({ attribute }) => attribute)));
    this.order = Math.max(1, ...parsed.map(({ arity }) => arity)) as 1 | 2 | 3;
    this.#compiled = [1, 2, 3].map((arity) => compile(parsed.filter((one) => one.arity === arity)));
  }

  /** Maximum number of keys at a position that depend on the input. */
  most(arity: number): number {
    return this.#compiled[arity - 1].seed.length;
  }

  /** Keys that every position has. */
  constants(arity: number): Int32Array {
    return this.#compiled[arity - 1].constant;
  }

  /**
   * Writes the keys of the templates of an arity that depend on the input, and returns the index after them.
   * O(pieces).
   */
  extract(arity: number, sequence: EncodedSequence, i: number, into: Int32Array, at: number): number {
    const { start, column, offset, seed, words } = this.#compiled[arity - 1];
    const rarity = sequence.rarity[i];
    let end = at;
    for (let k = 0; k < seed.length; k++) {
      if (words[k] !== 0 && words[k] !== rarity) continue;
      let key = seed[k];
      for (let p = start[k]; p < start[k + 1]; p++) {
        key = extend(key, sequence.columns[column[p]][i + WINDOW + offset[p]]);
      }
      into[end++] = key;
    }
    return end;
  }
}

function compile(parsed: readonly ParsedSequenceTemplate[]): Compiled {
  const isConstant = ({ pieces, words }: ParsedSequenceTemplate) => pieces.length === 0 && words === 0;
  const varying = parsed.filter((one) => !isConstant(one));
  const start = [0];
  for (const { pieces } of varying) start.push(start.at(-1)! + pieces.length);
  const all = varying.flatMap(({ pieces }) => pieces);
  return {
    start: Int32Array.from(start),
    column: Int32Array.from(all, ({ attribute }) => attribute),
    offset: Int32Array.from(all, ({ offset }) => offset),
    seed: Int32Array.from(varying, ({ text }) => hashString(text, 1)),
    words: Uint8Array.from(varying, ({ words }) => words),
    constant: Int32Array.from(parsed.filter(isConstant), ({ text }) => hashString(text, 1)),
  };
}

import type { Arcs } from "@arcwise/core";
import {
  type ArcFeatures,
  arcFeatures,
  type EncodedSentence,
  mix,
  type ParsedTemplate,
  type Piece,
  parseTemplate,
  parseWordTemplate,
  type Template,
  WordFeatures,
  type WordTemplate,
} from "@arcwise/core/features";
import { bucketOf } from "../arcs/buckets.ts";
import type { TensorAlphabet } from "./tensor-alphabet.ts";
import { ARC_FEATURES, ARC_ROWS, arcRows, COUNTS, DIRECTION, DISTANCE } from "./tensor-rows.ts";
import type { SparseTensor } from "./tensor-svd.ts";

/** Templates and weights of the sparse features of arcs. */
export interface SparseArcs {
  readonly templates: readonly Template[];
  readonly bits: number;
  readonly length: number;
  readonly weights: Float32Array;
}

/**
 * Converts the weights of sparse features into entries of a tensor. A feature that joins a context of the
 * head with one of the modifier, both among the features of words that the tensor has, is one entry for its
 * direction, and one for its direction with its distance. Features of one word alone are joined with the bias
 * of the other. Features that the tensor cannot express are omitted.
 *
 * Visits the candidate arcs of all sentences, since features are hashed and cannot be read from the weights.
 * O(arcs · templates) time, O(entries) memory.
 */
export function sparseEntries(
  sentences: readonly EncodedSentence[],
  arcs: readonly Arcs[],
  sparse: SparseArcs,
  templates: readonly WordTemplate[],
  alphabet: TensorAlphabet,
): SparseTensor {
  const rows = new WordRows(templates, alphabet);
  const collector = new Collector(joinsOf(sparse, templates), rows, sparse.weights);
  for (const [index, sentence] of sentences.entries()) {
    collector.prepare(sentence);
    const { head, modifier } = arcs[index]!;
    for (let a = 0; a < head.length; a++) collector.add(head[a]!, modifier[a]!);
  }
  return collector.entries.tensor(alphabet.size);
}

/**
 * A sparse template that the tensor can express: its features alone, and the templates of both words (-1: the
 * bias).
 */
interface Join {
  readonly features: ArcFeatures;
  readonly head: number;
  readonly modifier: number;
  /** Kind of words counted between, or -1. */
  readonly count: number;
}

function joinsOf({ templates, bits, length }: SparseArcs, words: readonly WordTemplate[]): Join[] {
  const known = new Map(
    words.map((text, index) => {
      const { pieces, inTurn } = parseWordTemplate(text);
      return [contextKey(pieces, inTurn), index];
    }),
  );
  known.set(contextKey([], false), -1);
  return templates.flatMap((text) => {
    const template: ParsedTemplate = parseTemplate(text);
    const head = known.get(contextKey(template.head, template.headFeature));
    const modifier = known.get(contextKey(template.modifier, template.modifierFeature));
    if (template.between || head === undefined || modifier === undefined) return [];
    return [{ features: arcFeatures([text], bits, length), head, modifier, count: template.count }];
  });
}

function contextKey(pieces: readonly Piece[], inTurn: boolean): string {
  const names = pieces.map(({ column, offset }) => `${column}:${offset}`).sort();
  return `${names.join(" ")}${inTurn ? " feat" : ""}`;
}

/** Rows of the features of words, by template. */
class WordRows {
  readonly #features: WordFeatures;
  readonly #alphabet: TensorAlphabet;
  readonly #width: number;
  #rows: number[][] = [];
  readonly #bias = [0];

  constructor(templates: readonly WordTemplate[], alphabet: TensorAlphabet) {
    this.#features = new WordFeatures(templates);
    this.#alphabet = alphabet;
    this.#width = templates.length;
  }

  prepare(sentence: EncodedSentence): void {
    const features = this.#features;
    features.prepare(sentence);
    this.#rows = Array.from({ length: (sentence.n + 1) * this.#width }, () => []);
    for (let i = 0; i <= sentence.n; i++) {
      for (let k = features.start[i]!; k < features.start[i + 1]!; k++) {
        // A feature without a row keeps its index among those taken in turn.
        const row = this.#alphabet.row(features.codes[k]!) || -1;
        this.#rows[i * this.#width + features.templates[k]!]!.push(row);
      }
    }
  }

  /** Rows of a word for a template: one, or one for each morphological feature; -1 where there is none. */
  of(word: number, template: number): readonly number[] {
    return template < 0 ? this.#bias : this.#rows[word * this.#width + template]!;
  }
}

/** Collects the entries of the arcs of sentences. */
class Collector {
  readonly entries = new EntryTable();
  readonly #joins: readonly Join[];
  readonly #rows: WordRows;
  readonly #weights: Float32Array;
  readonly #arcPlaces = new Int32Array(ARC_FEATURES);
  #sentence!: EncodedSentence;
  #lines = new Int32Array(64);

  constructor(joins: readonly Join[], rows: WordRows, weights: Float32Array) {
    this.#joins = joins;
    this.#rows = rows;
    this.#weights = weights;
  }

  prepare(sentence: EncodedSentence): void {
    this.#sentence = sentence;
    this.#rows.prepare(sentence);
    let most = 0;
    for (const { features } of this.#joins) {
      features.prepare(sentence);
      most = Math.max(most, features.capacity);
    }
    if (this.#lines.length < most) this.#lines = new Int32Array(2 * most);
  }

  /** Adds the entries of an arc. O(joins). */
  add(h: number, m: number): void {
    const lines = this.#lines;
    const right = h < m;
    arcRows(this.#sentence, h, m, this.#arcPlaces);
    for (const { features, head, modifier, count } of this.#joins) {
      if (head < 0) features.modifier(m, right, lines);
      else if (modifier < 0) features.head(h, right, lines);
      else features.arc(h, m, lines);
      const place = this.#arcPlaces[count < 0 ? DIRECTION : COUNTS + count]!;
      const far = count < 0 ? this.#arcPlaces[DISTANCE]! : -1;
      this.#addLines(this.#rows.of(h, head), this.#rows.of(m, modifier), bucketOf(h, m), place, far);
    }
  }

  /**
   * Adds the lines written last: those of all pairs of a row of the head and one of the modifier, in this
   * order.
   */
  #addLines(
    heads: readonly number[],
    modifiers: readonly number[],
    bucket: number,
    place: number,
    far: number,
  ) {
    const weights = this.#weights;
    let k = 0;
    for (const head of heads) {
      for (const modifier of modifiers) {
        const line = this.#lines[k++]!;
        if (head < 0 || modifier < 0) continue;
        if (weights[line] !== 0) this.entries.set(head, modifier, place, weights[line]!);
        const distant = weights[line + bucket]!;
        if (far >= 0 && distant !== 0) this.entries.set(head, modifier, far, distant);
      }
    }
  }
}

/** Entries by their indices: an open-addressing hash table in typed arrays, at most half full. */
class EntryTable {
  #heads = new Int32Array(2 ** 12);
  #modifiers = new Int32Array(2 ** 12);
  #arcs = new Int32Array(2 ** 12);
  #values = new Float64Array(2 ** 12);
  #size = 0;
  /** Index of the entry in each slot, from 1; 0: free. */
  #slots = new Int32Array(2 ** 13);

  /** Sets an entry. O(1) expected. */
  set(head: number, modifier: number, arc: number, value: number): void {
    const mask = this.#slots.length - 1;
    let slot = slotOf(head, modifier, arc) & mask;
    for (let entry = this.#slots[slot]!; entry !== 0; entry = this.#slots[slot]!) {
      const k = entry - 1;
      if (this.#heads[k] === head && this.#modifiers[k] === modifier && this.#arcs[k] === arc) {
        this.#values[k] = value;
        return;
      }
      slot = (slot + 1) & mask;
    }
    const k = this.#size++;
    this.#slots[slot] = k + 1;
    this.#heads[k] = head;
    this.#modifiers[k] = modifier;
    this.#arcs[k] = arc;
    this.#values[k] = value;
    if (this.#size === this.#values.length) this.#grow();
  }

  #grow(): void {
    this.#heads = doubled(this.#heads);
    this.#modifiers = doubled(this.#modifiers);
    this.#arcs = doubled(this.#arcs);
    const values = new Float64Array(2 * this.#size);
    values.set(this.#values);
    this.#values = values;
    const slots = new Int32Array(4 * this.#size);
    const mask = slots.length - 1;
    for (let k = 0; k < this.#size; k++) {
      let slot = slotOf(this.#heads[k]!, this.#modifiers[k]!, this.#arcs[k]!) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = k + 1;
    }
    this.#slots = slots;
  }

  tensor(words: number): SparseTensor {
    return {
      heads: this.#heads.slice(0, this.#size),
      modifiers: this.#modifiers.slice(0, this.#size),
      arcs: this.#arcs.slice(0, this.#size),
      values: this.#values.slice(0, this.#size),
      words,
      arcRows: ARC_ROWS,
    };
  }
}

function slotOf(head: number, modifier: number, arc: number): number {
  return mix(Math.imul(mix(Math.imul(head, 0x9e3779b1) + modifier), 0x85ebca6b) + arc);
}

function doubled(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * array.length);
  larger.set(array);
  return larger;
}

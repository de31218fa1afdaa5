import {
  type ArcFeatures,
  arcFeatures,
  type EncodedSentence,
  SyntaxFeatures,
  type SyntaxInput,
  type Template,
  type Weights,
} from "@arcwise/core/features";

/** Features of arcs by their words, and by the basic tree if the model has such features. */
export class WordAndTreeFeatures implements ArcFeatures {
  /** The tree of the sentence that is prepared next. */
  tree: SyntaxInput | undefined;
  readonly #words: ArcFeatures;
  readonly #syntax: SyntaxFeatures | undefined;

  constructor(
    templates: readonly Template[],
    syntax: readonly Template[] | undefined,
    bits: number,
    length: number,
  ) {
    this.#words = arcFeatures(templates, bits, length);
    this.#syntax = syntax && new SyntaxFeatures(syntax, bits, length);
  }

  get capacity(): number {
    return this.#words.capacity + (this.#syntax?.width ?? 0);
  }

  prepare(sentence: EncodedSentence): void {
    this.#words.prepare(sentence);
    if (this.#syntax === undefined) return;
    if (this.tree === undefined)
      throw new RangeError("expected a basic tree, with which the model was trained; got none");
    this.#syntax.prepare(sentence, this.tree);
  }

  arc(h: number, m: number, lines: Int32Array): number {
    return this.#withTree(h, m, lines, this.#words.arc(h, m, lines));
  }

  sumArc(h: number, m: number, weights: Weights, bucket: number, lines: Int32Array): number {
    const count = this.arc(h, m, lines);
    let sum = 0;
    for (let k = 0; k < count; k++) sum += weights[lines[k]!] + weights[lines[k] + bucket];
    return sum;
  }

  /** Writes the lines of a word alone, with its place in the tree; returns their number. */
  word(w: number, lines: Int32Array): number {
    return this.#withTree(w, w, lines, this.#words.head(w, true, lines));
  }

  #withTree(h: number, m: number, lines: Int32Array, count: number): number {
    return this.#syntax === undefined ? count : this.#syntax.lines(h, m, lines, count);
  }

  head(h: number, right: boolean, lines: Int32Array): number {
    return this.#words.head(h, right, lines);
  }

  modifier(m: number, right: boolean, lines: Int32Array): number {
    return this.#words.modifier(m, right, lines);
  }
}

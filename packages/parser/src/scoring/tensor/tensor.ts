import type { SparseVector } from "@arcwise/core";
import { type EncodedSentence, type Weights, type WeightTable, WordFeatures } from "@arcwise/core/features";
import type { ModelWeights } from "../model-weights.ts";
import type { ScoreTerm, SentenceTerm } from "../score-term.ts";
import { TensorAlphabet } from "./tensor-alphabet.ts";
import {
  ARC_FEATURES,
  ARC_ROWS,
  arcRows,
  COUNTS,
  DIRECTION,
  DISTANCE,
  type TensorSettings,
  tensorDimension,
  VECTORS,
  wordRows,
} from "./tensor-rows.ts";
import type { QuantizedVectors } from "./word-vectors.ts";

/** The three factors of a tensor. */
export const FACTORS = 3;

/** A factor of a tensor: 0 heads, 1 modifiers, 2 arcs. */
export type Factor = 0 | 1 | 2;

/** An arc whose features are added `amount` times. */
export interface ArcChange {
  readonly h: number;
  readonly m: number;
  readonly amount: number;
}

/** The scores of a tensor for one sentence. */
export interface TensorSentence extends SentenceTerm {
  /** Adds the features of arcs, each times its amount, for one factor with the others fixed. */
  addFeatures(changes: readonly ArcChange[], factor: Factor, into: SparseVector): void;
}

const NO_WEIGHTS: WeightTable = { values: new Float32Array(0), first: 0, scale: 1 };

/**
 * Scores arcs by a low-rank tensor (Lei, Xin, Zhang, Barzilay and Jaakkola 2014, "Low-Rank Tensors for
 * Scoring Dependency Structures"): the score of an arc is the sum over r of (U φ_head)_r (V φ_modifier)_r (W
 * φ_arc)_r, where φ_head and φ_modifier are the features of the two words in their contexts, and φ_arc those
 * of direction, distance and the words between. Sparse features of arcs are chosen conjunctions; this scores
 * all of them, with few parameters.
 *
 * U φ_head and V φ_modifier are summed once a word, so that an arc costs a few operations a rank.
 *
 * Given two of the three factors, the score is linear in the weights of the third. Learners of linear weights
 * therefore change one factor at a time: the features of an arc are those of the current factor.
 */
export class TensorScorer implements ScoreTerm {
  /** Number of weights. */
  readonly dimension: number;
  readonly rank: number;
  readonly #features: WordFeatures;
  readonly #alphabet: TensorAlphabet;
  readonly #vectors: QuantizedVectors | undefined;
  /** Rows of the features of words, of heads as of modifiers. */
  readonly #words: number;
  readonly #scale: number;
  #weights: Weights = new Float32Array(0);
  #first = 0;
  #sentence!: EncodedSentence;
  /** The reading of a sentence for which the sums below are valid. */
  #current: object | undefined;
  /** The factor whose gradients are gathered. */
  #factor: Factor = 0;
  /** Rows of the features of word i, except the bias: `#rows[#start[i] .. #start[i + 1] - 1]`. */
  #rows = new Int32Array(0);
  #start = new Int32Array(0);
  #headSums = new Float64Array(0);
  #modifierSums = new Float64Array(0);
  readonly #arcSum: Float64Array;
  readonly #arcRows = new Int32Array(ARC_FEATURES);
  /** Gradients of the words (or of the arcs' features) by rank, gathered by `#addArc`. */
  #gradients = new Float64Array(0);
  #touched = new Uint8Array(0);

  /** @throws RangeError on a template that cannot be read */
  constructor({ configuration: { rank, templates, scale }, codes, vectors }: TensorSettings) {
    this.rank = rank;
    this.#words = wordRows(codes.length, vectors?.dimension ?? 0);
    this.dimension = tensorDimension(rank, this.#words);
    this.#vectors = vectors;
    this.#features = new WordFeatures(templates);
    this.#alphabet = new TensorAlphabet(codes);
    this.#scale = scale;
    this.#arcSum = new Float64Array(rank);
  }

  /**
   * Reads a sentence with weights that do not change while it is in use. O(n · templates · rank).
   *
   * @throws RangeError when there are fewer weights than `dimension`
   */
  read(sentence: EncodedSentence, { tensor }: Pick<ModelWeights, "tensor">): TensorSentence {
    const table = tensor ?? NO_WEIGHTS;
    const { values, first } = table;
    if (values.length < first + this.dimension) {
      throw new RangeError(
        `expected ${this.dimension} weights of a tensor from ${first} on, got ${values.length} in all`,
      );
    }
    const reading = { sentence, table };
    this.#use(reading);
    return {
      restrict: (candidates) => candidates,
      addArcScores: ({ head, modifier }, scores) => {
        this.#use(reading);
        for (let a = 0; a < head.length; a++) scores[a]! += this.#score(head[a]!, modifier[a]!);
      },
      labelScores: () => undefined,
      addFeatures: (changes, factor, into) => {
        this.#use(reading);
        this.#factor = factor;
        this.#clear();
        for (const { h, m, amount } of changes) this.#addArc(h, m, amount);
        this.#addGathered(into);
      },
    };
  }

  /** Sums the rows of all words of a sentence, unless it is the current one. */
  #use(reading: { readonly sentence: EncodedSentence; readonly table: WeightTable }): void {
    if (this.#current === reading) return;
    this.#current = reading;
    const { sentence, table } = reading;
    this.#weights = table.values;
    this.#first = table.first;
    const features = this.#features;
    const alphabet = this.#alphabet;
    features.prepare(sentence);
    this.#sentence = sentence;
    this.#findRows(sentence.n);
    const size = (sentence.n + 1) * this.rank;
    if (this.#headSums.length < size) {
      this.#headSums = new Float64Array(2 * size);
      this.#modifierSums = new Float64Array(2 * size);
    }
    for (let table = 0; table < 2; table++) {
      const first = this.#first + table * this.#words * this.rank;
      const sums = table === 0 ? this.#headSums : this.#modifierSums;
      this.#sumWords(sentence.n, first, sums);
      if (this.#vectors) this.#sumVectors(sentence, first + alphabet.size * this.rank, this.#vectors, sums);
    }
  }

  /** Finds the rows of the features that have one. */
  #findRows(n: number): void {
    const { start, codes } = this.#features;
    const alphabet = this.#alphabet;
    const most = start[n + 1]!;
    if (this.#rows.length < most) this.#rows = new Int32Array(2 * most);
    if (this.#start.length < n + 2) this.#start = new Int32Array(2 * (n + 2));
    const rows = this.#rows;
    let count = 0;
    for (let i = 0; i <= n; i++) {
      this.#start[i] = count;
      for (let k = start[i]!; k < start[i + 1]!; k++) {
        const row = alphabet.row(codes[k]!);
        if (row !== 0) rows[count++] = row;
      }
    }
    this.#start[n + 1] = count;
  }

  /** Sums of the rows of every word, the table of rows beginning at `first`; four rows at a time. */
  #sumWords(n: number, first: number, sums: Float64Array): void {
    const rank = this.rank;
    const weights = this.#weights;
    const rows = this.#rows;
    const start = this.#start;
    for (let i = 0; i <= n; i++) {
      const at = i * rank;
      const to = start[i + 1]!;
      for (let r = 0; r < rank; r++) sums[at + r] = weights[first + r]!;
      let k = start[i]!;
      for (; k + 3 < to; k += 4) {
        const a = first + rows[k]! * rank;
        const b = first + rows[k + 1]! * rank;
        const c = first + rows[k + 2]! * rank;
        const d = first + rows[k + 3]! * rank;
        for (let r = 0; r < rank; r++) {
          sums[at + r]! += weights[a + r]! + weights[b + r]! + (weights[c + r]! + weights[d + r]!);
        }
      }
      for (; k < to; k++) {
        const row = first + rows[k]! * rank;
        for (let r = 0; r < rank; r++) sums[at + r]! += weights[row + r]!;
      }
    }
  }

  /** Adds the rows of the entries of vectors, which begin at `first`, to the sums of every word. */
  #sumVectors(
    { n, vectors }: EncodedSentence,
    first: number,
    { dimension, values, scales }: QuantizedVectors,
    sums: Float64Array,
  ): void {
    const rank = this.rank;
    const weights = this.#weights;
    for (let i = 0; i <= n; i++) {
      for (let near = 0; near < VECTORS; near++) {
        const word = vectors?.[i + near - 1] ?? 0;
        if (word === 0) continue;
        let row = first + near * dimension * rank;
        for (let d = 0; d < dimension; d++) {
          const number = values[(word - 1) * dimension + d]! * scales[word - 1]!;
          for (let r = 0; r < rank; r++) sums[i * rank + r]! += number * weights[row + r]!;
          row += rank;
        }
      }
    }
  }

  /** The score of an arc of the sentence. O(rank). */
  #score(h: number, m: number): number {
    const rank = this.rank;
    const headSums = this.#headSums;
    const modifierSums = this.#modifierSums;
    const arcSum = this.#arcSum;
    this.#sumArc(h, m);
    const ofHead = h * rank;
    const ofModifier = m * rank;
    let sum = 0;
    for (let r = 0; r < rank; r++) sum += headSums[ofHead + r]! * modifierSums[ofModifier + r]! * arcSum[r]!;
    return this.#scale * sum;
  }

  /** Sums the rows of an arc's features. */
  #sumArc(h: number, m: number): void {
    const rank = this.rank;
    const weights = this.#weights;
    const sum = this.#arcSum;
    const rows = this.#arcRows;
    const first = this.#first + 2 * this.#words * rank;
    arcRows(this.#sentence, h, m, rows);
    const a = first + rows[0]! * rank;
    const b = first + rows[DIRECTION]! * rank;
    const c = first + rows[DISTANCE]! * rank;
    for (let r = 0; r < rank; r++) sum[r] = weights[a + r]! + weights[b + r]! + weights[c + r]!;
    for (let k = COUNTS; k < ARC_FEATURES; k++) {
      const row = first + rows[k]! * rank;
      for (let r = 0; r < rank; r++) sum[r]! += weights[row + r]!;
    }
  }

  /** Clears the gradients that `#addArc` gathered. */
  #clear(): void {
    const rows = Math.max(this.#sentence.n + 1, ARC_ROWS);
    if (this.#touched.length < rows) {
      this.#touched = new Uint8Array(2 * rows);
      this.#gradients = new Float64Array(2 * rows * this.rank);
    }
    this.#touched.fill(0);
  }

  /** Gathers `amount` times the features of an arc for the current factor. O(rank). */
  #addArc(h: number, m: number, amount: number): void {
    const rank = this.rank;
    const headSums = this.#headSums;
    const modifierSums = this.#modifierSums;
    const arcSum = this.#arcSum;
    const ofHead = h * rank;
    const ofModifier = m * rank;
    const scale = amount * this.#scale;
    this.#sumArc(h, m);
    if (this.#factor === 2) {
      for (let k = 0; k < ARC_FEATURES; k++) {
        const at = this.#gradientOf(this.#arcRows[k]!);
        for (let r = 0; r < rank; r++) {
          this.#gradients[at + r]! += scale * headSums[ofHead + r]! * modifierSums[ofModifier + r]!;
        }
      }
      return;
    }
    const ofOther = this.#factor === 0 ? ofModifier : ofHead;
    const others = this.#factor === 0 ? modifierSums : headSums;
    const at = this.#gradientOf(this.#factor === 0 ? h : m);
    for (let r = 0; r < rank; r++) this.#gradients[at + r]! += scale * others[ofOther + r]! * arcSum[r]!;
  }

  #gradientOf(index: number): number {
    const at = index * this.rank;
    if (this.#touched[index] === 0) {
      this.#touched[index] = 1;
      this.#gradients.fill(0, at, at + this.rank);
    }
    return at;
  }

  /** Adds the gathered gradients to a vector, which has the same indices as the weights. */
  #addGathered(into: SparseVector): void {
    const { rank } = this;
    const factor = this.#factor;
    const start = this.#start;
    const first = this.#first + factor * this.#words * rank;
    const count = factor === 2 ? ARC_ROWS : this.#sentence.n + 1;
    for (let i = 0; i < count; i++) {
      if (this.#touched[i] === 0) continue;
      const at = i * rank;
      this.#addRow(factor === 2 ? first + at : first, at, 1, into);
      if (factor === 2) continue;
      for (let k = start[i]!; k < start[i + 1]!; k++) {
        this.#addRow(first + this.#rows[k]! * rank, at, 1, into);
      }
      if (this.#vectors) this.#addVectors(i, first + this.#alphabet.size * rank, this.#vectors, into);
    }
  }

  #addVectors(
    i: number,
    first: number,
    { dimension, values, scales }: QuantizedVectors,
    into: SparseVector,
  ): void {
    for (let near = 0; near < VECTORS; near++) {
      const word = this.#sentence.vectors?.[i + near - 1] ?? 0;
      if (word === 0) continue;
      for (let d = 0; d < dimension; d++) {
        const number = values[(word - 1) * dimension + d]! * scales[word - 1]!;
        this.#addRow(first + (near * dimension + d) * this.rank, i * this.rank, number, into);
      }
    }
  }

  #addRow(row: number, at: number, amount: number, into: SparseVector): void {
    const gradients = this.#gradients;
    for (let r = 0; r < this.rank; r++) {
      const change = amount * gradients[at + r]!;
      if (change !== 0) into.add(row + r, change);
    }
  }
}

import type { Random } from "@arcwise/core";
import {
  type BiaffineTrace,
  biaffineBackward,
  biaffineForward,
  columnFrom,
  copyRows,
  denseBackward,
  denseForward,
  type LstmTrace,
  lstmBackward,
  lstmForward,
  type Matrix,
  type MatrixMemory,
  rowsOf,
  type SentenceBatch,
} from "@arcwise/neural";
import {
  type LabelInputs,
  labelBackward,
  labelForward,
  labelInputs,
  labelInputsBackward,
  labelUnits,
  type RowPair,
} from "./label-layer.ts";
import {
  initialParameters,
  LAYERS,
  type NetworkShape,
  networkSize,
  type Places,
  placesAt,
} from "./network-layout.ts";

/** What a network reads: which embeddings are summed for each row of a batch. */
export interface NetworkInput {
  readonly batch: SentenceBatch;
  /** Features of row r: `features[start[r] .. start[r + 1] - 1]`. */
  readonly start: Int32Array;
  readonly features: Int32Array;
}

/** Numbers are dropped in training, each with the probability of its kind, and the others grow to make up for it. */
export interface Noise {
  /** Of the numbers of words, and of those between layers. */
  readonly rates: { readonly words: number; readonly layers: number };
  readonly stream: Random;
}

/** A loss of the scores of a batch, as its slopes. */
export interface NetworkLoss {
  /** Of a sentence: the score of head h for modifier m is in row m and column h. */
  heads(sentence: number, scores: Matrix, slopes: Matrix, length: number): void;
  /** Of the arcs: a row each, of the scores of labels. */
  labels(scores: Matrix, slopes: Matrix): void;
}

/** One pass over a batch. */
export interface Trace {
  readonly input: NetworkInput;
  /** What each layer reads, from words on, and what the last one writes. */
  readonly states: readonly Matrix[];
  readonly layers: readonly (readonly [LstmTrace, LstmTrace])[];
  readonly heads: Matrix;
  readonly modifiers: Matrix;
  readonly sentences: readonly BiaffineTrace[];
  readonly labels: LabelInputs;
  /** What the numbers of words, layers, heads and modifiers were multiplied by; absent without noise. */
  readonly masks: Map<Matrix, Matrix>;
}

/**
 * Scores all arcs of a sentence by a network: the embeddings of each word's features are summed, recurrent layers read the
 * words in both directions (Kiperwasser and Goldberg 2016), and a biaffine form of what they make of head and modifier is the
 * score (Dozat and Manning 2017). A layer over the two words scores labels. Trained by the likelihood of each word's head and label.
 *
 * Cost: O(n units² + n² units) a sentence, with 50 units² products a word; three times that to learn from it.
 */
export class ArcNetwork {
  readonly shape: NetworkShape;
  readonly memory: MatrixMemory;
  /** Where the parameters begin, and how many there are. */
  readonly first: number;
  readonly size: number;
  /** How many of them, the first ones, are embeddings. */
  readonly embeddings: number;
  /** How far from a parameter its gradient lies. */
  readonly #gradient: number;
  readonly #places: Places;

  /** @param learning whether there is room for gradients: that of the parameters once more */
  constructor(memory: MatrixMemory, shape: NetworkShape, learning: boolean) {
    this.shape = shape;
    this.memory = memory;
    this.size = networkSize(shape);
    this.first = memory.allocate(this.size);
    this.#gradient = learning ? memory.allocate(this.size) - this.first : 0;
    this.#places = placesAt(this.first, shape);
    this.embeddings = this.#places.ofEmbeddings;
  }

  /** The parameters. Not to be held across a call: memory may move. */
  get parameters(): Float32Array {
    return this.memory.values.subarray(this.first, this.first + this.size);
  }

  /** Where their gradients begin. */
  get firstGradient(): number {
    return this.first + this.#gradient;
  }

  get gradient(): Float32Array {
    return this.memory.values.subarray(this.firstGradient, this.firstGradient + this.size);
  }

  /** Random parameters: the same seed gives the same. */
  initialize(seed: number): void {
    initialParameters(this.memory.values, this.#places, seed);
  }

  /** Reads sentences: what it computes stays in memory until that is released. */
  read(input: NetworkInput): Trace {
    return this.#forward(input, undefined);
  }

  /** Scores of the labels of arcs, which are given by the rows of their words: a row of `padded(labels)` columns each. */
  labelScores(trace: Trace, arcs: readonly RowPair[]): Matrix {
    const { labels } = this.#places;
    const units = labelUnits(this.memory, labels, trace.labels, arcs);
    return labelForward(this.memory, labels, units, arcs.length);
  }

  /**
   * Adds the gradient of a loss of the scores of heads and of those of the labels of some arcs.
   *
   * @param arcs by the rows of their words
   * @param loss writes the slopes of the loss by each score into matrices of the same shape, which are 0
   */
  learn(input: NetworkInput, noise: Noise, arcs: readonly RowPair[], loss: NetworkLoss): void {
    const { memory } = this;
    const mark = memory.mark;
    const trace = this.#forward(input, noise);
    const ofHeads = trace.sentences.map(({ scores, length }, s) => {
      const into = memory.matrix(length, scores.row);
      loss.heads(s, scores, into, length);
      return into;
    });
    const stateSlopes = this.#learnLabels(trace, noise, arcs, loss);
    this.#backward(trace, ofHeads, stateSlopes);
    memory.release(mark);
  }

  /** Scores labels and adds the gradient of their loss: returns the slopes of the last states. */
  #learnLabels(trace: Trace, noise: Noise, arcs: readonly RowPair[], loss: NetworkLoss): Matrix {
    const { memory } = this;
    const { labels } = this.#places;
    const gradient = this.#gradient;
    const rows = rowsOf(trace.input.batch);
    const states = trace.states.at(-1)!;
    const units = labelUnits(memory, labels, trace.labels, arcs);
    const length = arcs.length * units.row;
    const mask = dropout(memory, units, length, noise.rates.layers, noise.stream);
    const scores = labelForward(memory, labels, units, arcs.length);
    const slopes = memory.matrix(arcs.length, scores.row);
    loss.labels(scores, slopes);
    const ofUnits = memory.matrix(arcs.length, units.row);
    labelBackward(memory, labels, units, slopes, ofUnits, arcs.length, gradient);
    multiplyInPlace(memory.values, ofUnits, mask, length);
    const ofStates = memory.matrix(rows, states.row);
    labelInputsBackward(memory, labels, states, units, ofUnits, ofStates, arcs, rows, gradient);
    return ofStates;
  }

  #forward(input: NetworkInput, noise: Noise | undefined): Trace {
    const { memory } = this;
    const { units } = this.shape;
    const { layers, head, modifier, biaffine } = this.#places;
    const { batch } = input;
    const rows = rowsOf(batch);
    const masks = new Map<Matrix, Matrix>();
    const drop = (numbers: Matrix, kind: "words" | "layers") => {
      if (!noise) return;
      masks.set(numbers, dropout(memory, numbers, rows * numbers.row, noise.rates[kind], noise.stream));
    };
    const words = memory.matrix(rows, units);
    this.#sumEmbeddings(input, words);
    drop(words, "words");
    const states = [words];
    const traces = layers.map((directions) => {
      const before = states.at(-1)!;
      const after = memory.matrix(rows, 2 * units);
      const [forward, backward] = directions.map((shape, d) =>
        lstmForward(memory, shape, batch, before, columnFrom(after, d * units)),
      );
      drop(after, "layers");
      states.push(after);
      return [forward!, backward!] as const;
    });
    const heads = denseForward(memory, head, states.at(-1)!, rows);
    drop(heads, "layers");
    const modifiers = denseForward(memory, modifier, states.at(-1)!, rows);
    drop(modifiers, "layers");
    const sentences = batch.lengths.map((length, s) => {
      const [ofHeads, ofModifiers] = [heads, modifiers].map((numbers) =>
        this.#gather(batch, numbers, s, length),
      );
      return biaffineForward(memory, biaffine, ofHeads!, ofModifiers!, length);
    });
    const labels = labelInputs(memory, this.#places.labels, states.at(-1)!, rows);
    return { input, states, layers: traces, heads, modifiers, sentences, labels, masks };
  }

  /** @param above slopes of the last states that labels have */
  #backward(trace: Trace, scoreSlopes: readonly Matrix[], above: Matrix): void {
    const { memory } = this;
    const { units } = this.shape;
    const { layers, head, modifier, biaffine } = this.#places;
    const gradient = this.#gradient;
    const { batch } = trace.input;
    const rows = rowsOf(batch);
    const undrop = (numbers: Matrix, slopes: Matrix) => {
      const mask = trace.masks.get(numbers);
      if (mask) multiplyInPlace(memory.values, slopes, mask, rows * numbers.row);
    };
    const headSlopes = memory.matrix(rows, units);
    const modifierSlopes = memory.matrix(rows, units);
    for (const [s, sentence] of trace.sentences.entries()) {
      const mark = memory.mark;
      const [ofHeads, ofModifiers] = [
        memory.matrix(sentence.length, units),
        memory.matrix(sentence.length, units),
      ];
      biaffineBackward(memory, biaffine, sentence, scoreSlopes[s]!, ofHeads, ofModifiers, gradient);
      this.#scatter(batch, headSlopes, ofHeads, s, sentence.length);
      this.#scatter(batch, modifierSlopes, ofModifiers, s, sentence.length);
      memory.release(mark);
    }
    let slopes = above;
    for (const [shape, numbers, own] of [
      [head, trace.heads, headSlopes],
      [modifier, trace.modifiers, modifierSlopes],
    ] as const) {
      undrop(numbers, own);
      denseBackward(memory, shape, trace.states.at(-1)!, numbers, own, slopes, rows, gradient);
    }
    for (let layer = LAYERS - 1; layer >= 0; layer--) {
      undrop(trace.states[layer + 1]!, slopes);
      const below = memory.matrix(rows, trace.states[layer]!.row);
      for (const [d, shape] of layers[layer]!.entries()) {
        const own = columnFrom(slopes, d * units);
        lstmBackward(memory, shape, batch, trace.layers[layer]![d]!, own, below, gradient);
      }
      slopes = below;
    }
    undrop(trace.states[0]!, slopes);
    this.#addToEmbeddings(trace.input, slopes);
  }

  #sumEmbeddings({ start, features }: NetworkInput, words: Matrix): void {
    const { values } = this.memory;
    const { units } = this.shape;
    const table = this.#places.embeddings.at;
    for (let r = 0; r + 1 < start.length; r++) {
      const into = words.at + r * units;
      for (let f = start[r]!; f < start[r + 1]!; f++) {
        const from = table + features[f]! * units;
        for (let k = 0; k < units; k++) values[into + k]! += values[from + k]!;
      }
    }
  }

  #addToEmbeddings({ start, features }: NetworkInput, slopes: Matrix): void {
    const { values } = this.memory;
    const { units } = this.shape;
    const table = this.#places.embeddings.at + this.#gradient;
    for (let r = 0; r + 1 < start.length; r++) {
      const from = slopes.at + r * units;
      for (let f = start[r]!; f < start[r + 1]!; f++) {
        const into = table + features[f]! * units;
        for (let k = 0; k < units; k++) values[into + k]! += values[from + k]!;
      }
    }
  }

  /** The rows of one sentence, one after the other. */
  #gather({ start }: SentenceBatch, from: Matrix, s: number, length: number): Matrix {
    const into = this.memory.matrix(length, this.shape.units);
    for (let t = 0; t < length; t++) {
      copyRows(this.memory.values, into, t, from, start[t]! + s, 1, this.shape.units);
    }
    return into;
  }

  #scatter({ start }: SentenceBatch, into: Matrix, from: Matrix, s: number, length: number): void {
    for (let t = 0; t < length; t++) {
      copyRows(this.memory.values, into, start[t]! + s, from, t, 1, this.shape.units);
    }
  }
}

/** Multiplies numbers by 0 or by what makes up for that, at random; returns the factors. */
function dropout(
  memory: MatrixMemory,
  numbers: Matrix,
  length: number,
  rate: number,
  stream: Random,
): Matrix {
  const mask = memory.matrix(1, length);
  const { values } = memory;
  const bound = rate * 2 ** 32;
  const kept = 1 / (1 - rate);
  for (let i = 0; i < length; i++) values[mask.at + i] = stream.uint32() < bound ? 0 : kept;
  multiplyInPlace(values, numbers, mask, length);
  return mask;
}

function multiplyInPlace(values: Float32Array, numbers: Matrix, factors: Matrix, length: number): void {
  for (let i = 0; i < length; i++) values[numbers.at + i]! *= values[factors.at + i]!;
}

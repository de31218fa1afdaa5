import { type Arcs, completeArcs, type Random, SparseVector } from "@arcwise/core";
import { arcFeatures, type EncodedSentence, lineLength, type Template } from "@arcwise/core/features";
import { eisnerDecoder } from "@arcwise/decode-mst";
import { ArcScorer, type Weights } from "./arc-scorer.ts";

const LINE = lineLength(0);

/** The feature set of a pruner. */
export interface PrunerConfiguration {
  readonly prunerTemplates: readonly Template[];
  /** The table has 2^bits lines of 8 weights. With 15, as Int8, it fits the second-level cache. */
  readonly prunerBits: number;
}

export interface PruneOptions {
  /** A head is kept when it is at least this fraction as probable as the best head of the word. */
  readonly ratio: number;
  /** ... and is among this many. */
  readonly most: number;
}

/** Heads of a tree over the arcs that is to be among the candidates, come what may. */
export type Backbone = (arcs: Arcs, scores: Float64Array) => Int32Array;

/** The best projective tree with a single root: with it among the candidates, no decoder runs out of trees. */
export function backboneOf(): Backbone {
  const decoder = eisnerDecoder();
  return (arcs, arcScores) => decoder.decode({ arcs, arcScores, parts: [] }).heads;
}

/** Looks at all pairs of words with a small model, and keeps the likely heads of each word. */
export class Pruner {
  readonly weights: Weights;
  readonly scale: number;
  readonly #scorer: ArcScorer;
  readonly #complete: Arcs[] = [];

  /** @param scale what a weight is multiplied by */
  constructor(weights: Weights, scale: number, { prunerTemplates, prunerBits }: PrunerConfiguration) {
    this.weights = weights;
    this.scale = scale;
    this.#scorer = new ArcScorer(arcFeatures(prunerTemplates, prunerBits, LINE), 0);
  }

  /**
   * Candidate arcs of a sentence: the likely heads of each word, the arcs of the backbone, and those of the
   * gold tree in training. O(n² templates).
   */
  prune(sentence: EncodedSentence, options: PruneOptions, backbone: Backbone, gold?: Int32Array): Arcs {
    const { n } = sentence;
    const all = this.score(sentence);
    const scores = this.#scorer.scores;
    const always = backbone(all, scores.slice(0, all.head.length));
    const margin = Math.log(options.ratio);
    const start = new Int32Array(n + 2);
    const head: number[] = [];
    const modifier: number[] = [];
    for (let m = 1; m <= n; m++) {
      const from = all.start[m]!;
      const to = all.start[m + 1]!;
      const threshold = keepAbove(scores, from, to, margin, options.most);
      for (let a = from; a < to; a++) {
        const h = all.head[a]!;
        if (scores[a]! >= threshold || always[m] === h || gold?.[m] === h) {
          head.push(h);
          modifier.push(m);
        }
      }
      start[m + 1] = head.length;
    }
    return { n, start, head: Int32Array.from(head), modifier: Int32Array.from(modifier) };
  }

  /** Scores all arcs into `scores`; returns them. */
  score(sentence: EncodedSentence): Arcs {
    const { n } = sentence;
    this.#complete[n] ??= completeArcs(n);
    const arcs = this.#complete[n];
    this.#scorer.score(sentence, arcs, this.weights, this.scale);
    return arcs;
  }

  get scores(): Float64Array {
    return this.#scorer.scores;
  }

  get scorer(): ArcScorer {
    return this.#scorer;
  }
}

/** The score from which on the arcs `from .. to - 1` are kept: at most `most`, none `margin` below the best. */
function keepAbove(scores: Float64Array, from: number, to: number, margin: number, most: number): number {
  let best = -Infinity;
  for (let a = from; a < to; a++) if (scores[a]! > best) best = scores[a]!;
  const lowest = best + margin;
  let count = 0;
  for (let a = from; a < to; a++) if (scores[a]! >= lowest) count++;
  if (count <= most) return lowest;
  const kept = scores.slice(from, to).sort();
  return kept[kept.length - most]!;
}

export interface PrunerTraining extends PrunerConfiguration {
  readonly epochs: number;
  /** Step of AdaGrad. */
  readonly rate: number;
  readonly random: Random;
  /** Called after each sentence with the number done in all epochs; awaited when it answers a promise. */
  readonly onSentence: (done: number) => void | Promise<void>;
}

/**
 * Trains a pruner: each word chooses its head by a log-linear model; likelihood is climbed by AdaGrad.
 * O(epochs · n² templates) a sentence.
 */
export async function trainPruner(
  sentences: readonly EncodedSentence[],
  golds: readonly Int32Array[],
  training: PrunerTraining,
): Promise<Float32Array> {
  const { epochs, rate, random, onSentence } = training;
  const size = LINE * 2 ** training.prunerBits;
  const weights = new Float32Array(size);
  const squares = new Float32Array(size);
  const pruner = new Pruner(weights, 1, training);
  const gradient = new SparseVector(1 << 14);
  const order = Int32Array.from(sentences.keys());
  for (let epoch = 0; epoch < epochs; epoch++) {
    random.shuffle(order);
    for (let k = 0; k < order.length; k++) {
      const index = order[k]!;
      gradient.clear();
      addGradient(pruner, sentences[index]!, golds[index]!, gradient);
      adaGradStep(weights, squares, gradient, rate);
      const pause = onSentence(epoch * order.length + k + 1);
      if (pause instanceof Promise) await pause;
    }
  }
  return weights;
}

function adaGradStep(
  weights: Float32Array,
  squares: Float32Array,
  gradient: SparseVector,
  rate: number,
): void {
  const { indices, values, size } = gradient;
  for (let e = 0; e < size; e++) {
    const i = indices[e]!;
    const slope = values[e]!;
    squares[i]! += slope * slope;
    weights[i]! += (rate * slope) / (1e-6 + Math.sqrt(squares[i]!));
  }
}

const NEGLIGIBLE = 0.002;

/** Adds the gradient of the log-probability of the gold heads to `gradient`. */
function addGradient(
  pruner: Pruner,
  sentence: EncodedSentence,
  gold: Int32Array,
  gradient: SparseVector,
): void {
  const arcs = pruner.score(sentence);
  const { scores, scorer } = pruner;
  for (let m = 1; m <= sentence.n; m++) {
    const from = arcs.start[m]!;
    const to = arcs.start[m + 1]!;
    let best = -Infinity;
    for (let a = from; a < to; a++) best = Math.max(best, scores[a]!);
    let sum = 0;
    for (let a = from; a < to; a++) sum += Math.exp(scores[a]! - best);
    for (let a = from; a < to; a++) {
      const h = arcs.head[a]!;
      const slope = (gold[m] === h ? 1 : 0) - Math.exp(scores[a]! - best) / sum;
      if (Math.abs(slope) > NEGLIGIBLE) scorer.addFeatures(h, m, -1, slope, gradient);
    }
  }
}

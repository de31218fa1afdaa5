import { type Arcs, completeArcs } from "@arcwise/core";
import { log } from "@arcwise/core/arithmetic";
import {
  arcFeatures,
  type EncodedSentence,
  lineLength,
  type Template,
  type WeightTable,
} from "@arcwise/core/features";
import { plainEisnerDecoder } from "@arcwise/decode-mst";
import { ArcScorer, type SentenceArcs } from "../scoring/arcs/arc-scorer.ts";
import { isLong, type Reach, reachableArcs } from "./reach.ts";

/** Length of a line of a pruner, which has weights by distance but not by label. */
export const PRUNER_LINE = lineLength(0);

/** The feature set of a pruner. */
export interface PrunerConfiguration {
  readonly prunerTemplates: readonly Template[];
  /**
   * The table has 2^bits lines of 8 weights. With 16 and Int8 it takes half of a second-level cache of one
   * megabyte.
   */
  readonly prunerBits: number;
}

export interface PruneOptions {
  /** A head is kept when it is at least this fraction as probable as the best head of the word. */
  readonly ratio: number;
  /** Maximum number of heads per word. */
  readonly most: number;
}

/** The candidate arcs of a sentence. */
export interface PrunedSentence {
  readonly arcs: Arcs;
  /** Heads of the best projective tree by the pruner. */
  readonly tree: Int32Array;
}

/** Scores all pairs of words within reach with a small model, and keeps the likely heads of each word. */
export class Pruner {
  readonly table: WeightTable;
  readonly reach: Reach;
  readonly #scorer: ArcScorer;
  readonly #eisner = plainEisnerDecoder();
  #candidates = { head: new Int32Array(0), modifier: new Int32Array(0) };

  constructor(table: WeightTable, reach: Reach, { prunerTemplates, prunerBits }: PrunerConfiguration) {
    this.table = table;
    this.reach = reach;
    this.#scorer = new ArcScorer(arcFeatures(prunerTemplates, prunerBits, PRUNER_LINE), 0);
  }

  /**
   * Returns the candidate arcs of a sentence: the likely heads of each word, the arcs of the best projective
   * tree with a single root (so that every decoder finds a tree), and the arcs of the gold tree in training.
   *
   * Cost: O(n² templates + n³) with a small constant; linear in n for sentences of more than 400 words.
   */
  prune(sentence: EncodedSentence, options: PruneOptions, gold?: Int32Array): PrunedSentence {
    const { n } = sentence;
    const { arcs: all, scores } = this.score(sentence, gold);
    const always = this.#projectiveTree(all, scores);
    const margin = log(options.ratio);
    const start = new Int32Array(n + 2);
    const { head, modifier } = this.#reserve(all.head.length);
    let count = 0;
    for (let m = 1; m <= n; m++) {
      const from = all.start[m];
      const to = all.start[m + 1];
      const threshold = keepAbove(scores, from, to, margin, options.most);
      for (let a = from; a < to; a++) {
        const h = all.head[a];
        if (scores[a] >= threshold || always[m] === h || gold?.[m] === h) {
          head[count] = h;
          modifier[count++] = m;
        }
      }
      start[m + 1] = count;
    }
    const arcs = { n, start, head: head.slice(0, count), modifier: modifier.slice(0, count) };
    return { arcs, tree: always };
  }

  #reserve(arcs: number): { head: Int32Array; modifier: Int32Array } {
    if (this.#candidates.head.length < arcs) {
      this.#candidates = { head: new Int32Array(2 * arcs), modifier: new Int32Array(2 * arcs) };
    }
    return this.#candidates;
  }

  /** Scores all arcs within reach, and the arcs of the gold tree in training. */
  score(
    sentence: EncodedSentence,
    gold?: Int32Array,
  ): { readonly arcs: Arcs; readonly scores: Float64Array } {
    const arcs = reachableArcs(sentence, this.reach, gold);
    return { arcs, scores: this.#scorer.score(sentence, arcs, this.table).scores };
  }

  /** Returns the features of the arcs of a sentence. */
  features(sentence: EncodedSentence): SentenceArcs {
    return this.#scorer.features(sentence);
  }

  /** Returns the best projective tree; in a long sentence, the chain on both sides of the likeliest root. */
  #projectiveTree(arcs: Arcs, scores: Float64Array): Int32Array {
    const { n, start } = arcs;
    if (!isLong(n)) return this.#eisner.decode({ arcs, arcScores: scores, parts: [] }).heads;
    let root = 1;
    // The arc from the root is the first of each word.
    for (let m = 2; m <= n; m++) if (scores[start[m]!] > scores[start[root]!]) root = m;
    const chain = Int32Array.from({ length: n + 1 }, (_, m) => (m < root ? m + 1 : m - 1));
    chain[0] = -1;
    chain[root] = 0;
    return chain;
  }
}

/** Finds the candidate arcs of sentences: those that a pruner keeps, or all. */
export function candidates(
  pruner: Pruner | undefined,
  options: PruneOptions | false,
): (sentence: EncodedSentence) => Arcs {
  if (pruner === undefined || options === false) return ({ n }) => completeArcs(n);
  return (sentence) => pruner.prune(sentence, options).arcs;
}

/**
 * Returns the minimum score of the arcs `from .. to - 1` to keep: at most `most`, none `margin` below the
 * best.
 */
function keepAbove(scores: Float64Array, from: number, to: number, margin: number, most: number): number {
  let best = -Infinity;
  for (let a = from; a < to; a++) best = Math.max(best, scores[a]);
  const lowest = best + margin;
  let count = 0;
  for (let a = from; a < to; a++) if (scores[a] >= lowest) count++;
  if (count <= most) return lowest;
  const kept = scores.slice(from, to).sort();
  return kept[kept.length - most];
}

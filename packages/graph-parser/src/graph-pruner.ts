import { type Arcs, completeArcs, filterArcs } from "@arcwise/core";
import { arcFeatures, type EncodedSentence, lineLength, type WeightTable } from "@arcwise/core/features";
import { ArcScorer } from "@arcwise/parser/shared";

/** The features of a pruner. Plain data. */
export interface GraphPrunerConfiguration {
  readonly templates: readonly string[];
  readonly bits: number;
  /** Whether the root is a head. */
  readonly root: boolean;
}

/**
 * Scores every pair of words by a logistic model with few features. The arcs of a graph are independent here,
 * since a word may have any number of heads.
 */
export class GraphPruner {
  /** Whether the root is a head of candidates. */
  readonly root: boolean;
  readonly #table: WeightTable;
  readonly #scorer: ArcScorer;

  constructor(table: WeightTable, { templates, bits, root }: GraphPrunerConfiguration) {
    this.root = root;
    this.#table = table;
    this.#scorer = new ArcScorer(arcFeatures(templates, bits, lineLength(0)), 0);
  }

  /** Returns all pairs of words, with their log-odds. O(n² templates). */
  score(sentence: EncodedSentence): { readonly arcs: Arcs; readonly scores: Float64Array } {
    const arcs = this.root ? completeArcs(sentence.n) : filterArcs(sentence.n, (h) => h > 0);
    return { arcs, scores: this.#scorer.score(sentence, arcs, this.#table).scores };
  }

  /** Returns the features of the arcs of a sentence. */
  features(sentence: EncodedSentence): ReturnType<ArcScorer["features"]> {
    return this.#scorer.features(sentence);
  }

  /**
   * Returns the arcs whose log-odds are at least a threshold, and the arcs of a gold graph or of suggestions if
   * given. O(n² templates).
   */
  prune(sentence: EncodedSentence, threshold: number, also: readonly Pairs[] = []): Arcs {
    const { n } = sentence;
    const { scores } = this.score(sentence);
    const keep = new Uint8Array((n + 1) * (n + 1));
    for (const { head, modifier } of also) {
      for (let e = 0; e < head.length; e++) keep[head[e] * (n + 1) + modifier[e]!] = 1;
    }
    let pair = 0;
    return filterArcs(n, (h, m) => {
      const isLikely = (h > 0 || this.root) && scores[pair++] >= threshold;
      return isLikely || keep[h * (n + 1) + m] === 1;
    });
  }
}

/** Pairs of head and modifier, as columns. */
export interface Pairs {
  readonly head: ArrayLike<number>;
  readonly modifier: ArrayLike<number>;
}

/** The pairs of words of edges, as columns. */
export function pairsOfEdges(edges: readonly { readonly head: number; readonly modifier: number }[]) {
  return { head: edges.map(({ head }) => head), modifier: edges.map(({ modifier }) => modifier) };
}

import type { IncrementalTreeScore, Sentence, SparseVector } from "@arcwise/core";
import {
  type EncodedSentence,
  extend,
  hashString,
  STRING_SEED,
  type WeightTable,
} from "@arcwise/core/features";
import type { FeatureChange, TreePair } from "../tree-pair.ts";
import type { TreeFeature, TreeFeatures } from "./tree-features.ts";
import { ChangingTree } from "./tree-view.ts";

/** A feature with the code that its texts are hashed with. */
interface CodedFeature {
  readonly seed: number;
  readonly feature: TreeFeature;
}

/** Scores whole trees by the features of a module: each text selects one weight of a table. */
export class TreeFeatureScorer {
  readonly #shift: number;
  readonly #features: readonly CodedFeature[];

  /** @param bits the table has 2^bits weights */
  constructor({ features }: TreeFeatures, bits: number) {
    this.#shift = 32 - bits;
    this.#features = Object.entries(features).map(([name, feature]) => ({
      seed: hashString(name, STRING_SEED.treeFeature),
      feature,
    }));
  }

  /**
   * Returns a function that makes scores of changing trees of a sentence, with weights that do not change while the
   * scores are used.
   */
  steps(sentence: EncodedSentence, weights: WeightTable): () => IncrementalTreeScore {
    const words = wordsOf(sentence);
    const scores = new TextScores(this.#shift, this.#features, weights);
    return () => new TreeFeatureClimb(words, scores);
  }

  /**
   * Adds `scale` times the features of a tree, except features of words with the same features in another
   * tree.
   */
  addFeatures(
    sentence: EncodedSentence,
    { heads, than }: TreePair,
    { first, scale }: FeatureChange,
    into: SparseVector,
  ): void {
    const [here, there] = [new ChangingTree(wordsOf(sentence)), new ChangingTree(wordsOf(sentence))];
    here.reset(heads);
    there.reset(than);
    for (const { seed, feature } of this.#features) {
      for (const word of scoredWords(feature, here.n)) {
        const texts = [...feature.features(here, word)];
        const others = [...feature.features(there, word)];
        if (texts.length === others.length && texts.every((text, i) => text === others[i])) continue;
        for (const text of texts) into.add(first + lineOf(seed, text, this.#shift), scale);
      }
    }
  }
}

function wordsOf({ words }: EncodedSentence): Sentence {
  if (words === undefined)
    throw new RangeError("expected a sentence with its words, for features of whole trees");
  return words;
}

function lineOf(seed: number, text: string, shift: number): number {
  return Math.imul(extend(seed, hashString(text)), 0x9e3779b1) >>> shift;
}

/**
 * Returns the words that a feature is computed at. The root has modifiers, but no head; a feature of the tree is computed
 * once, at the root.
 */
export function scoredWords({ scope }: TreeFeature, n: number): number[] {
  const words = Array.from({ length: n + 1 }, (_, word) => word);
  return scope === "tree" ? [0] : scope === "head" ? words.slice(1) : words;
}

/** Scores of the features of a sentence by fixed weights; scores of local scopes are stored. */
class TextScores {
  readonly features: readonly CodedFeature[];
  readonly #shift: number;
  readonly #weights: WeightTable;
  /** For each feature, its score by word, head and modifiers. */
  readonly #known: readonly Map<string, number>[];

  constructor(shift: number, features: readonly CodedFeature[], weights: WeightTable) {
    this.features = features;
    this.#shift = shift;
    this.#weights = weights;
    this.#known = features.map(() => new Map());
  }

  /** The score of feature f at a word. */
  wordScore(f: number, tree: ChangingTree, word: number): number {
    const { seed, feature } = this.features[f];
    const { scope } = feature;
    if (scope === undefined || scope === "tree") return this.#sum(seed, feature.features(tree, word));
    const head = scope === "modifiers" ? "" : tree.head(word);
    const key = `${word} ${head} ${scope === "head" ? "" : tree.modifiers(word).join()}`;
    const known = this.#known[f];
    let score = known.get(key);
    if (score === undefined) {
      score = this.#sum(seed, feature.features(tree, word));
      known.set(key, score);
    }
    return score;
  }

  #sum(seed: number, texts: Iterable<string>): number {
    const { values, first, scale } = this.#weights;
    let sum = 0;
    for (const text of texts) sum += values[first + lineOf(seed, text, this.#shift)];
    return scale * sum;
  }
}

/** Returns the words at which a feature can differ after a change of head. */
export function touchedWords(
  feature: TreeFeature,
  tree: ChangingTree,
  modifier: number,
  head: number,
): readonly number[] {
  const old = tree.head(modifier);
  if (feature.scope === undefined) return [...new Set(feature.touched(tree, modifier, old, head))];
  if (feature.scope === "tree") return [0];
  if (feature.scope === "head") return [modifier];
  return feature.scope === "modifiers" ? [old, head] : [modifier, old, head];
}

/**
 * The score of a tree that changes by one head at a time. A delta costs the features of the affected words.
 */
class TreeFeatureClimb implements IncrementalTreeScore {
  readonly #scores: TextScores;
  readonly #tree: ChangingTree;
  /** For each feature, the words that it is computed at, and its score at each word. */
  readonly #words: readonly (readonly number[])[];
  readonly #wordScores: readonly Float64Array[];

  constructor(words: Sentence, scores: TextScores) {
    this.#scores = scores;
    this.#tree = new ChangingTree(words);
    this.#words = scores.features.map(({ feature }) => scoredWords(feature, words.length));
    this.#wordScores = scores.features.map(() => new Float64Array(words.length + 1));
  }

  reset(heads: Int32Array): number {
    this.#tree.reset(heads);
    let score = 0;
    for (const [f, words] of this.#words.entries()) {
      const wordScores = this.#wordScores[f];
      for (const word of words) {
        wordScores[word] = this.#scores.wordScore(f, this.#tree, word);
        score += wordScores[word];
      }
    }
    return score;
  }

  deltas(m: number, candidates: Int32Array, count: number, out: Float64Array): void {
    const old = this.#tree.head(m);
    for (let k = 0; k < count; k++) {
      const head = candidates[k];
      out[k] = head === old ? 0 : this.#delta(m, old, head);
    }
  }

  #delta(m: number, old: number, head: number): number {
    const touched = this.#touched(m, head);
    this.#tree.move(m, head);
    let gain = 0;
    for (const [f, words] of touched.entries()) {
      const wordScores = this.#wordScores[f];
      for (const word of words) gain += this.#scores.wordScore(f, this.#tree, word) - wordScores[word];
    }
    this.#tree.move(m, old);
    return gain;
  }

  move(m: number, head: number): void {
    if (this.#tree.head(m) === head) return;
    const touched = this.#touched(m, head);
    this.#tree.move(m, head);
    for (const [f, words] of touched.entries()) {
      for (const word of words) this.#wordScores[f][word] = this.#scores.wordScore(f, this.#tree, word);
    }
  }

  #touched(m: number, head: number): (readonly number[])[] {
    return this.#scores.features.map(({ feature }) => touchedWords(feature, this.#tree, m, head));
  }
}

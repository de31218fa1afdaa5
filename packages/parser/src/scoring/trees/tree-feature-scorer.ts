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
    const features = this.#features;
    const wordScore = textScores(this.#shift, features, weights);
    return () => treeFeatureClimb(words, features, wordScore);
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

/** Returns the score of feature f at a word of a tree. */
type WordScore = (f: number, tree: ChangingTree, word: number) => number;

/** Returns the scores of the features of a sentence by fixed weights; scores of local scopes are stored. */
function textScores(
  shift: number,
  features: readonly CodedFeature[],
  { values, first, scale }: WeightTable,
): WordScore {
  /** For each feature, its score by word, head and modifiers. */
  const known = features.map(() => new Map<string, number>());
  const sum = (seed: number, texts: Iterable<string>) => {
    let total = 0;
    for (const text of texts) total += values[first + lineOf(seed, text, shift)];
    return scale * total;
  };
  return (f, tree, word) => {
    const { seed, feature } = features[f];
    const { scope } = feature;
    if (scope === undefined || scope === "tree") return sum(seed, feature.features(tree, word));
    const head = scope === "modifiers" ? "" : tree.head(word);
    const key = `${word} ${head} ${scope === "head" ? "" : tree.modifiers(word).join()}`;
    let score = known[f].get(key);
    if (score === undefined) {
      score = sum(seed, feature.features(tree, word));
      known[f].set(key, score);
    }
    return score;
  };
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
 * Returns the score of a tree that changes by one head at a time. A delta costs the features of the affected words.
 */
function treeFeatureClimb(
  sentence: Sentence,
  features: readonly CodedFeature[],
  wordScore: WordScore,
): IncrementalTreeScore {
  const tree = new ChangingTree(sentence);
  /** For each feature, its score at each word. */
  const known = features.map(() => new Float64Array(sentence.length + 1));
  /** Calls `visit` with each feature and each word that a change of head affects, after the change. */
  function change(m: number, head: number, visit: (f: number, word: number) => void): void {
    const touched = features.map(({ feature }) => touchedWords(feature, tree, m, head));
    tree.move(m, head);
    for (const [f, words] of touched.entries()) for (const word of words) visit(f, word);
  }
  function delta(m: number, old: number, head: number): number {
    let gain = 0;
    change(m, head, (f, word) => {
      gain += wordScore(f, tree, word) - known[f][word];
    });
    tree.move(m, old);
    return gain;
  }
  return {
    reset(heads) {
      tree.reset(heads);
      let score = 0;
      for (const [f, { feature }] of features.entries()) {
        for (const word of scoredWords(feature, tree.n)) {
          known[f][word] = wordScore(f, tree, word);
          score += known[f][word];
        }
      }
      return score;
    },
    deltas(m, candidates, count, out) {
      const old = tree.head(m);
      for (let k = 0; k < count; k++) out[k] = candidates[k] === old ? 0 : delta(m, old, candidates[k]);
    },
    move(m, head) {
      if (tree.head(m) === head) return;
      change(m, head, (f, word) => {
        known[f][word] = wordScore(f, tree, word);
      });
    },
  };
}

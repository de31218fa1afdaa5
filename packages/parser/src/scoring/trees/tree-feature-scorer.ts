import type { IncrementalTreeScore, Sentence, SparseVector, TreeScorer } from "@arcwise/core";
import {
  type EncodedSentence,
  extend,
  hashString,
  STRING_SEED,
  type WeightTable,
} from "@arcwise/core/features";
import type { FeatureChange, TreePair } from "../tree-pair.ts";
import type {
  LocalFeature,
  TouchedFeature,
  TreeFeature,
  TreeFeatures,
  WholeFeature,
} from "./tree-features.ts";
import { ChangingTree } from "./tree-view.ts";

/** A feature with the code that its texts are hashed with. */
interface Coded<Feature> {
  readonly seed: number;
  readonly feature: Feature;
}

type WordFeature = LocalFeature | TouchedFeature;

/** Scores whole trees by the features of a module: each text selects one weight of a table. */
export class TreeFeatureScorer {
  readonly #shift: number;
  readonly #whole: readonly Coded<WholeFeature>[];
  readonly #local: readonly Coded<WordFeature>[];

  /** @param bits the table has 2^bits weights */
  constructor({ features }: TreeFeatures, bits: number) {
    const coded = Object.entries(features).map(([name, feature]) => ({
      seed: hashString(name, STRING_SEED.treeFeature),
      feature,
    }));
    this.#shift = 32 - bits;
    this.#whole = coded.filter((one): one is Coded<WholeFeature> => one.feature.scope === "tree");
    this.#local = coded.filter((one): one is Coded<WordFeature> => one.feature.scope !== "tree");
  }

  /** Returns the scorer of the trees of a sentence, with weights that do not change while it is used. */
  scorer(sentence: EncodedSentence, weights: WeightTable): TreeScorer {
    const words = wordsOf(sentence);
    const scores = new TextScores(this.#shift, this.#whole, this.#local, weights);
    const tree = new ChangingTree(words);
    return {
      name: "tree features",
      score: (heads) => {
        tree.reset(heads);
        return scores.treeScore(tree);
      },
      incremental: () => new TreeFeatureClimb(words, scores),
    };
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
    const add = (seed: number, texts: readonly string[], others: readonly string[]) => {
      if (texts.length === others.length && texts.every((text, i) => text === others[i])) return;
      for (const text of texts) into.add(first + lineOf(seed, text, this.#shift), scale);
    };
    for (const { seed, feature } of this.#whole)
      add(seed, [...feature.features(here)], [...feature.features(there)]);
    for (const { seed, feature } of this.#local) {
      for (let word = firstWord(feature); word <= here.n; word++) {
        add(seed, [...feature.features(here, word)], [...feature.features(there, word)]);
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

/** The root has modifiers, but no head. */
function firstWord({ scope }: TreeFeature): number {
  return scope === "head" ? 1 : 0;
}

/** Scores of the features of a sentence by fixed weights; scores of local scopes are stored. */
class TextScores {
  readonly whole: readonly Coded<WholeFeature>[];
  readonly local: readonly Coded<WordFeature>[];
  readonly #shift: number;
  readonly #weights: WeightTable;
  /** For each local feature, its score by word, head and modifiers. */
  readonly #known: readonly Map<string, number>[];

  constructor(
    shift: number,
    whole: readonly Coded<WholeFeature>[],
    local: readonly Coded<WordFeature>[],
    weights: WeightTable,
  ) {
    this.whole = whole;
    this.local = local;
    this.#shift = shift;
    this.#weights = weights;
    this.#known = local.map(() => new Map());
  }

  treeScore(tree: ChangingTree): number {
    let score = this.wholeScore(tree);
    for (let f = 0; f < this.local.length; f++) {
      for (let word = firstWord(this.local[f].feature); word <= tree.n; word++)
        score += this.wordScore(f, tree, word);
    }
    return score;
  }

  wholeScore(tree: ChangingTree): number {
    let score = 0;
    for (const { seed, feature } of this.whole) score += this.#sum(seed, feature.features(tree));
    return score;
  }

  /** The score of local feature f at a word. */
  wordScore(f: number, tree: ChangingTree, word: number): number {
    const { seed, feature } = this.local[f];
    if (feature.scope === undefined) return this.#sum(seed, feature.features(tree, word));
    const head = feature.scope === "modifiers" ? "" : tree.head(word);
    const key = `${word} ${head} ${feature.scope === "head" ? "" : tree.modifiers(word).join()}`;
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

/** Returns the words at which a local feature can differ after a change of head. */
export function touchedWords(
  feature: WordFeature,
  tree: ChangingTree,
  modifier: number,
  head: number,
): readonly number[] {
  const old = tree.head(modifier);
  if (feature.scope === undefined) return [...new Set(feature.touched(tree, modifier, old, head))];
  if (feature.scope === "head") return [modifier];
  return feature.scope === "modifiers" ? [old, head] : [modifier, old, head];
}

/**
 * The score of a tree that changes by one head at a time. A delta costs the features of the affected words.
 */
class TreeFeatureClimb implements IncrementalTreeScore {
  readonly #scores: TextScores;
  readonly #tree: ChangingTree;
  /** Score of all features of scope "tree". */
  #whole = 0;
  /** Of each local feature, its score at each word. */
  readonly #wordScores: readonly Float64Array[];

  constructor(words: Sentence, scores: TextScores) {
    this.#scores = scores;
    this.#tree = new ChangingTree(words);
    this.#wordScores = scores.local.map(() => new Float64Array(words.length + 1));
  }

  reset(heads: Int32Array): number {
    this.#tree.reset(heads);
    this.#whole = this.#scores.wholeScore(this.#tree);
    let score = this.#whole;
    for (const [f, { feature }] of this.#scores.local.entries()) {
      const wordScores = this.#wordScores[f];
      for (let word = firstWord(feature); word <= this.#tree.n; word++) {
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
    let gain = this.#scores.wholeScore(this.#tree) - this.#whole;
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
    this.#whole = this.#scores.wholeScore(this.#tree);
    for (const [f, words] of touched.entries()) {
      for (const word of words) this.#wordScores[f][word] = this.#scores.wordScore(f, this.#tree, word);
    }
  }

  #touched(m: number, head: number): (readonly number[])[] {
    return this.#scores.local.map(({ feature }) => touchedWords(feature, this.#tree, m, head));
  }
}

/** The sum of two scores of the trees of a sentence of n words. */
export function sumOfScores(a: TreeScorer, b: TreeScorer): TreeScorer {
  return {
    name: a.name,
    score: (heads) => a.score(heads) + b.score(heads),
    incremental: () => new SumOfSteps(a.incremental!(), b.incremental!()),
  };
}

class SumOfSteps implements IncrementalTreeScore {
  readonly #a: IncrementalTreeScore;
  readonly #b: IncrementalTreeScore;
  #others = new Float64Array(64);

  constructor(a: IncrementalTreeScore, b: IncrementalTreeScore) {
    this.#a = a;
    this.#b = b;
  }

  reset(heads: Int32Array): number {
    return this.#a.reset(heads) + this.#b.reset(heads);
  }

  deltas(m: number, candidates: Int32Array, count: number, out: Float64Array): void {
    if (this.#others.length < count) this.#others = new Float64Array(2 * count);
    this.#a.deltas(m, candidates, count, out);
    this.#b.deltas(m, candidates, count, this.#others);
    for (let k = 0; k < count; k++) out[k] += this.#others[k];
  }

  move(m: number, head: number): void {
    this.#a.move(m, head);
    this.#b.move(m, head);
  }
}

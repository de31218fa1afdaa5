import type { IncrementalTreeScore, SparseVector, TreeScorer } from "@arcwise/core";
import {
  type EncodedSentence,
  GlobalFeatures,
  type GlobalView,
  PART_LINE,
  type Template,
  VIEW,
  type WeightTable,
} from "@arcwise/core/features";
import type { FeatureChange, TreePair } from "../tree-pair.ts";
import { GlobalClimb } from "./global-climb.ts";
import { type GlobalEngine, GlobalMemo } from "./global-memo.ts";
import { GlobalTree } from "./global-tree.ts";
import { GlobalViews, isShared } from "./global-views.ts";
import { TreeFeatureScorer } from "./tree-feature-scorer.ts";
import type { TreeFeatures, TreeFeatureTable } from "./tree-features.ts";

/** The feature templates of each view of a model. */
export type GlobalTemplates = Readonly<Partial<Record<GlobalView, readonly Template[]>>>;

/** The features of whole trees that a model has. Plain data. */
export interface GlobalConfiguration {
  readonly templates: GlobalTemplates;
  /** The table of the views has 2^bits lines of `PART_LINE` weights. */
  readonly bits: number;
  /** The features of a module, whose weights come after the weights of the views; absent without one. */
  readonly module?: TreeFeatureTable | undefined;
}

/** Number of weights of the features of whole trees. */
export function globalDimension({ bits, module }: GlobalConfiguration): number {
  return PART_LINE * 2 ** bits + (module === undefined ? 0 : 2 ** module.bits);
}

/**
 * Scores whole trees by the features of their views (see `GLOBAL_TEMPLATES`). It makes a `TreeScorer` for
 * each sentence. These share memory, and may be used in any order; the sentence is prepared again whenever
 * the scorer changes.
 */
export class GlobalScorer {
  readonly #engine: GlobalEngine;
  readonly #here = new GlobalViews();
  readonly #there = new GlobalViews();
  readonly #offsets: Int32Array;
  /** The sentence of the current scorer. */
  #current: object | undefined;
  #sentence!: EncodedSentence;

  /** Features of a module; absent without one. */
  readonly #module: TreeFeatureScorer | undefined;
  /** Number of weights of the views. */
  readonly #viewWeights: number;

  /** @param own features of the module that the configuration names */
  constructor({ templates, bits, module }: GlobalConfiguration, own?: TreeFeatures) {
    const features = new GlobalFeatures(templates, bits);
    this.#module = module && own && new TreeFeatureScorer(own, module.bits);
    this.#viewWeights = PART_LINE * 2 ** bits;
    this.#engine = { features, memo: new GlobalMemo(features) };
    this.#offsets = new Int32Array(2 * features.capacity);
  }

  /**
   * Returns the scorer of the trees of a sentence, with weights that do not change while it is used. `score`
   * is O(n) views, each O(templates).
   */
  scorer(sentence: EncodedSentence, table: WeightTable): TreeScorer {
    const own = { ...table, first: table.first + this.#viewWeights };
    const module = this.#module?.steps(sentence, own);
    const use = () => {
      if (this.#current === use) return;
      this.#current = use;
      this.#prepare(sentence);
      this.#engine.memo.reset(sentence.n, table);
    };
    const views = () => new GlobalClimb(sentence.n, this.#engine, use);
    const incremental = module ? () => sumOfSteps(views(), module()) : views;
    let steps: IncrementalTreeScore | undefined;
    const score = (heads: Int32Array) => {
      steps ??= incremental();
      return steps.reset(heads);
    };
    return { name: "global", score, incremental };
  }

  /** Adds the features of a tree that another tree of the same sentence does not have. O(n · templates). */
  addFeatures(sentence: EncodedSentence, trees: TreePair, change: FeatureChange, into: SparseVector): void {
    const { heads, than } = trees;
    const { first, scale } = change;
    this.#module?.addFeatures(sentence, trees, { first: first + this.#viewWeights, scale }, into);
    if (this.#sentence !== sentence) {
      this.#current = undefined;
      this.#prepare(sentence);
    }
    const { features } = this.#engine;
    const tree = new GlobalTree(sentence.n, features);
    tree.reset(than);
    this.#there.fill(tree, features);
    tree.reset(heads);
    this.#here.fill(tree, features);
    const { rows, size } = this.#here;
    const offsets = this.#offsets;
    for (let row = 0, at = 0; row < size; row++, at += 5) {
      const view = rows[at];
      if (view < 0 || isShared(row, this.#here, this.#there)) continue;
      const [a, b, c, d] = [rows[at + 1], rows[at + 2], rows[at + 3], rows[at + 4]];
      const count = features.offsets(first, view, a, b, c, d, offsets);
      const value = view === VIEW.crossing ? scale * c : scale;
      for (let k = 0; k < count; k++) into.add(offsets[k], value);
    }
  }

  #prepare(sentence: EncodedSentence): void {
    this.#sentence = sentence;
    this.#engine.features.prepare(sentence);
  }
}

/** Returns the sum of two scores of a tree that changes by one head at a time. */
function sumOfSteps(a: IncrementalTreeScore, b: IncrementalTreeScore): IncrementalTreeScore {
  let others = new Float64Array(64);
  return {
    reset: (heads) => a.reset(heads) + b.reset(heads),
    deltas(m, candidates, count, out) {
      if (others.length < count) others = new Float64Array(2 * count);
      a.deltas(m, candidates, count, out);
      b.deltas(m, candidates, count, others);
      for (let k = 0; k < count; k++) out[k] += others[k];
    },
    move(m, head) {
      a.move(m, head);
      b.move(m, head);
    },
  };
}

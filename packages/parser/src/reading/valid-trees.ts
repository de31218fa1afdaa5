import { type Decoder, NoTree, type Sentence, scoreTree } from "@arcwise/core";
import { exp } from "@arcwise/core/arithmetic";
import { eisnerDecoder, mstDecoder } from "@arcwise/decode-mst";
import { scoresBeside } from "../decoding/arc-sums.ts";
import { allowedLabels, type CheckedConstraints } from "../decoding/constraints.ts";
import { type DecodedTree, decodeSentence } from "../decoding/decode.ts";
import type { Labeller } from "../labelling/labeller.ts";
import { treeArcs } from "../scoring/arcs/arc-scorer.ts";
import type { EncodedTree } from "../scoring/arcs/label-filter.ts";
import type { SentenceLabels } from "../scoring/sentence-labels.ts";
import { type ScoredSentence, withArcScores } from "../scoring/sentence-scorer.ts";
import { JointLabels } from "../validity/joint-labels.ts";
import { type ArcLabels, type LabelChooser, LocalLabels } from "../validity/label-chooser.ts";
import { LabelRules } from "../validity/label-rules.ts";
import { type SharedSteps, type ValidityProblem, validTree } from "../validity/valid-search.ts";

/** The parts of a model that trees are made valid by. */
export interface ValidTreesOptions {
  readonly rules: LabelRules;
  readonly labeller: Labeller | undefined;
  readonly decoder: Decoder;
}

/** The labels that the words of a sentence may have, and the rules for them. */
interface Labelled {
  readonly own: SentenceLabels;
  readonly checked: CheckedConstraints | undefined;
  readonly rules: LabelRules;
  /** Indices of forced labels that the model does not have, by word. */
  readonly foreign: ReadonlyMap<number, number>;
}

/** What a repair keeps, and the steps that it shares with others of the sentence. */
interface RepairOptions {
  readonly checked: CheckedConstraints | undefined;
  readonly steps: SharedSteps | undefined;
}

/** Repairs trees that break rules of Universal Dependencies, with the least loss of score. */
export class ValidTrees {
  readonly #options: ValidTreesOptions;
  readonly #all: Int32Array;
  readonly #arcDecoder: Decoder;

  constructor(options: ValidTreesOptions) {
    const { trees, singleRoot } = options.decoder;
    this.#options = options;
    this.#arcDecoder = trees === "projective" ? eisnerDecoder({ singleRoot }) : mstDecoder({ singleRoot });
    this.#all = Int32Array.from(options.rules.labels.keys());
  }

  /** Returns whether a tree keeps the rules. O(n). */
  keepsRules(
    labels: SentenceLabels,
    words: Sentence,
    tree: EncodedTree,
    checked: CheckedConstraints | undefined,
  ): boolean {
    const labelled = this.#labelled(labels, checked);
    return labelled.rules.violation(withForeign(labelled, tree), words) === undefined;
  }

  /**
   * Returns a tree if it keeps the rules, otherwise the tree with the least loss of score that keeps them: see
   * `validTree`. Constraints are kept in any case.
   */
  repaired(
    { scored, labels: own }: { readonly scored: ScoredSentence; readonly labels: SentenceLabels },
    words: Sentence,
    tree: DecodedTree,
    { checked, steps }: RepairOptions,
  ): DecodedTree {
    const labelled = this.#labelled(own, checked);
    const { rules } = labelled;
    const { heads, labels } = withForeign(labelled, tree);
    if (rules.violation({ heads, labels }, words) === undefined) return tree;
    const problem = {
      ...{ words, rules, arcs: scored.problem.arcs, steps },
      labels: this.#chooser(scored, labelled, { heads, labels }),
      isDecided: (m: number) => checked?.labels.has(m) === true,
      decode: this.#decode(scored, tree),
    };
    const found = validTree(problem, { ...tree, labels });
    if (found === undefined) return tree;
    return { ...found, labels: found.labels.map((label) => (label < this.#all.length ? label : -1)) };
  }

  /**
   * Returns a function that decodes with losses: by the decoder if only arcs are scored, otherwise by arcs whose
   * scores include the parts that they would form with the tree of the decoder, which takes less time.
   */
  #decode(scored: ScoredSentence, tree: DecodedTree): ValidityProblem["decode"] {
    const { problem } = scored;
    const { arcs, parts } = problem;
    const plus = (scores: Float64Array, losses: Float64Array) => scores.map((score, a) => score + losses[a]);
    if (parts.length === 0 && problem.global === undefined) {
      return (losses) =>
        decodeSentence(withArcScores(scored, plus(problem.arcScores, losses)), this.#options.decoder);
    }
    const others = scoresBeside(problem, problem.arcScores, tree.heads);
    return (losses) => {
      const { heads } = this.#arcDecoder.decode({ arcs, arcScores: plus(others, losses), parts: [] });
      const score = scoreTree({ ...problem, arcScores: plus(problem.arcScores, losses) }, heads);
      return { ...tree, heads, score, bound: tree.bound };
    };
  }

  /**
   * Returns the best labels of some words of a tree that keep the rules, when all other words keep theirs.
   *
   * @param labels the labels of the tree; labels of the words do not matter
   */
  labelsOf(
    own: SentenceLabels,
    words: Sentence,
    { heads, labels }: EncodedTree,
    free: readonly number[],
  ): Int32Array {
    const labelled = this.#labelled(own, undefined);
    const isFree = new Set(free);
    const scoresOf = this.#scoresOf(labelled);
    const chooser = new LocalLabels((_, asked) =>
      scoresOf(heads, asked).map((scored, k) => {
        const m = asked[k];
        return isFree.has(m)
          ? scored
          : { ...scored, usual: labels.subarray(m, m + 1), others: labels.subarray(0, 0) };
      }),
    );
    const best = chooser.labels(heads, () => false);
    const decode = (losses: Float64Array): DecodedTree => {
      const score = losses.reduce((sum, loss) => sum + loss, 0);
      if (score === -Infinity) throw new NoTree("parser", "no label of a word keeps the rules");
      return { heads, labels: best, score, bound: score };
    };
    const problem = { words, rules: labelled.rules, labels: chooser, arcs: treeArcs(heads), decode };
    const found = validTree({ ...problem, isDecided: (m) => !isFree.has(m) }, decode(new Float64Array(0)));
    return found?.labels ?? best;
  }

  /** Returns the probability of a label of an arc if it is added to the usual labels of the arc. */
  shareOfUnusual(own: SentenceLabels, h: number, m: number, label: number): number {
    const { usual, scores } = this.#labelsOfArc(this.#labelled(own, undefined), h, m);
    return 1 / usual.reduce((sum, other) => sum + exp(scores[other] - scores[label]), 1);
  }

  #labelled(own: SentenceLabels, checked: CheckedConstraints | undefined): Labelled {
    const { rules } = this.#options;
    const foreign = new Map<number, number>();
    const labels = [...rules.labels];
    for (const [m, { forced }] of checked?.labels ?? []) {
      if (forced === undefined || rules.labels.includes(forced)) continue;
      foreign.set(m, labels.push(forced) - 1);
    }
    return { own, checked, rules: foreign.size === 0 ? rules : new LabelRules(labels), foreign };
  }

  #chooser(scored: ScoredSentence, labelled: Labelled, tree: EncodedTree): LabelChooser {
    const { labeller } = this.#options;
    const { checked } = labelled;
    const isDecided = (m: number) => checked?.labels.has(m) === true;
    const scoresOf = this.#scoresOf(labelled);
    if (labeller === undefined) {
      return new LocalLabels((heads, words) => {
        const others = scored.labelScores(heads, words);
        return scoresOf(heads, words).map((own, k) => {
          const m = words[k];
          if (others === undefined || isDecided(m)) return own;
          return { ...own, scores: own.scores.map((s, l) => s + (others[m * this.#all.length + l] ?? 0)) };
        });
      }, tree);
    }
    return new JointLabels({
      label: (heads, lists) => {
        const labels = labeller.label(scored.sentence, heads, undefined, scored.labelScores(heads), lists);
        return { labels, score: labeller.score };
      },
      listsOf: (h, m) => this.#lists(labelled, h, m),
      decided: new LocalLabels(scoresOf),
      isDecided,
    });
  }

  /** Returns a function that scores the labels of arcs of words of a tree. */
  #scoresOf(labelled: Labelled): (heads: Int32Array, words: readonly number[]) => ArcLabels[] {
    return (heads, words) => {
      labelled.own.prepare(heads, words);
      return words.map((m) => this.#labelsOfArc(labelled, heads[m], m));
    };
  }

  #labelsOfArc(labelled: Labelled, h: number, m: number): ArcLabels {
    const scores = new Float64Array(labelled.rules.labels.length);
    labelled.own.scoreLabels(h, m, this.#all, scores);
    const [usual, others] = this.#lists(labelled, h, m);
    return { usual, others, scores };
  }

  /** Returns the labels that an arc has as a rule, and the labels that it has if no usual label is left. */
  #lists(
    { own, checked, foreign, rules }: Labelled,
    h: number,
    m: number,
  ): readonly [Int32Array, Int32Array] {
    const usual = own.usual(h, m);
    const constraint = checked?.labels.get(m);
    if (constraint === undefined) return [usual, this.#all];
    const index = foreign.get(m);
    if (index !== undefined) return [Int32Array.of(index), new Int32Array(0)];
    const allowed = allowedLabels(m, constraint, usual, rules.labels);
    const { forced, forbidden } = constraint;
    return [
      allowed,
      this.#all.filter((label) => forced === undefined && !forbidden.has(rules.labels[label])),
    ];
  }
}

/** Returns a tree with the indices of forced labels that the model does not have. */
function withForeign({ foreign }: Labelled, { heads, labels }: EncodedTree): EncodedTree {
  return { heads, labels: labels.map((label, m) => foreign.get(m) ?? label) };
}

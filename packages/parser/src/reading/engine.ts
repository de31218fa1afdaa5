import type { Decoder, DependencyTree, Sentence } from "@arcwise/core";
import { type EncoderIdentity, requireVectors } from "@arcwise/core/encoders";
import type { EncodedSentence, SentenceEncoder } from "@arcwise/core/features";
import { fitsDecoder } from "../decoding/blocks.ts";
import { type CheckedConstraints, checkConstraints, type ParseConstraints } from "../decoding/constraints.ts";
import { constrainedLabels } from "../decoding/constraints-labels.ts";
import { constraintSearch } from "../decoding/constraints-search.ts";
import { type DecodedTree, decodeSentence } from "../decoding/decode.ts";
import { LabelSet, type TrainedModel } from "../model/model.ts";
import {
  modelEncoder,
  type NetworkReading,
  NetworkScorer,
  readsWordsThemselves,
} from "../scoring/network/network-scorer.ts";
import type { SentenceLabels, SummedArcs } from "../scoring/sentence-labels.ts";
import type { ScoredSentence } from "../scoring/sentence-scorer.ts";
import type { TreeFeatures } from "../scoring/trees/tree-features.ts";
import type { Parse, ScoreShare } from "../types.ts";
import { LabelRules } from "../validity/label-rules.ts";
import type { SharedSteps } from "../validity/valid-search.ts";
import { lazySentence } from "./lazy-sentence.ts";
import { type ConstrainedScoring, type Scoring, scoringOf } from "./scoring.ts";
import { ValidTrees } from "./valid-trees.ts";

/** The constraints on a sentence, and the scores of constrained labels. */
interface Constrained extends ConstrainedScoring {
  readonly checked: CheckedConstraints;
}

/** A sentence with its scored candidates and its constraints. */
export interface Scored {
  readonly words: Sentence;
  readonly scored: ScoredSentence;
  readonly labels: SentenceLabels;
  readonly constrained: Constrained | undefined;
}

/** A sentence as the features see it, and the output of the network. */
export interface ReadSentence {
  readonly words: Sentence;
  readonly encoded: EncodedSentence;
  readonly network: NetworkReading | undefined;
}

/** The scorers, labeller and decoder of a model. It owns scratch memory that grows with the longest sentence. */
export class ParsingEngine {
  readonly decoder: Decoder;
  /** The divisor of scores for probabilities. */
  readonly temperature: number;
  readonly #encoder: SentenceEncoder;
  readonly #labels: LabelSet;
  readonly #scoring: Scoring;
  readonly #search: ReturnType<typeof constraintSearch>;
  /** Undefined: trees are as decoder and labeller find them. */
  readonly #valid: ValidTrees | undefined;
  readonly #network: NetworkScorer | undefined;
  /** Whether the network alone scores, and reads the words themselves. */
  readonly #readsForms: boolean;
  /** The encoder whose vectors words must have. */
  readonly #vectorsOf: EncoderIdentity | undefined;

  /** @param valid whether trees that break rules of Universal Dependencies are repaired */
  constructor(model: TrainedModel, decoder: Decoder, treeFeatures: TreeFeatures | undefined, valid = false) {
    const { labels, encoder, network } = model;
    this.decoder = decoder;
    this.temperature = model.description.calibration?.temperature ?? 1;
    this.#vectorsOf = network?.encoder;
    this.#encoder = modelEncoder(encoder, network, treeFeatures);
    this.#labels = new LabelSet(labels);
    this.#scoring = scoringOf(model, decoder, treeFeatures);
    this.#network = network && new NetworkScorer(network, decoder.trees, this.#encoder);
    const readsWords = treeFeatures === undefined && network !== undefined && readsWordsThemselves(network);
    this.#readsForms = readsWords && !this.#scoring.readsTags;
    this.#search = constraintSearch(decoder.trees);
    const rules = valid ? LabelRules.of(labels) : undefined;
    this.#valid = rules && new ValidTrees({ rules, labeller: this.#scoring.labeller, decoder });
  }

  /** Encodes sentences and runs the network over them, several at a time. */
  read(sentences: readonly Sentence[]): ReadSentence[] {
    if (this.#vectorsOf !== undefined)
      for (const sentence of sentences) requireVectors(sentence, this.#vectorsOf);
    const encoded = sentences.map((sentence) => this.#encoded(sentence));
    const networks = this.#network?.readAll(encoded);
    return encoded.map((one, s) => ({ words: sentences[s], encoded: one, network: networks?.[s] }));
  }

  /** Encodes a sentence, for a network alone when it must be. */
  #encoded(sentence: Sentence): EncodedSentence {
    return this.#readsForms ? lazySentence(this.#encoder, sentence) : this.#encoder.encode(sentence);
  }

  /** Returns a sentence with other tags of its words for the sparse features. */
  withWords(read: ReadSentence, words: Sentence): ReadSentence {
    return { ...read, words, encoded: this.#scoring.readsTags ? this.#encoder.encode(words) : read.encoded };
  }

  /** Returns whether a sentence of this length is parsed as a whole. */
  fits(words: number): boolean {
    const { kinds, global } = this.#scoring;
    return fitsDecoder(words, this.decoder, { kinds, global, terms: this.#network ? 1 : 0 });
  }

  score(read: ReadSentence, given: ParseConstraints | undefined): Scored {
    const { words, encoded } = read;
    const labels = this.#scoring.labels(read);
    const constrained = given && this.#constrained(encoded, labels, checkConstraints(encoded.n, given));
    return { words, scored: this.#scoring.score(read, labels, constrained), labels, constrained };
  }

  #constrained(encoded: EncodedSentence, own: SentenceLabels, checked: CheckedConstraints): Constrained {
    const labels = constrainedLabels(own, this.#labels.strings, checked);
    return {
      checked,
      labels,
      words: checked.labels.keys(),
      scoring: {
        restrict: (arcs) => this.#search(arcs, checked, encoded, this.#scoring.pruner),
        chooseLabels: (arcs, scored) => labels.choose(arcs, scored),
        sumLabels: (arcs, scores) => labels.sum(arcs, scores),
      },
    };
  }

  /** Scores the candidates of a scored sentence with their labels summed out. */
  sum({ scored, labels, constrained }: Scored): SummedArcs {
    return this.#scoring.sum(scored, labels, constrained);
  }

  /**
   * Returns the best tree of a scored sentence, a valid one if trees are to be valid. Throws as `decodeSentence`.
   *
   * @param steps the steps of the search for valid trees; by default, the steps of one search
   */
  best(at: Scored, steps?: SharedSteps): DecodedTree {
    const tree = this.relabel(at, decodeSentence(at.scored, this.decoder));
    const { words, constrained } = at;
    return this.#valid?.repaired(at, words, tree, { checked: constrained?.checked, steps }) ?? tree;
  }

  /** Returns whether a tree is valid, or need not be. */
  isValid({ words, labels, constrained }: Scored, tree: DecodedTree): boolean {
    return this.#valid?.keepsRules(labels, words, tree, constrained?.checked) ?? true;
  }

  /** Returns the probability of a label that an arc has in no training tree, next to the labels that it had. */
  shareOfUnusual({ labels }: Scored, h: number, m: number, label: number): number {
    return this.#valid?.shareOfUnusual(labels, h, m, label) ?? 0;
  }

  /** Relabels a tree by the labeller, or else by terms that score labels; not where constraints decide. */
  relabel({ scored, constrained }: Scored, tree: DecodedTree): DecodedTree {
    const labels = this.#scoring.relabelled(scored, tree.heads);
    if (labels === undefined) return tree;
    for (const m of constrained?.checked.labels.keys() ?? []) labels[m] = tree.labels[m];
    return { ...tree, labels };
  }

  /** Returns the shares of the score of a tree over the candidates. */
  shares({ scored }: Scored, heads: Int32Array): ScoreShare[] {
    return this.#scoring.shares(scored, heads);
  }

  /** Returns a tree with its labels as strings; forced labels as given. */
  named({ scored, constrained }: Scored, tree: DecodedTree): Parse {
    const { score, bound, report } = tree;
    const { heads, labels } = this.#labels.decode(tree);
    const forced = constrained?.checked.labels;
    const { reduction } = scored;
    return {
      heads,
      labels: forced ? labels.map((label, m) => forced.get(m)?.forced ?? label) : labels,
      score,
      bound,
      report,
      reduced: reduction && { ...reduction, blocks: 1 },
    };
  }

  /**
   * Returns the best labels of some words of a tree whose sentence was read in blocks, given their heads.
   *
   * @param labels the labels of the tree; labels of the words do not matter
   */
  labelsOfArcs(
    sentence: Sentence,
    blocks: readonly ReadSentence[],
    { heads, labels }: DependencyTree,
    words: readonly number[],
  ): string[] {
    const { strings } = this.#labels;
    const own = this.#scoring.labelsOfBlocks(this.#encoder.encode(sentence), blocks);
    if (this.#valid !== undefined) {
      const valid = this.#valid.labelsOf(own, sentence, this.#labels.encode({ heads, labels }), words);
      return words.map((m) => strings[valid[m]!]);
    }
    own.prepare(heads, words);
    const scores = new Float64Array(strings.length);
    return words.map((m) => {
      const usual = own.usual(heads[m], m);
      own.scoreLabels(heads[m], m, usual, scores);
      let best = 0;
      for (let l = 1; l < usual.length; l++) if (scores[l] > scores[best]) best = l;
      return strings[usual[best]!];
    });
  }
}

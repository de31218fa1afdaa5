import { type Decoder, type DependencyTree, type Sentence, UnsupportedPart } from "@arcwise/core";
import type { QuantizedWeights } from "@arcwise/core/container";
import {
  type EncodedSentence,
  type SentenceEncoder,
  sentenceEncoder,
  type WeightTable,
} from "@arcwise/core/features";
import { fitsDecoder } from "../decoding/blocks.ts";
import { type CheckedConstraints, checkConstraints, type ParseConstraints } from "../decoding/constraints.ts";
import { ConstrainedLabels } from "../decoding/constraints-labels.ts";
import { ConstraintSearch } from "../decoding/constraints-search.ts";
import { type DecodedTree, decodeSentence } from "../decoding/decode.ts";
import { Labeller } from "../labelling/labeller.ts";
import { LabelSet, type TrainedModel } from "../model/model.ts";
import { candidates, Pruner } from "../pruning/pruner.ts";
import type { LabelShares } from "../scoring/arcs/label-shares.ts";
import type { ModelWeights } from "../scoring/model-weights.ts";
import { type NetworkReading, NetworkScorer, readsCharacters } from "../scoring/network/network-scorer.ts";
import { createScorers, type Scorers } from "../scoring/scorers.ts";
import { type ScoredSentence, type SentenceConstraints, SentenceScorer } from "../scoring/sentence-scorer.ts";
import { type TreeFeatures, withWords } from "../scoring/trees/tree-features.ts";
import { withVectors } from "../scoring/vectors/word-vectors.ts";
import type { Parse } from "../types.ts";
import { LabelRules } from "../validity/label-rules.ts";
import { ValidTrees } from "./valid-trees.ts";

/** The constraints on a sentence, and the scores of constrained labels. */
interface Constrained {
  readonly checked: CheckedConstraints;
  readonly labels: ConstrainedLabels;
  readonly scoring: SentenceConstraints;
}

/** A sentence with its scored candidates and its constraints. */
export interface Scored {
  readonly words: Sentence;
  readonly scored: ScoredSentence;
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
  readonly #model: TrainedModel;
  readonly #labels: LabelSet;
  readonly #weights: ModelWeights;
  readonly #pruner: Pruner | undefined;
  readonly #scorer: SentenceScorer;
  readonly #search: ConstraintSearch;
  readonly #labeller: Labeller | undefined;
  /** Undefined: trees are as decoder and labeller find them. */
  readonly #valid: ValidTrees | undefined;
  readonly #network: NetworkScorer | undefined;

  /**
   * @param valid whether trees that break rules of Universal Dependencies are repaired
   * @throws TreeFeatureError when the model has features of a module, and `treeFeatures` is not that module
   * @throws UnsupportedPart when the decoder cannot score the parts of the model
   */
  constructor(model: TrainedModel, decoder: Decoder, treeFeatures: TreeFeatures | undefined, valid = false) {
    const { configuration, labels, encoder, filter, network, reach } = model;
    const { pruning } = configuration;
    this.decoder = decoder;
    this.temperature = model.description.calibration?.temperature ?? 1;
    this.#model = model;
    const readsWords = treeFeatures ?? (network && readsCharacters(network) ? true : undefined);
    this.#encoder = withWords(withVectors(sentenceEncoder(encoder), network?.vectors), readsWords);
    this.#labels = new LabelSet(labels);
    const scorers = createScorers({ configuration, labels: labels.length, filter }, treeFeatures);
    requireScored(scorers, decoder);
    this.#weights = {
      arcs: tableOf(model.arcWeights),
      parts: tableOf(model.partWeights),
      trees: model.globalWeights && tableOf(model.globalWeights),
    };
    if (filter !== undefined) scorers.arcs.load(this.#weights.arcs);
    this.#pruner = pruning ? new Pruner(tableOf(model.prunerWeights), reach, configuration) : undefined;
    this.#network = network && new NetworkScorer(network, decoder.trees);
    this.#scorer = new SentenceScorer(scorers, candidates(this.#pruner, pruning));
    this.#search = new ConstraintSearch(decoder.trees);
    this.#labeller = model.labeller && new Labeller(model.labeller, labels.length, filter);
    const rules = valid ? LabelRules.of(labels) : undefined;
    const by = { filter, scorer: scorers.arcs, table: this.#weights.arcs, labeller: this.#labeller, decoder };
    this.#valid = rules && new ValidTrees({ rules, ...by });
  }

  /** Encodes sentences and runs the network over them, several at a time. */
  read(sentences: readonly Sentence[]): ReadSentence[] {
    const encoded = sentences.map((sentence) => this.encode(sentence));
    const networks = this.#network?.readAll(encoded);
    return encoded.map((one, s) => ({ words: sentences[s]!, encoded: one, network: networks?.[s] }));
  }

  encode(sentence: Sentence): EncodedSentence {
    return this.#encoder.encode(sentence);
  }

  /** Returns whether a sentence of so many words is parsed as a whole. */
  fits(words: number): boolean {
    const { parts, global } = this.#scorer.scorers;
    return fitsDecoder(words, this.decoder, {
      kinds: parts.kinds,
      global: global !== undefined,
      terms: this.#network ? 1 : 0,
    });
  }

  score({ words, encoded, network }: ReadSentence, given: ParseConstraints | undefined): Scored {
    const constrained = given && this.#constrained(encoded, checkConstraints(encoded.n, given));
    const scored = this.#scorer.score(encoded, this.#weights, {
      terms: network ? [network] : [],
      constraints: constrained?.scoring,
      limitFor: this.decoder.trees,
    });
    return { words, scored, constrained };
  }

  #constrained(encoded: EncodedSentence, checked: CheckedConstraints): Constrained {
    const { filter, labels: strings } = this.#model;
    const model = { scorer: this.#scorer.scorers.arcs, filter, strings, table: this.#weights.arcs };
    const labels = new ConstrainedLabels(model, encoded, checked);
    const scoring: SentenceConstraints = {
      restrict: (arcs) => this.#search.restrict(arcs, checked, encoded, this.#pruner),
      chooseLabels: (arcs, scored) => labels.choose(arcs, scored),
      sumLabels: (arcs, scores) => labels.sum(arcs, scores),
    };
    return { checked, labels, scoring };
  }

  /** Scores the candidates of a scored sentence with their labels summed out. */
  sum({ scored, constrained }: Scored): LabelShares {
    const { sentence, problem, terms } = scored;
    const options = { arcs: problem.arcs, terms, constraints: constrained?.scoring };
    return this.#scorer.sum(sentence, this.#weights, options);
  }

  /** Returns the best tree of a scored sentence. Throws as `decodeSentence`. */
  best(at: Scored): DecodedTree {
    return this.repaired(at, this.relabel(at, decodeSentence(at.scored, this.decoder)));
  }

  /** Returns a tree if it is valid, or need not be; otherwise the best valid one. */
  repaired({ words, scored, constrained }: Scored, tree: DecodedTree): DecodedTree {
    return this.#valid?.repaired(scored, words, tree, constrained?.checked) ?? tree;
  }

  /** Returns the probability of a label that an arc has in no training tree, next to the labels that it had. */
  shareOfUnusual({ scored }: Scored, h: number, m: number, label: number): number {
    return this.#valid?.shareOfUnusual(scored.sentence, h, m, label) ?? 0;
  }

  /** Relabels a tree by the labeller, or else by terms that score labels; not where constraints decide. */
  relabel({ scored, constrained }: Scored, tree: DecodedTree): DecodedTree {
    const labels = this.#labelsOf(scored, tree.heads);
    if (labels === undefined) return tree;
    for (const m of constrained?.checked.labels.keys() ?? []) labels[m] = tree.labels[m]!;
    return { ...tree, labels };
  }

  #labelsOf(scored: ScoredSentence, heads: Int32Array): Int32Array | undefined {
    const { sentence } = scored;
    const others = scored.labelScores(heads);
    if (this.#labeller !== undefined) return this.#labeller.label(sentence, heads, undefined, others);
    const { arcs } = this.#scorer.scorers;
    return others && arcs.filter && arcs.bestLabels(sentence, heads, this.#weights.arcs, others);
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
   * Returns the best labels of some words of a tree, given their heads, by sparse features.
   *
   * @param labels the labels of the tree; labels of the words do not matter
   */
  labelsOfArcs(sentence: Sentence, { heads, labels }: DependencyTree, words: readonly number[]): string[] {
    const encoded = this.encode(sentence);
    const { strings } = this.#labels;
    if (this.#valid !== undefined) {
      const own = this.#labels.encode({ heads, labels });
      const valid = this.#valid.labelsOf(encoded, sentence, own, words);
      return words.map((m) => strings[valid[m]!]!);
    }
    const n = sentence.length;
    const isAsked = new Set(words);
    const start = new Int32Array(n + 2);
    for (let m = 1; m <= n; m++) start[m + 1] = start[m]! + (isAsked.has(m) ? 1 : 0);
    const head = Int32Array.from(words, (m) => heads[m]!);
    const arcs = { n, start, head, modifier: Int32Array.from(words) };
    const scored = this.#scorer.scorers.arcs.score(encoded, arcs, this.#weights.arcs);
    return words.map((_, k) => strings[scored.labels[k]!]!);
  }
}

/** @throws UnsupportedPart when the decoder cannot score everything that the model scores */
function requireScored({ global, parts }: Scorers, decoder: Decoder): void {
  if (global && !decoder.handles.has("global"))
    throw new UnsupportedPart(decoder.name, "global", decoder.handles);
  for (const kind of parts.kinds) {
    if (!decoder.handles.has(kind)) throw new UnsupportedPart(decoder.name, kind, decoder.handles);
  }
}

function tableOf({ values, scale }: QuantizedWeights): WeightTable {
  return { values, first: 0, scale };
}

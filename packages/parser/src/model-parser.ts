import {
  arcIndex,
  type Decoder,
  type ParsingProblem,
  requireCapability,
  type Sentence,
  UnsupportedPart,
} from "@arcwise/core";
import type { QuantizedWeights } from "@arcwise/core/container";
import {
  type EncodedSentence,
  type SentenceEncoder,
  sentenceEncoder,
  type WeightTable,
} from "@arcwise/core/features";
import { arcConfidence } from "@arcwise/decode-mst";
import { cutBlocks, fitsDecoder, joinBlocks, MAX_WORDS } from "./decoding/blocks.ts";
import { type CheckedConstraints, checkConstraints } from "./decoding/constraints.ts";
import { ConstrainedLabels } from "./decoding/constraints-labels.ts";
import { ConstraintSearch } from "./decoding/constraints-search.ts";
import { type DecodedTree, decodeSentence } from "./decoding/decode.ts";
import { Labeller } from "./labelling/labeller.ts";
import { LabelSet, type TrainedModel } from "./model/model.ts";
import { restoreTensor } from "./model/tensor-model.ts";
import { candidates, Pruner } from "./pruning/pruner.ts";
import type { LabelShares } from "./scoring/arcs/label-shares.ts";
import type { ModelWeights } from "./scoring/model-weights.ts";
import type { GivenColumns } from "./scoring/network/given-columns.ts";
import { NetworkScorer, readsCharacters } from "./scoring/network/network-scorer.ts";
import { createScorers, type Scorers } from "./scoring/scorers.ts";
import { type ScoredSentence, type SentenceConstraints, SentenceScorer } from "./scoring/sentence-scorer.ts";
import { withVectors } from "./scoring/tensor/word-vectors.ts";
import { type TreeFeatures, withWords } from "./scoring/trees/tree-features.ts";
import type { Marginals, Parse, ParseOptions, Parser } from "./types.ts";

/**
 * Makes a parser of a model and a decoder. It owns scratch memory that grows with the longest sentence.
 *
 * @throws TreeFeatureError when the model has features of a module, and `global` is not that module
 * @throws UnsupportedPart when the decoder cannot score the parts of the model
 */
export function parserOf(model: TrainedModel, decoder: Decoder, global: TreeFeatures | undefined): Parser {
  const parser = new ModelParser(model, decoder, global);
  return {
    parse: (sentence, at) => parser.parse(sentence, at),
    parseBatch: (sentences) => parser.parseBatch(sentences),
    expect: (sentences) => parser.expect(sentences),
    kBest: (sentence, k, at) => parser.kBest(sentence, k, at),
    marginals: (sentence, at) => parser.marginals(sentence, at),
    problem: (sentence, at) => parser.problem(sentence, at),
    columns: (sentence, given) => parser.columns(sentence, given),
  };
}

/** Returns given labels of the words `from` to before `end`. */
function cutColumns(given: GivenColumns, from: number, end: number): GivenColumns {
  const entries = Object.entries(given).map(
    ([name, { labels, trust }]) => [name, { labels: labels.slice(from, end), trust }] as const,
  );
  return Object.fromEntries(entries);
}

/** The constraints on a sentence, and the scores of constrained labels. */
interface Known {
  readonly checked: CheckedConstraints;
  readonly labels: ConstrainedLabels;
  readonly scoring: SentenceConstraints;
}

/** A sentence with its scored candidates and its constraints. */
interface Scored {
  readonly scored: ScoredSentence;
  readonly known: Known | undefined;
}

class ModelParser implements Parser {
  readonly #decoder: Decoder;
  readonly #encoder: SentenceEncoder;
  readonly #model: TrainedModel;
  readonly #labels: LabelSet;
  readonly #weights: ModelWeights;
  readonly #pruner: Pruner | undefined;
  readonly #scorer: SentenceScorer;
  readonly #search: ConstraintSearch;
  readonly #labeller: Labeller | undefined;
  readonly #network: NetworkScorer | undefined;
  /** The sentence whose columns were found last: its tree is often found next. */
  #last: { readonly sentence: Sentence; readonly encoded: EncodedSentence } | undefined;
  /** Sentences that were announced and are not parsed yet. */
  #expected = new Map<Sentence, EncodedSentence>();

  constructor(model: TrainedModel, decoder: Decoder, treeFeatures: TreeFeatures | undefined) {
    const { configuration, labels, encoder, filter, tensor, network, reach } = model;
    const { pruning } = configuration;
    this.#decoder = decoder;
    this.#model = model;
    const readsWords = treeFeatures ?? (network && readsCharacters(network) ? true : undefined);
    this.#encoder = withWords(
      withVectors(sentenceEncoder(encoder), tensor?.vectors ?? network?.vectors),
      readsWords,
    );
    this.#labels = new LabelSet(labels);
    const scorers = createScorers({ configuration, labels: labels.length, filter, tensor }, treeFeatures);
    requireScored(scorers, decoder);
    this.#weights = {
      arcs: tableOf(model.arcWeights),
      parts: tableOf(model.partWeights),
      tensor: tensor && { values: restoreTensor(tensor), first: 0, scale: 1 },
      trees: model.globalWeights && tableOf(model.globalWeights),
    };
    if (filter !== undefined) scorers.arcs.load(this.#weights.arcs);
    this.#pruner = pruning ? new Pruner(tableOf(model.prunerWeights), reach, configuration) : undefined;
    const ofNetwork = network && new NetworkScorer(network, decoder.trees);
    this.#network = ofNetwork;
    const terms = [scorers.tensor, ofNetwork].filter((term) => term !== undefined);
    this.#scorer = new SentenceScorer(scorers, terms, candidates(this.#pruner, pruning));
    this.#search = new ConstraintSearch(decoder.trees);
    this.#labeller = model.labeller && new Labeller(model.labeller, labels.length, filter);
  }

  columns(sentence: Sentence, given: GivenColumns = {}): Record<string, string[]> {
    if (this.#network === undefined || sentence.length === 0) return {};
    const cuts = sentence.length > MAX_WORDS ? cutBlocks(sentence) : [0, sentence.length];
    for (const [name, { labels }] of Object.entries(given)) {
      if (labels.length !== sentence.length)
        throw new RangeError(`column ${name}: expected ${sentence.length} labels, got ${labels.length}`);
    }
    const found = cuts.slice(1).map((end, b) => {
      const block = cuts.length === 2 ? sentence : sentence.slice(cuts[b], end);
      const encoded = this.#expected.get(block) ?? this.#encoder.encode(block);
      this.#last = { sentence: block, encoded };
      return this.#network!.columns(encoded, cutColumns(given, cuts[b]!, end));
    });
    const names = Object.keys(found[0]!);
    return Object.fromEntries(names.map((name) => [name, found.flatMap((block) => block[name]!)]));
  }

  expect(sentences: readonly Sentence[]): void {
    if (this.#network === undefined) return;
    const read = sentences.filter(({ length }) => length > 0 && length <= MAX_WORDS);
    this.#expected = new Map(read.map((sentence) => [sentence, this.#encoder.encode(sentence)]));
    this.#network.expect([...this.#expected.values()]);
  }

  parseBatch(sentences: readonly Sentence[]): Parse[] {
    this.expect(sentences);
    return sentences.map((sentence) => this.parse(sentence));
  }

  /** Encodes a sentence, unless that was done before: once, since its words may change later. */
  #encode(sentence: Sentence): EncodedSentence {
    const last = this.#last;
    this.#last = undefined;
    const expected = this.#expected.get(sentence);
    this.#expected.delete(sentence);
    return last?.sentence === sentence ? last.encoded : (expected ?? this.#encoder.encode(sentence));
  }

  problem(sentence: Sentence, options: ParseOptions = {}): ParsingProblem {
    return this.#score(sentence, options).scored.problem;
  }

  parse(sentence: Sentence, options: ParseOptions = {}): Parse {
    if (!this.#fits(sentence) && options.constraints === undefined)
      return this.#parseBlocks(sentence, options.networkWords);
    const at = this.#score(sentence, options);
    return this.#named(at, this.#relabel(at, decodeSentence(at.scored, this.#decoder)));
  }

  kBest(sentence: Sentence, k: number, options: ParseOptions = {}): Parse[] {
    if (!Number.isSafeInteger(k) || k < 1) throw new RangeError(`expected k to be an integer >= 1, got ${k}`);
    const ranking = requireCapability(this.#decoder, "kBest");
    const at = this.#score(sentence, options);
    const parses: Parse[] = [];
    for (const { heads, score } of ranking.kBest(at.scored.problem)) {
      const tree = { ...at.scored.labelled(heads), score, bound: score };
      parses.push(this.#named(at, this.#relabel(at, tree)));
      if (parses.length === k) break;
    }
    return parses;
  }

  marginals(sentence: Sentence, options: ParseOptions = {}): Marginals {
    const sums = requireCapability(this.#decoder, "marginals");
    if (sentence.length > MAX_WORDS) throw tooLong(sentence);
    const at = this.#score(sentence, options);
    const { problem, terms } = at.scored;
    const { arcs } = problem;
    const tree = this.#relabel(at, decodeSentence(at.scored, this.#decoder));
    const scoring = { arcs, terms, constraints: at.known?.scoring };
    const shares = this.#scorer.sum(at.scored.sentence, this.#weights, scoring);
    const summed = { ...problem, arcScores: shares.scores };
    const { logPartition, arcs: probabilities } = sums.marginals(summed);
    const headProbabilities = arcConfidence(arcs, probabilities, tree.heads);
    const { heads, labels, score, bound } = this.#named(at, tree);
    return {
      heads,
      labels,
      score,
      bound,
      headProbabilities,
      labelledProbabilities: headProbabilities.map((p, m) => p * labelShare(at, shares, tree, m)),
      arcs,
      arcProbabilities: probabilities,
      logPartition,
    };
  }

  #fits(sentence: Sentence): boolean {
    const { parts, global } = this.#scorer.scorers;
    const terms = this.#scorer.terms;
    return fitsDecoder(sentence.length, this.#decoder, {
      kinds: parts.kinds,
      global: global !== undefined,
      terms,
    });
  }

  /** Parses a long sentence block by block, with the time and memory of its blocks. */
  #parseBlocks(sentence: Sentence, networkWords: Sentence | undefined): Parse {
    const cuts = cutBlocks(sentence);
    const parses = cuts.slice(1).map((end, b) => {
      const own = networkWords?.slice(cuts[b], end);
      return this.parse(sentence.slice(cuts[b], end), own && { networkWords: own });
    });
    const { heads, links } = joinBlocks(parses, cuts);
    const labels = ["", ...parses.flatMap((parse) => parse.labels.slice(1))];
    const linked = this.#labelLinks(sentence, heads, links);
    for (const [k, m] of links.entries()) labels[m] = linked[k]!;
    const reductions = parses.flatMap(({ reduced }) => (reduced === undefined ? [] : [reduced]));
    const limits = reductions.flatMap((reduced) => (reduced.heads === undefined ? [] : [reduced.heads]));
    return {
      heads,
      labels,
      score: parses.reduce((sum, { score }) => sum + score, 0),
      bound: Infinity,
      reduced: {
        heads: limits.length === 0 ? undefined : Math.min(...limits),
        leftOut: [...new Set(reductions.flatMap(({ leftOut }) => leftOut))],
        blocks: parses.length,
      },
    };
  }

  /** Returns the best labels of the arcs between blocks, by sparse features. */
  #labelLinks(sentence: Sentence, heads: Int32Array, links: readonly number[]): string[] {
    const n = sentence.length;
    const isLink = new Set(links);
    const start = new Int32Array(n + 2);
    for (let m = 1; m <= n; m++) start[m + 1] = start[m]! + (isLink.has(m) ? 1 : 0);
    const arcs = {
      n,
      start,
      head: Int32Array.from(links, (m) => heads[m]!),
      modifier: Int32Array.from(links),
    };
    const encoded = this.#encoder.encode(sentence);
    const { labels } = this.#scorer.scorers.arcs.score(encoded, arcs, this.#weights.arcs);
    return links.map((_, k) => this.#labels.strings[labels[k]!]!);
  }

  #score(sentence: Sentence, { constraints: given, networkWords = sentence }: ParseOptions): Scored {
    if (!this.#fits(sentence)) throw tooLong(sentence);
    if (networkWords.length !== sentence.length)
      throw new RangeError(`expected ${sentence.length} words for the network, got ${networkWords.length}`);
    const words = this.#network === undefined ? sentence : networkWords;
    const read = this.#encode(words);
    const encoded = words === sentence ? read : this.#encoder.encode(sentence);
    if (encoded !== read) this.#network?.readAs(encoded, read);
    const known = given && this.#known(encoded, checkConstraints(encoded.n, given));
    const options = { constraints: known?.scoring, limitFor: this.#decoder.trees };
    const scored = this.#scorer.score(encoded, this.#weights, options);
    return { scored, known };
  }

  #known(encoded: ScoredSentence["sentence"], checked: CheckedConstraints): Known {
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

  /** Relabels a tree by the labeller, or else by terms that score labels; not where constraints decide. */
  #relabel({ scored, known }: Scored, tree: DecodedTree): DecodedTree {
    const labels = this.#labelsOf(scored, tree.heads);
    if (labels === undefined) return tree;
    for (const m of known?.checked.labels.keys() ?? []) labels[m] = tree.labels[m]!;
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
  #named({ scored, known }: Scored, tree: DecodedTree): Parse {
    const { score, bound, report } = tree;
    const { heads, labels } = this.#labels.decode(tree);
    const forced = known?.checked.labels;
    const named = forced ? labels.map((label, m) => forced.get(m)?.forced ?? label) : labels;
    const { reduction } = scored;
    return {
      heads,
      labels: named,
      score,
      bound,
      ...(report ? { report } : {}),
      ...(reduction ? { reduced: { ...reduction, blocks: 1 } } : {}),
    };
  }
}

/** Returns the error of operations that need a sentence as a whole. */
function tooLong(sentence: Sentence): RangeError {
  return new RangeError(
    `expected a sentence of at most ${MAX_WORDS} words, found ${sentence.length}: longer ones have a ` +
      "tree, but no constraints, probabilities or lists of trees",
  );
}

/** Returns the probability of a word's label among those of its arc. */
function labelShare(
  { known }: Scored,
  shares: LabelShares,
  { heads, labels }: DecodedTree,
  m: number,
): number {
  if (m === 0) return 0;
  const [h, label] = [heads[m]!, labels[m]!];
  if (known?.checked.labels.has(m)) return known.labels.share(h, m, label);
  return Math.exp(shares.logShare(arcIndex(shares.arcs, h, m), label));
}

/**
 * @throws UnsupportedPart when the decoder cannot score everything that the model scores
 */
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

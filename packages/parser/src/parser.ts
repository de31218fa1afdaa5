import { arcIndex, type Decoder, type ParsingProblem, type Sentence, UnsupportedPart } from "@arcwise/core";
import {
  arcFeatures,
  type EncodedSentence,
  lineLength,
  type SentenceEncoder,
  sentenceEncoder,
} from "@arcwise/core/features";
import { arcConfidence } from "@arcwise/decode-mst";
import { type CheckedConstraints, checkConstraints, type ParseConstraints } from "./decoding/constraints.ts";
import { ConstrainedLabels } from "./decoding/constraints-labels.ts";
import { ConstraintSearch } from "./decoding/constraints-search.ts";
import { checkSearchOptions, familyOf, parsingDecoderNamed, takesGlobal } from "./decoding/decoders.ts";
import { ProblemSums, rankTrees } from "./decoding/tree-sums.ts";
import { Labeller } from "./labelling/labeller.ts";
import { LabelSet, type TrainedModel, trained } from "./model/model.ts";
import { restoreTensor } from "./model/tensor-model.ts";
import { candidates, Pruner } from "./pruning/pruner.ts";
import { ArcScorer } from "./scoring/arcs/arc-scorer.ts";
import type { EncodedTree } from "./scoring/arcs/label-filter.ts";
import { NetworkScorer } from "./scoring/network/network-scorer.ts";
import { PartScorer } from "./scoring/parts/part-scorer.ts";
import { withVectors } from "./scoring/tensor/word-vectors.ts";
import { GlobalScorer } from "./scoring/trees/global-scorer.ts";
import {
  bestLabels,
  type DecodedTree,
  decodeProblem,
  type ModelWeights,
  type Scorers,
  scoreSentence,
} from "./training/parsing-task.ts";
import type { Marginals, Parse, ParseOptions, Parser, ParserModel } from "./types.ts";

export interface ParserOptions {
  /** Instead of the decoder that the model was trained with: another, or the name of one (`DECODER_NAMES`). */
  readonly decoder?: Decoder | string;
  /** Climbs a sentence of "hillclimb": 30, or 10 in a row that find nothing better, unless told. */
  readonly restarts?: number;
  /** Whether "ad3" proves each tree to be the best, by branch and bound where need be. */
  readonly exact?: boolean;
}

/**
 * A parser of a model. It keeps scratch memory that grows with the longest sentence; one parser serves one
 * caller at a time.
 *
 * @throws TypeError when the model was not made by this package
 * @throws RangeError when no decoder has the name, or an option is for another decoder
 * @throws UnsupportedPart when the decoder cannot score the parts of the model
 */
export function createParser(model: ParserModel, options: ParserOptions = {}): Parser {
  const known = trained(model);
  const { decoder: given = known.configuration.decoder } = options;
  checkSearchOptions(given, options);
  const decoder = typeof given === "string" ? parsingDecoderNamed(given, options) : given;
  const parser = new ModelParser(known, decoder);
  return {
    parse: (sentence, at) => parser.parse(sentence, at),
    kBest: (sentence, k, at) => parser.kBest(sentence, k, at),
    marginals: (sentence, at) => parser.marginals(sentence, at),
    problem: (sentence, at) => parser.problem(sentence, at),
  };
}

/** A sentence with its scored candidates. */
interface Scored {
  readonly encoded: EncodedSentence;
  readonly problem: ParsingProblem;
  readonly constraints: CheckedConstraints | undefined;
}

class ModelParser implements Parser {
  readonly #decoder: Decoder;
  readonly #encoder: SentenceEncoder;
  readonly #labels: LabelSet;
  readonly #scorers: Scorers;
  readonly #weights: ModelWeights;
  readonly #pruner: Pruner | undefined;
  readonly #candidates: ReturnType<typeof candidates>;
  readonly #constrainedLabels: ConstrainedLabels;
  readonly #search: ConstraintSearch;
  readonly #labeller: Labeller | undefined;
  readonly #network: NetworkScorer | undefined;
  readonly #sums: ProblemSums;

  constructor(model: TrainedModel, decoder: Decoder) {
    const { configuration, labels, encoder, filter, arcWeights, partWeights, prunerWeights, reach } = model;
    const { arcTemplates, partTemplates, arcBits, partBits, global, pruning } = configuration;
    this.#decoder = decoder;
    this.#encoder = withVectors(sentenceEncoder(encoder), model.tensor?.vectors);
    this.#labels = new LabelSet(labels);
    const tensor = model.tensor && restoreTensor(model.tensor);
    const arcs = new ArcScorer(
      arcFeatures(arcTemplates, arcBits, lineLength(labels.length)),
      labels.length,
      filter,
      tensor?.scorer,
    );
    tensor?.scorer.use(tensor.weights);
    this.#scorers = {
      arcs,
      parts: new PartScorer(partTemplates, partBits),
      global: global && new GlobalScorer(global),
    };
    if (global && !takesGlobal(decoder)) throw new UnsupportedPart(decoder.name, "global", decoder.handles);
    for (const kind of this.#scorers.parts.kinds) {
      if (!decoder.handles.has(kind)) throw new UnsupportedPart(decoder.name, kind, decoder.handles);
    }
    this.#weights = {
      arcs: arcWeights.values,
      arcScale: arcWeights.scale,
      parts: partWeights.values,
      partScale: partWeights.scale,
      firstPart: 0,
      global: model.globalWeights && {
        weights: model.globalWeights.values,
        scale: model.globalWeights.scale,
        first: 0,
      },
    };
    this.#pruner =
      pruning === false
        ? undefined
        : new Pruner(prunerWeights.values, prunerWeights.scale, reach, configuration);
    this.#candidates = candidates(this.#pruner, pruning);
    this.#constrainedLabels = new ConstrainedLabels(arcs, filter, labels);
    this.#search = new ConstraintSearch(familyOf(decoder) ?? "any");
    this.#sums = new ProblemSums(decoder);
    this.#network = model.network && new NetworkScorer(model.network, familyOf(decoder));
    const { labeller } = model;
    if (labeller) {
      const { values, scale } = labeller.weights;
      this.#labeller = new Labeller(labeller.configuration, labels.length, filter, values, scale);
    }
  }

  problem(sentence: Sentence, options: ParseOptions = {}): ParsingProblem {
    return this.#score(sentence, options.constraints).problem;
  }

  parse(sentence: Sentence, options: ParseOptions = {}): Parse {
    return this.#decode(this.#score(sentence, options.constraints));
  }

  kBest(sentence: Sentence, k: number, options: ParseOptions = {}): Parse[] {
    if (!Number.isSafeInteger(k) || k < 1) throw new RangeError(`expected k to be an integer >= 1, got ${k}`);
    const scored = this.#score(sentence, options.constraints);
    const { problem } = scored;
    const parses: Parse[] = [];
    for (const { heads, score } of rankTrees(problem, this.#decoder)) {
      const labels = bestLabels(problem.arcs, heads, this.#scorers.arcs);
      parses.push(this.#named(scored, this.#relabel(scored, { heads, labels, score, bound: score })));
      if (parses.length === k) break;
    }
    return parses;
  }

  marginals(sentence: Sentence, options: ParseOptions = {}): Marginals {
    const scored = this.#score(sentence, options.constraints);
    const { arcs } = scored.problem;
    const tree = decodeProblem(scored.problem, this.#scorers.arcs, this.#decoder);
    const { heads, labels, score, bound } = this.#relabel(scored, tree);
    const { logPartition, probabilities } = this.#sums.marginals(this.#sumLabels(scored));
    const headProbabilities = arcConfidence(arcs, probabilities, heads);
    return {
      ...this.#named(scored, { heads, labels, score, bound }),
      headProbabilities,
      labelledProbabilities: this.#labelled(scored, { heads, labels }, headProbabilities),
      arcs,
      arcProbabilities: probabilities,
      logPartition,
    };
  }

  #score(sentence: Sentence, given: ParseConstraints | undefined): Scored {
    const encoded = this.#encoder.encode(sentence);
    const constraints = given && checkConstraints(encoded.n, given);
    let arcs = this.#candidates(encoded);
    this.#network?.read(encoded);
    if (this.#network) arcs = this.#network.keep(arcs);
    if (constraints) arcs = this.#search.restrict(arcs, constraints, encoded, this.#pruner);
    const problem = scoreSentence(this.#scorers, encoded, arcs, this.#weights);
    if (constraints) this.#constrainedLabels.choose(problem, encoded, constraints, this.#weights);
    this.#network?.addScores(arcs, problem.arcScores);
    return { encoded, problem, constraints };
  }

  #decode(scored: Scored): Parse {
    const tree = decodeProblem(scored.problem, this.#scorers.arcs, this.#decoder);
    return this.#named(scored, this.#relabel(scored, tree));
  }

  /** The same problem with each arc's labels summed out. */
  #sumLabels({ encoded, problem, constraints }: Scored): ParsingProblem {
    const { arcs } = this.#scorers;
    arcs.sum(encoded, problem.arcs, this.#weights.arcs, this.#weights.arcScale);
    const summed = { ...problem, arcScores: arcs.scores.slice(0, problem.arcScores.length) };
    if (constraints) this.#constrainedLabels.sum(summed, encoded, constraints, this.#weights);
    this.#network?.addScores(summed.arcs, summed.arcScores);
    return summed;
  }

  /** Probabilities of heads with their labels, when the arcs' labels were summed out last. */
  #labelled(
    { encoded, problem: { arcs }, constraints }: Scored,
    { heads, labels }: EncodedTree,
    headProbabilities: Float64Array,
  ): Float64Array {
    return headProbabilities.map((probability, m) => {
      if (m === 0) return 0;
      const [h, label] = [heads[m]!, labels[m]!];
      if (constraints?.labels.has(m)) {
        return probability * this.#constrainedLabels.share(h, m, label, encoded, constraints, this.#weights);
      }
      return probability * Math.exp(this.#scorers.arcs.logShare(arcIndex(arcs, h, m), label));
    });
  }

  /** The tree with the labels that the labeller gives it, where there is one and no constraint decides. */
  #relabel<Tree extends EncodedTree>({ encoded, constraints }: Scored, tree: Tree): Tree {
    if (this.#labeller === undefined) return tree;
    const others = this.#network?.labelScores(tree.heads);
    const labels = this.#labeller.label(encoded, tree.heads, undefined, others);
    for (const m of constraints?.labels.keys() ?? []) labels[m] = tree.labels[m]!;
    return { ...tree, labels };
  }

  /** A tree with its labels as strings; forced ones as they were given. */
  #named({ constraints }: Scored, tree: DecodedTree): Parse {
    const { score, bound, report } = tree;
    const { heads, labels } = this.#labels.decode(tree);
    const named = constraints ? labels.map((label, m) => constraints.labels.get(m)?.forced ?? label) : labels;
    return { heads, labels: named, score, bound, ...(report && { report }) };
  }
}

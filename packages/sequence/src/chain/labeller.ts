import type { Sentence } from "@arcwise/core";
import type { EncodedSequence } from "../features/attributes.ts";
import { BeamSearch } from "../inference/beam.ts";
import type { ChainProblem } from "../inference/chain-problem.ts";
import { ForwardBackward } from "../inference/forward-backward.ts";
import { kBestLabellings } from "../inference/kbest.ts";
import { Viterbi } from "../inference/viterbi.ts";
import { type ChainModel, type ChainReader, readersOf } from "./chain-model.ts";
import { normaliseLocally } from "./local.ts";

/** Options of labelling a sentence. */
export interface LabelOptions {
  /** Known labels: one per word, undefined where unknown. */
  readonly known?: readonly (string | undefined)[] | undefined;
}

/** A label of a word and its probability. */
export interface LabelProbability {
  readonly label: string;
  readonly probability: number;
}

/** Labels sequences with one model. Not for concurrent use. */
export interface Labeller {
  readonly labels: readonly string[];
  /**
   * Returns the best labels of a sentence. O(n (templates · candidates + candidates^order)), where a model
   * with a dictionary has at most 256 candidates of a word that it does not know, and `candidates` of them
   * in pairs.
   *
   * @throws ArcwiseError `no-labelling` when the known labels allow no labelling
   * @throws RangeError when there is not one known label per word, or the model does not have one of them
   */
  label(sentence: Sentence, options?: LabelOptions): string[];
  /** Returns the k best labellings, best first; fewer when there are not as many. Throws as `label`. */
  kBest(
    sentence: Sentence,
    k: number,
    options?: LabelOptions,
  ): { readonly labels: string[]; readonly score: number }[];
  /**
   * Returns for each word its possible labels with their marginal probabilities, the most probable first.
   * Scores of margin learners are not log-probabilities; scores of log-linear models are.
   */
  marginals(sentence: Sentence, options?: LabelOptions): LabelProbability[][];
  /** Returns a copy of the scored problem, for other kinds of inference. */
  problem(sentence: Sentence, options?: LabelOptions): ChainProblem;
}

/** Options of `createLabeller`. */
export interface LabellerOptions {
  /** Decodes by a beam of this many states instead of exactly. */
  readonly beam?: number | undefined;
  /**
   * `label` considers at most this many candidates of a word that the dictionary of the model does not limit
   * to as many: those with the highest scores by themselves. Default: 64, and all of them for models whose
   * labels are in BIO notation or normalised locally.
   */
  readonly candidates?: number | undefined;
}

/** The default of `candidates`. */
const CANDIDATES = 64;

/**
 * Makes a labeller from a model.
 *
 * @throws RangeError when the beam or the candidates are not an integer >= 1, or the number of weights does not
 *   fit the features
 */
export function createLabeller(model: ChainModel, options: LabellerOptions = {}): Labeller {
  return sequenceLabeller(model, readersOf([model])[0], options);
}

/** A labeller which also labels what its reader has encoded. */
export interface SequenceLabeller extends Labeller {
  /** Returns the best labels of a sequence. Cost as of `label`. */
  labelSequence(sequence: EncodedSequence): string[];
}

/** Makes a labeller from a model and a reader of it. */
export function sequenceLabeller(
  model: ChainModel,
  { encoder, scorer }: ChainReader,
  { beam, candidates }: LabellerOptions = {},
): SequenceLabeller {
  const { labels, normalisation, bio } = model.configuration;
  if (
    candidates !== undefined &&
    !(candidates >= 1 && (Number.isInteger(candidates) || candidates === Infinity))
  ) {
    throw new RangeError(`candidates must be an integer >= 1, got ${candidates}`);
  }
  const most = candidates ?? (bio || normalisation === "local" ? Infinity : CANDIDATES);
  const ids = new Map(labels.map((label, id) => [label, id]));
  const viterbi = new Viterbi();
  const search = beam === undefined ? undefined : new BeamSearch(beam);
  let sums: ForwardBackward | undefined;
  let output = new Int32Array(64);

  /** @param limits what may be left out where only the best labelling is wanted, and not its score */
  function scoreSequence(
    sequence: EncodedSequence,
    { known }: LabelOptions,
    limits: { readonly most?: number | undefined; readonly choicesOnly?: boolean | undefined } = {},
  ): ChainProblem {
    const prepared = scorer.prepare(sequence, {
      known: known && knownIds(sequence.n, known, ids),
      choicesOnly: limits.choicesOnly,
    });
    const problem = scorer.score(prepared, model.weights, { scale: model.scale, most: limits.most });
    return normalisation === "local" ? normaliseLocally(problem) : problem;
  }

  function score(sentence: Sentence, options: LabelOptions): ChainProblem {
    return scoreSequence(encoder.encode(sentence), options);
  }

  function bestOf(sequence: EncodedSequence, options: LabelOptions): string[] {
    const { n } = sequence;
    if (output.length < n) output = new Int32Array(2 * n);
    const problem = scoreSequence(sequence, options, { most, choicesOnly: true });
    (search ?? viterbi).decodeInto(problem, output);
    return names(output, n);
  }

  function names(found: Int32Array, n: number): string[] {
    const list = new Array<string>(n);
    for (let i = 0; i < n; i++) list[i] = labels[found[i]];
    return list;
  }

  return {
    labels,
    label(sentence, options = {}) {
      return sentence.length === 0 ? [] : bestOf(encoder.encode(sentence), options);
    },
    labelSequence: (sequence) => (sequence.n === 0 ? [] : bestOf(sequence, {})),
    kBest(sentence, k, options = {}) {
      const n = sentence.length;
      if (n === 0) return [{ labels: [], score: 0 }];
      const found = kBestLabellings(score(sentence, options), k, viterbi);
      return found.map((one) => ({ labels: names(one.labels, n), score: one.score }));
    },
    marginals(sentence, options = {}) {
      if (sentence.length === 0) return [];
      sums ??= new ForwardBackward();
      const problem = score(sentence, options);
      return probabilities(problem, sums.sum(problem).marginals, labels);
    },
    problem(sentence, options = {}) {
      const { order, lattice, scores, grams, table } = score(sentence, options);
      return { order, lattice, scores: scores.slice(), grams: grams.slice(), table: table.slice() };
    },
  };
}

function knownIds(
  n: number,
  known: readonly (string | undefined)[],
  ids: ReadonlyMap<string, number>,
): Int32Array {
  if (known.length !== n) {
    throw new RangeError(`expected ${n} known labels, got ${known.length}`);
  }
  return Int32Array.from(known, (label, i) => {
    if (label === undefined) return -1;
    const id = ids.get(label);
    if (id === undefined) throw new RangeError(`word ${i + 1}: the model has no label "${label}"`);
    return id;
  });
}

function probabilities(
  { lattice: { n, start, labels: candidates } }: ChainProblem,
  marginals: Float64Array,
  labels: readonly string[],
): LabelProbability[][] {
  return Array.from({ length: n }, (_, i) => {
    const list: LabelProbability[] = [];
    for (let c = start[i]; c < start[i + 1]; c++) {
      list.push({ label: labels[candidates[c]], probability: marginals[c] });
    }
    return list.sort((a, b) => b.probability - a.probability);
  });
}

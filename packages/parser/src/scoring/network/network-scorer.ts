import type { Arcs, Decoder } from "@arcwise/core";
import { exp, log } from "@arcwise/core/arithmetic";
import {
  type EncodedSentence,
  type EncoderData,
  type SentenceEncoder,
  sentenceEncoder,
} from "@arcwise/core/features";
import { plainEisnerDecoder, plainMstDecoder } from "@arcwise/decode-mst";
import type { RowPair } from "@arcwise/neural";
import type { SentenceTerm } from "../score-term.ts";
import { type TreeFeatures, withWords } from "../trees/tree-features.ts";
import { withVectors } from "../vectors/word-vectors.ts";
import { CHARACTERS } from "./character-features.ts";
import { type ColumnScores, JointLabels } from "./combinations.ts";
import type { GivenColumns } from "./given-columns.ts";
import {
  type EnsembleReading,
  joinReadings,
  type LabelScores,
  type NetworkEnsemble,
} from "./network-ensemble.ts";
import type { NetworkConfiguration, QuantizedNetwork } from "./quantized-network.ts";
import { logSoftmax, MIN_SCORE, SentenceNetworks, writeLabelScores } from "./sentence-networks.ts";

/** Returns whether a network reads the characters or the vectors of words, which encoded sentences must keep. */
export function readsWordsThemselves({ configuration, encoder }: QuantizedNetwork): boolean {
  return configuration.templates.includes(CHARACTERS) || encoder !== undefined;
}

/** Returns the encoder of the sentences of a model, which keeps the words that its network or features of whole trees read. */
export function modelEncoder(
  data: EncoderData,
  network: QuantizedNetwork | undefined,
  features?: TreeFeatures,
): SentenceEncoder {
  const reader = features ?? (network && readsWordsThemselves(network) ? network : undefined);
  return withWords(withVectors(sentenceEncoder(data), network?.vectors), reader);
}

/** The parts of a network that its readings use for scoring. */
interface Scoring {
  readonly ensemble: NetworkEnsemble;
  readonly configuration: NetworkConfiguration;
  /** Finds a tree among candidates by the scores of the network. */
  readonly decoder: Decoder;
  readonly columns: ReturnType<typeof columnChoice>;
}

/**
 * Scores arcs and labels by a network: the log-probability of a head minus the log-probability of the likeliest
 * head, times the weight of the network; and so for labels. One instance owns scratch memory.
 */
export class NetworkScorer {
  readonly #networks: SentenceNetworks;
  readonly #scoring: Scoring;

  /**
   * @param trees the trees of which the candidates that `restrict` keeps must contain one
   * @param encoder see `SentenceNetworks`
   */
  constructor(network: QuantizedNetwork, trees: Decoder["trees"] = "any", encoder?: SentenceEncoder) {
    const { configuration } = network;
    this.#networks = new SentenceNetworks(network, encoder);
    this.#scoring = {
      ensemble: this.#networks.ensemble,
      configuration,
      decoder: trees === "projective" ? plainEisnerDecoder() : plainMstDecoder(),
      columns: columnChoice(configuration),
    };
  }

  /** Reads a sentence. O(n units² + n² units). */
  read(sentence: EncodedSentence): NetworkReading {
    return this.readAll([sentence])[0];
  }

  /** Reads sentences, several at a time, which takes less time than one by one, with the same results. */
  readAll(sentences: readonly EncodedSentence[]): NetworkReading[] {
    return this.#networks.readAll(sentences).map((reading) => new NetworkReading(this.#scoring, reading));
  }
}

/** The output of a network for one sentence. It owns its memory: other sentences do not change it. */
export class NetworkReading implements SentenceTerm {
  readonly #scoring: Scoring;
  readonly #reading: EnsembleReading;
  /** The score of each word's likeliest head. */
  readonly #best: Float64Array;
  /** For each word, the logarithm of the sum of exp over the scores of its heads. */
  #logSums: Float64Array | undefined;

  constructor(scoring: Scoring, reading: EnsembleReading) {
    this.#scoring = scoring;
    this.#reading = reading;
    this.#best = bestHeads(reading);
  }

  /**
   * Returns the candidates whose log-probability is within the margin, and the arcs of the likeliest tree, so
   * that there is one. O(arcs log n), O(n³) where trees are projective.
   */
  restrict(arcs: Arcs): Arcs {
    const { margin } = this.#scoring.configuration;
    if (margin === undefined) return arcs;
    const { n, start, head, modifier } = arcs;
    const scores = this.#differences(arcs);
    const { heads } = this.#scoring.decoder.decode({ arcs, arcScores: scores, parts: [] });
    const kept = new Int32Array(n + 2);
    const indices: number[] = [];
    for (let m = 1; m <= n; m++) {
      for (let a = start[m]; a < start[m + 1]; a++) {
        if (scores[a] >= -margin || heads[m] === head[a]) indices.push(a);
      }
      kept[m + 1] = indices.length;
    }
    const pick = (column: Int32Array) => Int32Array.from(indices, (a) => column[a]);
    return { n, start: kept, head: pick(head), modifier: pick(modifier) };
  }

  addArcScores(arcs: Arcs, scores: Float64Array): void {
    const { weight } = this.#scoring.configuration;
    const own = this.#differences(arcs);
    for (let a = 0; a < own.length; a++) scores[a] += weight * own[a];
  }

  /** Returns, for each arc, its log-probability minus the log-probability of the word's likeliest head. */
  #differences({ head, modifier }: Arcs): Float64Array {
    const { arcs, length } = this.#reading;
    const differences = new Float64Array(head.length);
    for (let a = 0; a < head.length; a++) {
      const m = modifier[a];
      differences[a] = Math.max(MIN_SCORE, arcs[m * length + head[a]] - this.#best[m]);
    }
    return differences;
  }

  /** Returns the scores of the labels of words, given their heads. O(words units labels). */
  labelScores(heads: Int32Array, words: readonly number[] = [...heads.keys()].slice(1)): Float64Array {
    const { ensemble, configuration } = this.#scoring;
    const arcs = words.map((m) => ({ first: heads[m], second: m }));
    const { values, row } = ensemble.labelScores(this.#reading, arcs);
    const { labels } = ensemble.shape;
    const scores = new Float64Array(heads.length * labels);
    const scale = { labels, weight: configuration.labelWeight };
    for (const [k, m] of words.entries()) writeLabelScores(values, k * row, scale, scores, m * labels);
    return scores;
  }

  /** Number of positions: the words, and the root. */
  get length(): number {
    return this.#reading.length;
  }

  /**
   * Returns the logarithm of the probability that word m has head h, among all positions but its own. O(1), at the first
   * call O(n²).
   */
  logProbability(h: number, m: number): number {
    this.#logSums ??= logSums(this.#reading, this.#best);
    return this.#reading.arcs[m * this.#reading.length + h] - this.#logSums[m];
  }

  /** Returns `logProbability` of arcs. O(arcs), at the first call O(n²). */
  logProbabilities({ head, modifier }: Arcs): Float64Array {
    const { arcs, length } = this.#reading;
    this.#logSums ??= logSums(this.#reading, this.#best);
    const sums = this.#logSums;
    const found = new Float64Array(head.length);
    for (let a = 0; a < head.length; a++) {
      const m = modifier[a];
      found[a] = arcs[m * length + head[a]] - sums[m];
    }
    return found;
  }

  /** Returns the logarithms of the probabilities of the labels of arcs: a row each. O(arcs units labels). */
  labelLogProbabilities(arcs: readonly RowPair[]): Float64Array[] {
    const { ensemble } = this.#scoring;
    const { values, row } = ensemble.labelScores(this.#reading, arcs);
    const { labels } = ensemble.shape;
    return arcs.map((_, k) => logSoftmax(values.subarray(k * row, k * row + labels)));
  }

  /** Returns the best label of each word of a tree, the first among equals; -1 for the root. O(n units labels). */
  bestLabels(heads: Int32Array): Int32Array {
    const { ensemble } = this.#scoring;
    const arcs = Array.from(heads.subarray(1), (first, k) => ({ first, second: k + 1 }));
    const { values, row } = ensemble.labelScores(this.#reading, arcs);
    const best = new Int32Array(heads.length).fill(-1);
    const { labels } = ensemble.shape;
    for (let m = 1; m < heads.length; m++) best[m] = bestIn({ values, from: (m - 1) * row }, labels);
    return best;
  }

  /** Returns a reading of all words of a sentence that was read in blocks, which scores labels alone. */
  joined(others: readonly NetworkReading[]): NetworkReading {
    const readings = [this, ...others].map((one) => one.#reading);
    return new NetworkReading(this.#scoring, joinReadings(readings));
  }

  /**
   * Returns the best labels of the words in all columns together, see `Reading.columns`.
   * O(n combinations), and O(n units labels) for the first of the sentences that were read together.
   */
  columns(given: GivenColumns): Record<string, string[]> {
    const { ensemble, columns } = this.#scoring;
    return columns(ensemble.columnScores(this.#reading), this.#reading.rows, given);
  }
}

function logSums({ arcs, length }: EnsembleReading, best: Float64Array): Float64Array {
  const sums = new Float64Array(length);
  for (let m = 1; m < length; m++) {
    const row = m * length;
    let sum = 0;
    for (let h = 0; h < length; h++) if (h !== m) sum += exp(arcs[row + h] - best[m]);
    sums[m] = best[m] + log(sum);
  }
  return sums;
}

/** Finds the score of the likeliest head of each word. O(n²). */
function bestHeads({ arcs, length }: EnsembleReading): Float64Array {
  const scores = new Float64Array(length);
  for (let m = 1; m < length; m++) {
    const row = m * length;
    let best = -Infinity;
    for (let h = 0; h < length; h++) if (h !== m && arcs[row + h] > best) best = arcs[row + h];
    scores[m] = best;
  }
  return scores;
}

/**
 * Returns a function that chooses the labels of the words of a sentence in columns, by the scores of the labels of each
 * column and the rows of the root and of the words.
 */
function columnChoice({ columns = [], combinations }: NetworkConfiguration) {
  /** Numbers of the labels of each column. */
  const numbers = columns.map(({ labels }) => new Map(labels.map((label, number) => [label, number])));
  /** Undefined: the best label of each column by itself. */
  const joint = combinations && new JointLabels(combinations, columns.length);
  /** Replaces the scores of a word in column c by scores in which a label is raised, if the column has it. */
  function raise(
    c: number,
    scores: { -readonly [K in keyof ColumnScores]: ColumnScores[K] },
    label: string,
    trust: number,
  ) {
    const trusted = numbers[c].get(label);
    if (trusted === undefined) return;
    const { values, from } = scores;
    const raised = Float64Array.from(values.subarray(from, from + columns[c].labels.length));
    raised[trusted] += trust;
    scores.values = raised;
    scores.from = 0;
  }
  return (
    scores: readonly LabelScores[],
    rows: Int32Array,
    given: GivenColumns,
  ): Record<string, string[]> => {
    const trusted = columns.map(({ name }) => given[name]);
    const chosen = columns.map((): string[] => []);
    const best = new Int32Array(columns.length);
    // Written out: it is done for each word of a text.
    const own = scores.map(({ values }) => ({ values: values as ColumnScores["values"], from: 0 }));
    for (let k = 1; k < rows.length; k++) {
      for (let c = 0; c < columns.length; c++) {
        const { values, row } = scores[c];
        const at = own[c];
        at.values = values;
        at.from = rows[k] * row;
        if (trusted[c] !== undefined) raise(c, at, trusted[c].labels[k - 1], trusted[c].trust);
        best[c] = bestIn(at, columns[c].labels.length);
      }
      joint?.choose(own, best);
      for (let c = 0; c < columns.length; c++) chosen[c].push(columns[c].labels[best[c]]);
    }
    return Object.fromEntries(columns.map(({ name }, c) => [name, chosen[c]]));
  };
}

/** Returns the best of `length` labels, the first among equals. */
function bestIn({ values, from }: ColumnScores, length: number): number {
  let best = from;
  for (let at = from + 1; at < from + length; at++) if (values[at] > values[best]) best = at;
  return best - from;
}

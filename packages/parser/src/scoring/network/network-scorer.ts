import type { Arcs, Decoder } from "@arcwise/core";
import type { EncodedSentence } from "@arcwise/core/features";
import { plainEisnerDecoder, plainMstDecoder } from "@arcwise/decode-mst";
import type { ScoreTerm, SentenceTerm } from "../score-term.ts";
import type { Trace } from "./arc-network.ts";
import { CHARACTERS } from "./character-features.ts";
import type { ColumnTrace } from "./column-layers.ts";
import { JointLabels } from "./combinations.ts";
import type { GivenColumns } from "./given-columns.ts";
import { NetworkEnsemble } from "./network-ensemble.ts";
import { NetworkReader } from "./network-reader.ts";
import { type NetworkConfiguration, type QuantizedNetwork, restoreNetworks } from "./quantized-network.ts";

/** Returns whether a network reads the characters of words. */
export function readsCharacters({ configuration }: QuantizedNetwork): boolean {
  return configuration.templates.includes(CHARACTERS);
}

/** Minimum of log-probabilities, which limits the effect of a network that is certain but wrong. */
const MIN_SCORE = -12;
/** Maximum number of rows of sentences that are read together: more do not fit into caches. */
const MAX_ROWS = 256;

/**
 * Scores arcs and labels by a network: the log-probability of a head minus that of the word's likeliest head,
 * times the weight of the network; and so for labels. One instance owns the scratch memory, which grows with
 * the longest sentence.
 */
export class NetworkScorer implements ScoreTerm {
  readonly #network: NetworkEnsemble;
  readonly #reader: NetworkReader;
  readonly #configuration: NetworkConfiguration;
  /** Finds a tree among candidates by the scores of the network. */
  readonly #decoder: Decoder;
  /** Offset at which the memory of a sentence begins. */
  readonly #mark: number;
  #trace: Trace | undefined;
  /** Sentences that are read in place of others. */
  readonly #others = new WeakMap<EncodedSentence, EncodedSentence>();
  /** The sentences of the trace, in its order. */
  #batch: readonly EncodedSentence[] = [];
  /** Scores of the columns of the trace, once they were asked for. */
  #columns: readonly ColumnTrace[] | undefined;
  /** Sentences that come next. */
  #expected: readonly EncodedSentence[] = [];
  /** The current sentence, and its index in the batch. */
  #sentence: EncodedSentence | undefined;
  #index = 0;
  /** Score of each word's likeliest head. */
  #best = new Float64Array(0);
  /** Numbers of the labels of each column. */
  readonly #numbers: readonly ReadonlyMap<string, number>[];
  /** Scores of the labels of a word in each column. */
  readonly #labelsOfWord: readonly Float64Array[];
  /** Undefined: the best label of each column by itself. */
  readonly #joint: JointLabels | undefined;

  /**
   * @param trees the trees of which the candidates that `restrict` keeps must contain one
   */
  constructor(network: QuantizedNetwork, trees: Decoder["trees"] = "any") {
    const { configuration, codes } = network;
    this.#network = new NetworkEnsemble(restoreNetworks(network));
    this.#reader = new NetworkReader(configuration.templates, codes);
    this.#configuration = configuration;
    const { columns = [], combinations } = configuration;
    this.#numbers = columns.map(({ labels }) => new Map(labels.map((label, number) => [label, number])));
    this.#labelsOfWord = columns.map(({ labels }) => new Float64Array(labels.length));
    this.#joint = combinations && new JointLabels(combinations, columns.length);
    this.#decoder = trees === "projective" ? plainEisnerDecoder() : plainMstDecoder();
    this.#mark = this.#network.memory.mark;
  }

  /** Reads a sentence. O(n units² + n² units). */
  read(sentence: EncodedSentence): SentenceTerm {
    this.#use(sentence);
    return {
      restrict: (candidates) => {
        this.#use(sentence);
        return this.#restrict(candidates);
      },
      addArcScores: (arcs, scores) => {
        this.#use(sentence);
        const own = this.#differences(arcs);
        for (let a = 0; a < arcs.head.length; a++) scores[a]! += this.#configuration.weight * own[a]!;
      },
      labelScores: (heads) => {
        this.#use(sentence);
        return this.#labelScores(heads);
      },
    };
  }

  /**
   * Announces sentences that are read next, in this order. Several of them are then read together, which
   * takes less time, with the same results.
   */
  expect(sentences: readonly EncodedSentence[]): void {
    this.#expected = sentences;
  }

  /** From now on reads a sentence as another one of as many words. */
  readAs(sentence: EncodedSentence, other: EncodedSentence): void {
    this.#others.set(sentence, other);
  }

  /**
   * Returns the best labels of the words in all columns together, see `Parser.columns`.
   * O(n units labels + n combinations).
   */
  columns(sentence: EncodedSentence, given: GivenColumns): Record<string, string[]> {
    this.#use(sentence);
    const { columns = [] } = this.#configuration;
    this.#columns ??= this.#network.columnScores(this.#trace!);
    const found: Record<string, string[]> = Object.fromEntries(columns.map(({ name }) => [name, []]));
    const best = new Int32Array(columns.length);
    for (let k = 0; k < sentence.n; k++) {
      for (const [c, { name }] of columns.entries()) {
        const own = given[name];
        const label = own && this.#numbers[c]!.get(own.labels[k]!);
        best[c] = this.#readColumn(c, this.#row(k + 1), label ?? -1, own?.trust ?? 0);
      }
      this.#joint?.choose(this.#labelsOfWord, best);
      for (const [c, { name, labels }] of columns.entries()) found[name]!.push(labels[best[c]!]!);
    }
    return found;
  }

  /**
   * Reads the scores of a row in column c, where that of one label is raised, and returns the best label.
   * O(labels).
   */
  #readColumn(c: number, row: number, trusted: number, trust: number): number {
    const scores = this.#labelsOfWord[c]!;
    const { outputs } = this.#columns![c]!.scores;
    const { values } = this.#network.memory;
    const at = outputs.at + row * outputs.row;
    let best = 0;
    for (let l = 0; l < scores.length; l++) {
      scores[l] = l === trusted ? values[at + l]! + trust : values[at + l]!;
      if (scores[l]! > scores[best]!) best = l;
    }
    return best;
  }

  /** Returns the row of position i of the current sentence. */
  #row(i: number): number {
    return this.#trace!.input.batch.start[i]! + this.#index;
  }

  /** Runs the network over a sentence and some that are expected after it, unless it is in the batch. */
  #use(given: EncodedSentence): void {
    const sentence = this.#others.get(given) ?? given;
    if (this.#sentence === sentence) return;
    this.#index = this.#batch.indexOf(sentence);
    if (this.#index < 0) {
      const batch = this.#batchFrom(sentence);
      this.#sentence = undefined;
      this.#columns = undefined;
      this.#batch = [];
      this.#network.memory.release(this.#mark);
      this.#trace = this.#network.read(this.#reader.read(batch));
      this.#batch = batch;
      this.#index = batch.indexOf(sentence);
    }
    this.#sentence = sentence;
    this.#findBest();
  }

  /** Returns a sentence and those expected after it, up to `MAX_ROWS`, longer ones first. */
  #batchFrom(sentence: EncodedSentence): EncodedSentence[] {
    const from = this.#expected.indexOf(sentence);
    const batch = [sentence];
    if (from < 0) return batch;
    let rows = sentence.n + 1;
    let next = from + 1;
    for (; next < this.#expected.length; next++) {
      const other = this.#expected[next]!;
      rows += other.n + 1;
      if (rows > MAX_ROWS) break;
      batch.push(other);
    }
    this.#expected = this.#expected.slice(next);
    return batch.sort((a, b) => b.n - a.n);
  }

  /** Finds the score of the likeliest head of each word. O(n²). */
  #findBest(): void {
    const { length, scores } = this.#trace!.sentences[this.#index]!;
    const { values } = this.#network.memory;
    if (this.#best.length < length) this.#best = new Float64Array(2 * length);
    for (let m = 1; m < length; m++) {
      const row = scores.at + m * scores.row;
      let best = -Infinity;
      for (let h = 0; h < length; h++) if (h !== m && values[row + h]! > best) best = values[row + h]!;
      this.#best[m] = best;
    }
  }

  /**
   * Returns the candidates whose log-probability is within the margin, and those of the likeliest tree, so
   * that there is one. O(arcs log n), O(n³) where trees are projective.
   */
  #restrict(arcs: Arcs): Arcs {
    const { margin } = this.#configuration;
    if (margin === undefined) return arcs;
    const { n, start, head, modifier } = arcs;
    const scores = this.#differences(arcs);
    const { heads } = this.#decoder.decode({ arcs, arcScores: scores, parts: [] });
    const kept = new Int32Array(n + 2);
    const indices: number[] = [];
    for (let m = 1; m <= n; m++) {
      for (let a = start[m]!; a < start[m + 1]!; a++) {
        if (scores[a]! >= -margin || heads[m] === head[a]) indices.push(a);
      }
      kept[m + 1] = indices.length;
    }
    const pick = (column: Int32Array) => Int32Array.from(indices, (a) => column[a]!);
    return { n, start: kept, head: pick(head), modifier: pick(modifier) };
  }

  /** Returns, for each arc, its log-probability minus that of the word's likeliest head. */
  #differences({ head, modifier }: Arcs): Float64Array {
    const { values } = this.#network.memory;
    const { scores } = this.#trace!.sentences[this.#index]!;
    const differences = new Float64Array(head.length);
    for (let a = 0; a < head.length; a++) {
      const m = modifier[a]!;
      differences[a] = Math.max(MIN_SCORE, values[scores.at + m * scores.row + head[a]!]! - this.#best[m]!);
    }
    return differences;
  }

  /** Returns the scores of the labels of each word, given its head. O(n units labels). */
  #labelScores(heads: Int32Array): Float64Array {
    const { memory, shape } = this.#network;
    const mark = memory.mark;
    const arcs = Array.from(heads.subarray(1), (head, k) => ({
      first: this.#row(head),
      second: this.#row(k + 1),
    }));
    const own = this.#network.labelScores(this.#trace!, arcs);
    const { values } = memory;
    const { labels } = shape;
    const scores = new Float64Array(heads.length * labels);
    for (let m = 1; m < heads.length; m++) {
      const first = own.at + (m - 1) * own.row;
      let best = -Infinity;
      for (let l = 0; l < labels; l++) if (values[first + l]! > best) best = values[first + l]!;
      for (let l = 0; l < labels; l++) {
        scores[m * labels + l] =
          this.#configuration.labelWeight * Math.max(MIN_SCORE, values[first + l]! - best);
      }
    }
    memory.release(mark);
    return scores;
  }
}

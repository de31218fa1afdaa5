import { type Random, random, type Sentence } from "@arcwise/core";
import { ATTRIBUTES, codeOf, type EncodedSentence, PADDING } from "@arcwise/core/features";
import { type Matrix, type RowPair, rowsOf, softmaxLoss } from "@arcwise/neural";
import type { TrainedModel } from "../../model/model.ts";
import { scoresFeatures } from "../../model/model-header.ts";
import type { NetworkInput } from "../../scoring/network/arc-network.ts";
import type { LearningNetwork } from "../learning-network.ts";
import type { NewLabels } from "./new-labels.ts";

/** The number of rehearsed sentences, and their minimum and maximum numbers of words. */
const SENTENCES = 400;
const WORDS = { min: 3, max: 18 };
const SEED = 1;
/** The shares of unknown words, of words with a capital, and of words with a capital after such words. */
const SHARES = { unknown: 0.2, capital: 0.15, nextCapital: 0.5 };
/** The expected number of rehearsed words below which a known label is rare: a thousandth of them. */
const RARE = 4;

/**
 * Returns sentences of the words of a model in random order, more often of frequent words. Some words are made of the halves
 * of two and thus unknown, and some have a capital, as names do. They stand for the sentences that the model was trained on,
 * which are not at hand (pseudo-rehearsal, Robins 1995). None for models that need tags or vectors.
 */
export function rehearsedSentences({ configuration, encoder, network }: TrainedModel): Sentence[] {
  const forms = encoder.words.filter((form) => form !== "");
  const needsMore = scoresFeatures(configuration) || network?.encoder !== undefined;
  if (needsMore || forms.length === 0) return [];
  const stream = random(SEED);
  const drawn = () => forms[stream.int(1 + stream.int(1 + stream.int(forms.length)))];
  const unknown = () => {
    const characters = () => [...forms[stream.int(forms.length)]!];
    const [first, second] = [characters(), characters()];
    return [...first.slice(0, Math.ceil(first.length / 2)), ...second.slice(second.length >> 1)].join("");
  };
  return Array.from({ length: SENTENCES }, () => {
    let isCapital = false;
    return Array.from({ length: WORDS.min + stream.int(WORDS.max - WORDS.min + 1) }, () => {
      const form = stream.next() < SHARES.unknown ? unknown() : drawn();
      isCapital = stream.next() < (isCapital ? SHARES.nextCapital : SHARES.capital);
      return { form: isCapital ? form.charAt(0).toUpperCase() + form.slice(1) : form };
    });
  });
}

/** A batch of rehearsed sentences. */
export interface RehearsedBatch {
  readonly sentences: readonly EncodedSentence[];
  readonly input: NetworkInput;
}

/** A batch of rehearsed sentences, and the answers of a network to them. */
interface Rehearsed extends RehearsedBatch {
  /** The pairs of words whose labels are scored: words and their most probable heads. */
  readonly pairs: readonly RowPair[];
  /** The probabilities of the heads of each sentence. */
  readonly heads: readonly Float32Array[];
  readonly labels: readonly LabelShares[];
}

/** Probabilities of labels: `shares[i * row + label]` in row i. */
interface LabelShares {
  readonly shares: Float32Array;
  readonly row: number;
}

/** Dropout is for new sentences. */
const WITHOUT_DROPOUT = { inputs: 0, layers: 0, stream: random(SEED) };

/**
 * Returns the probabilities that a network gives to the labels of pairs of words, then of all rows for each column. Gradients
 * are not defined afterwards. O(words units²).
 *
 * @param known number of labels of pairs, and of each column, that are scored
 */
export function labelShares(
  network: LearningNetwork,
  input: NetworkInput,
  pairs: readonly RowPair[],
  known: readonly number[],
): LabelShares[] {
  const found: LabelShares[] = [];
  const add = (scores: Matrix, gradients: Matrix, count: number) => {
    const rows = { count, choices: known[found.length] };
    found.push({ shares: sharesOf(network.memory.values, scores, gradients, rows), row: gradients.row });
  };
  network.learn(input, WITHOUT_DROPOUT, pairs, {
    heads: () => {},
    labels: (scores, gradients) => add(scores, gradients, pairs.length),
    column: (_, scores, gradients) => add(scores, gradients, rowsOf(input.batch)),
  });
  return found;
}

/**
 * Holds a network that is continued to what it knew: its answers to rehearsed sentences stay the same, by the cross-entropy
 * of the answers that it gave before (distillation, Hinton et al. 2015).
 */
export class Rehearsal {
  readonly #network: LearningNetwork;
  readonly #known: readonly number[];
  readonly #batches: readonly Rehearsed[];
  /** The rows of each batch whose answers may change. */
  #free: readonly ReadonlySet<number>[] = [];

  /**
   * Reads the answers of the network as it is. O(words units²).
   *
   * @param known number of known labels of arcs, and of each column
   */
  constructor(network: LearningNetwork, batches: readonly RehearsedBatch[], known: readonly number[]) {
    this.#network = network;
    this.#known = known;
    this.#batches = batches.map((batch) => ({ ...batch, ...this.#read(batch.input) }));
    network.parameters.gradients.fill(0);
  }

  /** Returns the known labels of arcs, then of each column, that are expected for few rehearsed words. O(words labels). */
  rareLabels(): Set<number>[] {
    return (this.#batches[0]?.labels ?? []).map((_, layer) => {
      const labels = Array.from({ length: this.#known[layer] }, (_, label) => label);
      return new Set(labels.filter((label) => this.#expected(layer, label) < RARE));
    });
  }

  #expected(layer: number, label: number): number {
    let words = 0;
    for (const { input, labels } of this.#batches) {
      const { shares, row } = labels[layer];
      // The rows of roots, which do not have tags, come first.
      const first = layer === 0 ? 0 : input.batch.start[1];
      for (let k = first * row + label; k < shares.length; k += row) words += shares[k];
    }
    return words;
  }

  /** Lets the answers to some forms change. @param forms their codes */
  release(forms: ReadonlySet<number>): void {
    this.#free = this.#batches.map(({ sentences, input }) => {
      const rows = sentences.flatMap((sentence, s) =>
        formCodes(sentence).flatMap((code, k) => (forms.has(code) ? [input.batch.start[k + 1] + s] : [])),
      );
      return new Set(rows);
    });
  }

  /**
   * Adds the gradients of a batch, times a weight; returns the rows of its features.
   *
   * @param step batches take turns
   */
  addGradients(
    step: number,
    { newLabels, weight, stream }: { newLabels: NewLabels; weight: number; stream: Random },
  ): Int32Array | undefined {
    const index = step % Math.max(1, this.#batches.length);
    const rehearsed = this.#batches[index];
    if (rehearsed === undefined) return undefined;
    const { input, pairs, heads, labels } = rehearsed;
    const { start } = input.batch;
    const free = this.#free[index];
    const { memory, shape } = this.#network;
    const towards = (answers: Float32Array, scores: Matrix, gradients: Matrix, rows: WordRows) => {
      writeProbabilities(memory.values, scores, gradients, rows);
      const { values } = memory;
      const { at, row } = gradients;
      for (let r = 0; r < rows.count; r++) {
        const own = free?.has(rows.wordOf(r)) ? 0 : weight;
        for (let k = r * row; k < (r + 1) * row; k++) values[at + k] = own * (values[at + k] - answers[k]);
      }
    };
    const towardsLabels = (layer: number, scores: Matrix, gradients: Matrix, rows: WordRows) => {
      newLabels.addMargin(memory.values, layer, scores, rows.count);
      towards(labels[layer].shares, scores, gradients, rows);
    };
    this.#network.learn(input, { ...WITHOUT_DROPOUT, stream }, pairs, {
      heads: (s, scores, gradients, length) =>
        towards(heads[s], scores, gradients, { ...headRows(length), wordOf: (m) => start[m] + s }),
      labels: (scores, gradients) => {
        const wordOf = (k: number) => pairs[k].second;
        towardsLabels(0, scores, gradients, { count: pairs.length, choices: shape.labels, wordOf });
      },
      column: (c, scores, gradients) => {
        const choices = shape.columns![c].labels;
        towardsLabels(c + 1, scores, gradients, { count: rowsOf(input.batch), choices, wordOf: (r) => r });
      },
    });
    return input.features;
  }

  #read(input: NetworkInput): Omit<Rehearsed, keyof RehearsedBatch> {
    const { memory } = this.#network;
    const { start } = input.batch;
    const pairs: RowPair[] = [];
    const heads: Float32Array[] = [];
    this.#network.learn(input, WITHOUT_DROPOUT, [], {
      heads: (s, scores, gradients, length) => {
        const shares = sharesOf(memory.values, scores, gradients, headRows(length));
        heads.push(shares);
        for (let m = 1; m < length; m++) {
          const own = shares.subarray(m * scores.row, m * scores.row + length);
          const head = own.indexOf(own.reduce((a, b) => Math.max(a, b)));
          pairs.push({ first: start[head] + s, second: start[m] + s });
        }
      },
      labels: () => {},
    });
    return { pairs, heads, labels: labelShares(this.#network, input, pairs, this.#known) };
  }
}

const FORM = ATTRIBUTES.indexOf("word");
export const UNKNOWN_FORM = codeOf(FORM, 0);

/** Returns the codes of the forms of the words of a sentence. */
export function formCodes({ n, columns }: EncodedSentence): number[] {
  return Array.from(columns[FORM].subarray(PADDING + 1, PADDING + 1 + n));
}

/** Rows of scores of choices. */
interface Rows {
  readonly count: number;
  readonly choices: number;
  /** Whether rows are words and choices heads: the root has none, and no word is its own head. */
  readonly areHeads?: boolean;
}

/** Rows of scores of words. */
interface WordRows extends Rows {
  /** Returns the row of the batch with the word whose scores row `r` has. */
  wordOf(r: number): number;
}

function headRows(length: number): Rows {
  return { count: length, choices: length, areHeads: true };
}

/** Returns the probabilities of the choices of each row, which replace their gradients. */
function sharesOf(values: Float32Array, scores: Matrix, gradients: Matrix, rows: Rows): Float32Array {
  writeProbabilities(values, scores, gradients, rows);
  return values.slice(gradients.at, gradients.at + rows.count * gradients.row);
}

/** Writes the probabilities of the choices of each row in place of their gradients. */
function writeProbabilities(
  values: Float32Array,
  scores: Matrix,
  gradients: Matrix,
  { count, choices, areHeads = false }: Rows,
): void {
  for (let r = areHeads ? 1 : 0; r < count; r++) {
    const own = { scores: scores.at + r * scores.row, gradients: gradients.at + r * gradients.row };
    softmaxLoss(values, { ...own, choices, target: 0, excluded: areHeads ? r : -1 });
    values[own.gradients] += 1;
  }
}

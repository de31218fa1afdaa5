import { type Random, random, type Sentence } from "@arcwise/core";
import { type Matrix, type RowPair, rowsOf, softmaxLoss } from "@arcwise/neural";
import type { TrainedModel } from "../../model/model.ts";
import { scoresFeatures } from "../../model/model-header.ts";
import type { NetworkInput } from "../../scoring/network/arc-network.ts";
import type { LearningNetwork } from "../learning-network.ts";
import type { NewLabels } from "./new-labels.ts";

/** The number of rehearsed sentences, and their minimum and maximum numbers of words. */
const SENTENCES = 200;
const WORDS = { min: 3, max: 18 };
const SEED = 1;

/**
 * Returns sentences of the words of a model in random order, more often of frequent words. They stand for the sentences
 * that it was trained on, which are not at hand (pseudo-rehearsal, Robins 1995). None for models that need tags or vectors.
 */
export function rehearsedSentences({ configuration, encoder, network }: TrainedModel): Sentence[] {
  const forms = encoder.words.filter((form) => form !== "");
  const needsMore = scoresFeatures(configuration) || network?.encoder !== undefined;
  if (needsMore || forms.length === 0) return [];
  const stream = random(SEED);
  const drawn = () => forms[stream.int(1 + stream.int(1 + stream.int(forms.length)))]!;
  return Array.from({ length: SENTENCES }, () =>
    Array.from({ length: WORDS.min + stream.int(WORDS.max - WORDS.min + 1) }, () => ({ form: drawn() })),
  );
}

/** Sentences, and what a network answered to them. */
interface Rehearsed {
  readonly input: NetworkInput;
  /** The pairs of words whose labels are scored: words and their most probable heads. */
  readonly pairs: readonly RowPair[];
  /** The probabilities of the heads of each sentence, of the labels of pairs, and of each column, in rows of scores. */
  readonly answers: readonly Float32Array[];
}

/**
 * Holds a network that is continued to what it knew: its answers to rehearsed sentences stay the same, by the cross-entropy
 * of the answers that it gave before (distillation, Hinton et al. 2015).
 */
export class Rehearsal {
  readonly #network: LearningNetwork;
  readonly #newLabels: NewLabels;
  readonly #batches: readonly Rehearsed[];

  /** Reads the answers of the network as it is. O(words units²). */
  constructor(network: LearningNetwork, inputs: readonly NetworkInput[], newLabels: NewLabels) {
    this.#network = network;
    this.#newLabels = newLabels;
    this.#batches = inputs.map((input) => this.#read(input));
    network.parameters.gradients.fill(0);
  }

  /** Adds the gradients of a batch; returns the rows of its features. @param step batches take turns */
  addGradients(step: number, stream: Random): Int32Array | undefined {
    const rehearsed = this.#batches[step % Math.max(1, this.#batches.length)];
    if (rehearsed === undefined) return undefined;
    const { input, pairs, answers } = rehearsed;
    const { memory, shape } = this.#network;
    let next = 0;
    const towardsAnswers = (scores: Matrix, gradients: Matrix, rows: Rows, layer?: number) => {
      if (layer !== undefined) this.#newLabels.addMargin(memory.values, layer, scores, rows.count);
      writeProbabilities(memory.values, scores, gradients, rows);
      const { values } = memory;
      for (const [k, share] of answers[next++]!.entries()) values[gradients.at + k]! -= share;
    };
    this.#network.learn(input, { inputs: 0, layers: 0, stream }, pairs, {
      heads: (_, scores, gradients, length) => towardsAnswers(scores, gradients, headRows(length)),
      labels: (scores, gradients) =>
        towardsAnswers(scores, gradients, { count: pairs.length, choices: shape.labels }, 0),
      column: (c, scores, gradients) => {
        const rows = { count: rowsOf(input.batch), choices: shape.columns![c]!.labels };
        towardsAnswers(scores, gradients, rows, c + 1);
      },
    });
    return input.features;
  }

  #read(input: NetworkInput): Rehearsed {
    const { memory } = this.#network;
    const { start } = input.batch;
    const rates = { inputs: 0, layers: 0, stream: random(SEED) };
    const pairs: RowPair[] = [];
    const answers: Float32Array[] = [];
    const answer = (scores: Matrix, gradients: Matrix, rows: Rows) => {
      writeProbabilities(memory.values, scores, gradients, rows);
      const shares = memory.values.slice(gradients.at, gradients.at + rows.count * gradients.row);
      answers.push(shares);
      return shares;
    };
    this.#network.learn(input, rates, [], {
      heads: (s, scores, gradients, length) => {
        const shares = answer(scores, gradients, headRows(length));
        for (let m = 1; m < length; m++) {
          const own = shares.subarray(m * scores.row, m * scores.row + length);
          const head = own.indexOf(own.reduce((a, b) => Math.max(a, b)));
          pairs.push({ first: start[head]! + s, second: start[m]! + s });
        }
      },
      labels: () => {},
    });
    this.#network.learn(input, rates, pairs, {
      heads: () => {},
      labels: (scores, gradients) =>
        void answer(scores, gradients, { count: pairs.length, choices: this.#newLabels.known(0) }),
      column: (c, scores, gradients) =>
        void answer(scores, gradients, { count: rowsOf(input.batch), choices: this.#newLabels.known(c + 1) }),
    });
    return { input, pairs, answers };
  }
}

/** Rows of scores of choices. */
interface Rows {
  readonly count: number;
  readonly choices: number;
  /** Whether rows are words and choices heads: the root has none, and no word is its own head. */
  readonly areHeads?: boolean;
}

function headRows(length: number): Rows {
  return { count: length, choices: length, areHeads: true };
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
    values[own.gradients]! += 1;
  }
}

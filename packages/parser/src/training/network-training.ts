import { type Random, random } from "@arcwise/core";
import type { EncodedSentence, WordTemplate } from "@arcwise/core/features";
import { yieldToEventLoop } from "@arcwise/learn";
import {
  type EncoderDropout,
  fallingRate,
  LazyAdam,
  type Matrix,
  MatrixMemory,
  rowsOf,
  type SentenceBatch,
  softmaxLoss,
  softmaxLosses,
} from "@arcwise/neural";
import type { EncodedTree } from "../scoring/arcs/label-filter.ts";
import { ArcNetwork } from "../scoring/network/arc-network.ts";
import type { Combination } from "../scoring/network/combinations.ts";
import { type NetworkShape, networkSize } from "../scoring/network/network-layout.ts";
import { NETWORK_TEMPLATES, NetworkReader, networkCodes } from "../scoring/network/network-reader.ts";
import type { ColumnLabels } from "../scoring/network/quantized-network.ts";
import type { ColumnTarget } from "./network-columns.ts";
import { joinStates, type NetworkState, stateOfMembers } from "./network-state.ts";
import type { NetworkSettings } from "./settings.ts";
import type { NetworkExample } from "./variation/network-example.ts";
import { type Vary, variationsOf } from "./variation/variations.ts";
import { WordDropout } from "./word-dropout.ts";

/** Features of words seen fewer times have no embedding. */
const MIN_COUNT = 2;
/** Number of words of a batch of sentences. */
const BATCH = 100;
/** Size of the first steps: see `fallingRate`. */
const RATE = 2e-3;
/** Rate of dropout between layers. */
const DROPPED = 0.33;
/** Rate of dropout of features and of word vectors. */
const DROPPED_OF_WORDS = 0.165;
/** A word that occurs c times is unknown with probability rate / (rate + c). */
const UNKNOWN = 0.25;

/** The settings of a network that its training reads. */
export type TrainedSettings = Pick<NetworkSettings, "members" | "recurrentDropout" | "augment">;

/** One network, without dropout of recurrent states and varied sentences. */
const PLAIN: TrainedSettings = {
  members: 1,
  recurrentDropout: 0,
  augment: { permute: 0, labels: [], replace: 0 },
};

/** The task of a network. */
export interface NetworkTask {
  readonly sentences: readonly EncodedSentence[];
  /** Templates of the features of words. */
  readonly templates: readonly WordTemplate[];
  /** Codes of the features of words that have an embedding. */
  readonly codes: Int32Array;
  readonly shape: NetworkShape;
  /** The columns that the network predicts; undefined: none. */
  readonly columns?: readonly ColumnLabels[] | undefined;
  /** The labels that words have together in several columns; undefined: there are not several. */
  readonly combinations?: readonly Combination[] | undefined;
  readonly settings: TrainedSettings;
  /** Number of the first of the members among all members of the model, from 0. Default: 0. */
  readonly firstMember?: number | undefined;
  /** The data of a task for trees, which another thread can make the task of. */
  readonly work?: NetworkWork | undefined;
  /** Varies the sentences, by their indices, with their trees and columns. Absent: nothing does. */
  readonly vary?: Vary | undefined;
  /**
   * The targets of a batch of sentences, by their indices.
   *
   * @param varied for each sentence, what is learned from in its place; undefined: the sentence itself
   */
  targets(batch: readonly number[], varied: readonly (NetworkExample | undefined)[]): NetworkTargets;
}

/** The targets for the scores of a batch. */
export interface NetworkTargets {
  /**
   * Pairs of words whose labels are scored: the sentence's index in the batch, and the positions of its two
   * words.
   */
  readonly pairs: readonly { readonly sentence: number; readonly head: number; readonly modifier: number }[];
  /** Returns the loss of the scores of a sentence's arcs, and writes their gradients: see `NetworkLoss`. */
  heads(values: Float32Array, sentence: number, scores: Matrix, gradients: Matrix): number;
  /** Returns the loss of the labels of the pairs, a row each, and writes its gradients. */
  labels(values: Float32Array, scores: Matrix, gradients: Matrix): number;
  /** For each column that the network predicts, the labels of each sentence. */
  readonly columns?: readonly (readonly ColumnTarget[])[] | undefined;
}

/** Returns the task to learn a network of a shape for some targets. O(words). */
export function taskOf(
  { sentences, shape, settings = PLAIN, templates = NETWORK_TEMPLATES }: NetworkData,
  targets: NetworkTask["targets"],
): NetworkTask {
  const codes = networkCodes(sentences, templates, MIN_COUNT);
  return { sentences, templates, codes, shape: { ...shape, features: codes.length }, settings, targets };
}

/** The sentences and settings of a network. Plain data. */
export interface NetworkData {
  readonly sentences: readonly EncodedSentence[];
  readonly shape: Omit<NetworkShape, "features">;
  /** Default: one network, without dropout of recurrent states and varied sentences. */
  readonly settings?: TrainedSettings | undefined;
  /** Default: `NETWORK_TEMPLATES`. */
  readonly templates?: readonly WordTemplate[] | undefined;
}

/** The data of a network that finds the head and label of each word. Plain data. */
export interface NetworkWork extends NetworkData {
  readonly golds: readonly EncodedTree[];
  /** For each column, the labels of each sentence. */
  readonly columns?: readonly (readonly ColumnTarget[])[] | undefined;
  /** See `NetworkTask`. */
  readonly firstMember?: number | undefined;
  /** For each label, by number, whether dependents that have it are permuted. Default: none is. */
  readonly permuted?: readonly boolean[] | undefined;
}

/** Returns the task to learn a network for trees. O(words). */
export function networkTask(work: NetworkWork): NetworkTask {
  const { sentences, golds, shape, columns = [], permuted = [], firstMember } = work;
  const examples = sentences.map((sentence, i) => ({
    sentence,
    tree: golds[i]!,
    columns: columns.map((column) => column[i]!),
  }));
  const targets: NetworkTask["targets"] = (batch, varied) => {
    const shown = batch.map((i, k) => varied[k] ?? examples[i]!);
    return {
      ...treeTargets(
        shown.map(({ tree }) => tree),
        shape.labels,
      ),
      columns: columns.map((_, c) => shown.map((example) => example.columns[c]!)),
    };
  };
  const task = taskOf(work, targets);
  return { ...task, firstMember, work, vary: variationsOf(examples, task.settings.augment, permuted) };
}

function treeTargets(golds: readonly EncodedTree[], choices: number): NetworkTargets {
  const labels = Int32Array.from(golds.flatMap((gold) => [...gold.labels.subarray(1)]));
  return {
    pairs: golds.flatMap(({ heads }, sentence) =>
      Array.from(heads.subarray(1), (head, k) => ({ sentence, head, modifier: k + 1 })),
    ),
    heads: (values, s, scores, gradients) => headLoss(values, golds[s]!.heads, scores, gradients),
    labels: (values, scores, gradients) => softmaxLosses(values, scores, gradients, labels, choices),
  };
}

export interface NetworkTrainOptions {
  readonly epochs: number;
  readonly seed: number;
  /** The epoch after which the training pauses. Default: the last one. */
  readonly until?: number | undefined;
  /** Called with the number of sentences done in the epoch and the mean loss of their words. */
  readonly onProgress?:
    | ((progress: { readonly epoch: number; readonly done: number; readonly loss: number }) => void)
    | undefined;
  /** Called after each epoch, before the next one begins. */
  readonly onEpoch?: ((state: NetworkState) => unknown) | undefined;
  /** A state of `onEpoch`: training resumes from it, to the same parameters as without the interruption. */
  readonly resume?: NetworkState | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Trains a network to predict the head of each word and its label, by Adam on batches of some hundred words,
 * with dropout (Srivastava et al. 2014) of features and of numbers between layers. The same sentences,
 * options and seed give the same network on every machine.
 *
 * Memory, for each member: 16 bytes a parameter, and with 128 units 3 MB and 35 kB for each word of a batch.
 *
 * @throws RangeError when the state to go on from is one of another network
 * @throws the reason of the signal once that is aborted
 */
export async function trainNetwork(
  task: NetworkTask,
  { epochs, seed, until = epochs, onProgress, onEpoch, resume, signal }: NetworkTrainOptions,
): Promise<NetworkState> {
  const { sentences } = task;
  const learner = new MembersLearner(task, seed, resume);
  const pause = yieldToEventLoop(signal);
  const total = epochs * sentences.length;
  for (let epoch = (resume?.epoch ?? 0) + 1; epoch <= until; epoch++) {
    const order = random(seed)
      .fork(ORDER)
      .fork(epoch)
      .shuffle(Int32Array.from(sentences, (_, i) => i));
    let loss = 0;
    let words = 0;
    let done = 0;
    for (const batch of batchesOf(order, sentences)) {
      const progress = ((epoch - 1) * sentences.length + done) / total;
      const batchWords = batch.reduce((sum, i) => sum + sentences[i]!.n, 0);
      loss += batchWords * learner.learn(batch, fallingRate(RATE, progress));
      words += batchWords;
      done += batch.length;
      onProgress?.({ epoch, done, loss: loss / Math.max(1, words) });
      await pause();
    }
    await onEpoch?.(learner.state(epoch, epoch === epochs));
  }
  const { parameters, ...state } = learner.state(until, until === epochs);
  return { ...state, parameters: parameters.slice() };
}

/** Identifiers of the streams of random numbers. */
const ORDER = 0x0de2;
const NOISE = 0x015e;
const MEMBER = 0x3e3b;
const VARIATION = 0x30de;

/** Trains several networks for the same task, which differ by their random numbers. */
class MembersLearner {
  readonly #learners: readonly NetworkLearner[];

  constructor(task: NetworkTask, seed: number, resume?: NetworkState) {
    const { firstMember = 0, shape } = task;
    const { members } = task.settings;
    const size = networkSize(shape);
    const expected = size * members;
    for (const vector of [resume?.parameters, resume?.memory?.means, resume?.memory?.squares]) {
      if (vector && vector.length !== expected)
        throw new RangeError(
          `expected the state of ${expected} parameters of networks, got ${vector.length}`,
        );
    }
    this.#learners = Array.from({ length: members }, (_, k) => {
      const member = firstMember + k;
      const own = member === 0 ? seed : random(seed).fork(MEMBER).fork(member).uint32();
      return new NetworkLearner(task, own, resume && stateOfMembers(resume, { from: k, count: 1, size }));
    });
  }

  /** Makes a step of each network on a batch; returns the mean of their losses of a word. */
  learn(batch: readonly number[], rate: number): number {
    const losses = this.#learners.map((learner) => learner.learn(batch, rate));
    return losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
  }

  /**
   * @param last without the state of the optimiser
   */
  state(epoch: number, last: boolean): NetworkState {
    return joinStates(this.#learners.map((learner) => learner.state(epoch, last)));
  }
}

/** Yields the sentences of an order in batches of about a hundred words, the longest first in each. */
function* batchesOf(order: Int32Array, sentences: readonly EncodedSentence[]): Generator<number[]> {
  let batch: number[] = [];
  let words = 0;
  for (const [k, i] of order.entries()) {
    batch.push(i);
    words += sentences[i]!.n;
    if (words < BATCH && k + 1 < order.length) continue;
    yield batch.sort((a, b) => sentences[b]!.n - sentences[a]!.n || a - b);
    batch = [];
    words = 0;
  }
}

class NetworkLearner {
  readonly network: ArcNetwork;
  readonly #sentences: readonly EncodedSentence[];
  readonly #targets: NetworkTask["targets"];
  readonly #reader: NetworkReader;
  readonly #vary: NetworkTask["vary"];
  readonly #unknown: WordDropout;
  readonly #adam: LazyAdam;
  readonly #rates: Omit<EncoderDropout, "stream">;
  readonly #stream: Random;

  constructor(
    { sentences, templates, codes, shape, targets, vary, settings }: NetworkTask,
    seed: number,
    resume?: NetworkState,
  ) {
    this.#sentences = sentences;
    this.#targets = targets;
    this.#vary = vary;
    const memory = new MatrixMemory();
    const network = new ArcNetwork(memory, shape, true);
    this.network = network;
    this.#reader = new NetworkReader(templates, codes);
    this.#unknown = new WordDropout(sentences, { rate: UNKNOWN, seed });
    this.#adam = new LazyAdam(network.parameters, {
      entries: shape.features,
      units: shape.embeddingUnits ?? shape.units,
    });
    this.#rates = { inputs: DROPPED_OF_WORDS, layers: DROPPED, recurrent: settings.recurrentDropout };
    this.#stream = random(seed).fork(NOISE);
    if (resume) this.#restore(resume);
    else network.initialize(seed);
  }

  #restore({ steps, parameters, memory }: NetworkState): void {
    const { means, squares } = this.#adam.state;
    this.network.parameters.values.set(parameters);
    if (memory) {
      means.set(memory.means);
      squares.set(memory.squares);
    }
    this.#adam.steps = steps;
  }

  /**
   * @param last without the state of the optimiser
   */
  state(epoch: number, last: boolean): NetworkState {
    const { steps, state } = this.#adam;
    const parameters = this.network.parameters.values;
    return { epoch, steps, parameters, memory: last ? undefined : state };
  }

  /** Makes a step on a batch; returns the mean loss of its words. */
  learn(batch: readonly number[], rate: number): number {
    const stream = this.#stream.fork(this.#adam.steps);
    const variationStream = stream.fork(VARIATION);
    const shown = batch
      .map((i, k) => {
        const varied = this.#vary?.(i, variationStream);
        const sentence = varied?.sentence ?? this.#sentences[i]!;
        return { i, varied, sentence: this.#unknown.apply(sentence, this.#adam.steps * BATCH + k) };
      })
      .sort((a, b) => b.sentence.n - a.sentence.n);
    const sentences = shown.map(({ sentence }) => sentence);
    const input = this.#reader.read(sentences, { rate: DROPPED_OF_WORDS, stream });
    const { start } = input.batch;
    const targets = this.#targets(
      shown.map(({ i }) => i),
      shown.map(({ varied }) => varied),
    );
    const pairs = targets.pairs.map(({ sentence, head, modifier }) => ({
      first: start[head]! + sentence,
      second: start[modifier]! + sentence,
    }));
    const { memory } = this.network;
    let loss = 0;
    this.network.learn(input, { ...this.#rates, stream }, pairs, {
      heads: (s, scores, gradients) => {
        loss += targets.heads(memory.values, s, scores, gradients);
      },
      labels: (scores, gradients) => {
        loss += targets.labels(memory.values, scores, gradients);
      },
      column: (c, scores, gradients) => {
        const own = targets.columns![c]!;
        trustGiven(memory.values, scores, input.batch, own);
        const wanted = rowsOfWords(input.batch, own);
        const choices = this.network.shape.columns![c]!.labels;
        loss += softmaxLosses(memory.values, scores, gradients, wanted, choices);
      },
    });
    const words = Math.max(
      1,
      sentences.reduce((sum, { n }) => sum + n, 0),
    );
    this.#adam.step({ rate, factor: 1 / words, rows: input.features });
    return loss / words;
  }
}

/**
 * Returns the label of each row of a batch, given the labels of the words of its sentences; -1 for the root.
 */
function rowsOfWords(batch: SentenceBatch, targets: readonly ColumnTarget[]): Int32Array {
  const rows = new Int32Array(rowsOf(batch)).fill(-1);
  for (const [s, { labels }] of targets.entries()) {
    for (const [k, label] of labels.entries()) rows[batch.start[k + 1]! + s] = label;
  }
  return rows;
}

/** Adds to the score of the label that each word was given. */
function trustGiven(
  values: Float32Array,
  scores: Matrix,
  batch: SentenceBatch,
  targets: readonly ColumnTarget[],
): void {
  for (const [s, { given, trust = 0 }] of targets.entries()) {
    if (given === undefined) continue;
    for (const [k, label] of given.entries()) {
      if (label >= 0) values[scores.at + (batch.start[k + 1]! + s) * scores.row + label]! += trust;
    }
  }
}

/**
 * Returns the negative log-likelihood of the heads of a sentence, each separately among all positions except
 * the word's own; writes the gradients of the scores. O(n²).
 */
export function headLoss(values: Float32Array, heads: Int32Array, scores: Matrix, gradients: Matrix): number {
  let loss = 0;
  for (let m = 1; m < heads.length; m++) {
    loss += softmaxLoss(values, {
      scores: scores.at + m * scores.row,
      gradients: gradients.at + m * gradients.row,
      choices: heads.length,
      target: heads[m]!,
      excluded: m,
    });
  }
  return loss;
}

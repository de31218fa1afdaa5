import { type Random, random } from "@arcwise/core";
import type { EncodedSentence } from "@arcwise/core/features";
import type { StepProgress } from "@arcwise/core/training";
import { yieldToEventLoop } from "@arcwise/learn";
import {
  type EncoderDropout,
  fallingRate,
  LazyAdam,
  type Matrix,
  MatrixMemory,
  rowsOf,
  type SentenceBatch,
  softmaxLosses,
} from "@arcwise/neural";
import type { NetworkInput } from "../scoring/network/arc-network.ts";
import { NetworkReader } from "../scoring/network/network-reader.ts";
import { NewLabels } from "./continued/new-labels.ts";
import { Rehearsal } from "./continued/rehearsal.ts";
import { LearningNetwork } from "./learning-network.ts";
import type { ColumnTarget } from "./network-columns.ts";
import { copyState, type NetworkState } from "./network-state.ts";
import type { MemberEpoch, NetworkTargets, NetworkTask } from "./network-task.ts";
import { WordDropout } from "./word-dropout.ts";

/** Number of words of a batch of sentences. */
const BATCH = 100;
/** Rate of dropout of the features of words. */
const DROPPED_FEATURES = 0.165;
/** A word that occurs c times is unknown with probability rate / (rate + c). */
const UNKNOWN = 0.25;

/** The minimum number of words per epoch of a continued network: a few sentences are read several times. */
const CONTINUED_WORDS = 400;
/** The steps in which the weights of new labels alone are learned, and their rate. */
const NEW_LABELS = { steps: 120, rate: 0.02 };

/** Identifiers of the streams of random numbers. */
const ORDER = 0x0de2;
const NOISE = 0x015e;
const MEMBER = 0x3e3b;
const ADDED = 0x0add;

/** The progress callback of an epoch, and the signal that ends the epoch. */
export interface EpochRun {
  readonly onProgress: (at: StepProgress) => void;
  readonly signal: AbortSignal | undefined;
}

/** The sources of randomness in the training of a member. */
interface Noise {
  readonly unknown: WordDropout;
  readonly stream: Random;
}

/** The memory to train networks of one task, epoch by epoch. */
export class NetworkLearner {
  readonly #task: NetworkTask;
  readonly #network: LearningNetwork;
  readonly #reader: NetworkReader;
  readonly #adam: LazyAdam;
  readonly #rates: Omit<EncoderDropout, "stream">;
  readonly #newLabels: NewLabels | undefined;
  #rehearsal: Rehearsal | undefined;
  /** By member. */
  readonly #rehearsals = new Map<number, Rehearsal>();
  /** How often an epoch reads each sentence. */
  readonly #rounds: number;
  /** The state that the memory has, as it was returned. */
  #reached: WeakRef<NetworkState> | undefined;
  /** By seed. */
  readonly #noises = new Map<number, Noise>();

  constructor(task: NetworkTask) {
    const { templates, codes, shape, settings } = task;
    this.#task = task;
    this.#network = new LearningNetwork(new MatrixMemory(), shape);
    this.#reader = new NetworkReader(templates, codes, shape.encoder !== undefined);
    this.#adam = new LazyAdam(this.#network.parameters, {
      entries: shape.features,
      units: shape.embeddingUnits ?? shape.units,
    });
    const { known } = task.work;
    this.#newLabels = known && new NewLabels(shape, known.labels);
    const words = task.sentences.reduce((sum, { n }) => sum + n, 0);
    this.#rounds = known ? Math.max(1, Math.ceil(CONTINUED_WORDS / Math.max(1, words))) : 1;
    // Of the vectors of words, half as much.
    const { dropout } = settings;
    this.#rates = { inputs: dropout / 2, layers: dropout };
  }

  /**
   * Trains a network for an epoch, on all sentences in a random order; returns its state.
   *
   * @throws the reason of the signal, between two batches, once that is aborted
   */
  async learnEpoch(
    { member, epoch, epochs, seed, from, initial }: MemberEpoch,
    { onProgress, signal }: EpochRun,
  ): Promise<NetworkState> {
    const { sentences } = this.#task;
    const own = member === 0 ? seed : random(seed).fork(MEMBER).fork(member).uint32();
    this.#rehearsal = initial && this.#rehearse(initial, member);
    if (from === undefined) this.#restart(own);
    else if (from !== this.#reached?.deref()) this.#restore(from);
    this.#reached = undefined;
    const pause = yieldToEventLoop(signal);
    if (epoch === 1) await this.#learnNewLabels(random(own).fork(ADDED), pause);
    const noise = this.#noiseOf(own);
    const order = random(seed).fork(ORDER).fork(epoch);
    const total = this.#rounds * sentences.length;
    const shuffled = order.shuffle(Int32Array.from({ length: total }, (_, i) => i % sentences.length));
    let [done, words, sum] = [0, 0, 0];
    for (const batch of batchesOf(shuffled, sentences)) {
      const progress = ((epoch - 1) * total + done) / (epochs * total);
      const count = batch.reduce((all, i) => all + sentences[i]!.n, 0);
      sum += count * this.#learn(batch, fallingRate(this.#task.settings.rate, progress), noise);
      words += count;
      done += batch.length;
      onProgress({
        ...{ step: "network", epoch, epochs, epochDone: done === total, share: done / total },
        loss: { value: sum / Math.max(1, words), per: "word" },
      });
      await pause();
    }
    const { steps, state } = this.#adam;
    const parameters = this.#network.parameters.values;
    // The state of the optimiser is for further epochs.
    const reached = copyState({ epoch, steps, parameters, memory: epoch === epochs ? undefined : state });
    this.#reached = new WeakRef(reached);
    return reached;
  }

  #restart(seed: number): void {
    this.#restore({ steps: 0 });
    this.#network.initialize(seed);
  }

  #restore({ steps, parameters, memory }: Pick<NetworkState, "steps"> & Partial<NetworkState>): void {
    const { means, squares } = this.#adam.state;
    const { values } = this.#network.parameters;
    for (const [into, vector] of [
      [values, parameters],
      [means, memory?.means],
      [squares, memory?.squares],
    ] as const) {
      if (vector) into.set(vector);
      else into.fill(0);
    }
    this.#adam.steps = steps;
  }

  #noiseOf(seed: number): Noise {
    const noise = this.#noises.get(seed) ?? {
      unknown: new WordDropout(this.#task.sentences, { rate: UNKNOWN, seed }),
      stream: random(seed).fork(NOISE),
    };
    this.#noises.set(seed, noise);
    return noise;
  }

  /** Makes a step on a batch; returns the mean loss of its words. */
  #learn(batch: readonly number[], rate: number, noise: Noise): number {
    const stream = noise.stream.fork(this.#adam.steps);
    const shown = batch
      .map((i, k) => {
        const sentence = this.#task.sentences[i]!;
        return { i, sentence: noise.unknown.apply(sentence, this.#adam.steps * BATCH + k) };
      })
      .sort((a, b) => b.sentence.n - a.sentence.n);
    const sentences = shown.map(({ sentence }) => sentence);
    const input = this.#reader.read(sentences, { rate: DROPPED_FEATURES, stream });
    const targets = this.#task.targets(shown.map(({ i }) => i));
    const loss = this.#addGradients(input, targets, stream);
    const words = Math.max(
      1,
      sentences.reduce((sum, { n }) => sum + n, 0),
    );
    const rehearsed = this.#rehearsal?.addGradients(this.#adam.steps, stream) ?? [];
    this.#adam.step({ rate, factor: 1 / words, rows: [...input.features, ...rehearsed] });
    return loss / words;
  }

  /** Adds the gradients of a batch; returns the loss. */
  #addGradients(input: NetworkInput, targets: NetworkTargets, stream: Random): number {
    const { batch } = input;
    const pairs = targets.pairs.map(({ sentence, head, modifier }) => ({
      first: batch.start[head]! + sentence,
      second: batch.start[modifier]! + sentence,
    }));
    const { memory } = this.#network;
    let loss = 0;
    this.#network.learn(input, { ...this.#rates, stream }, pairs, {
      heads: (s, scores, gradients) => {
        loss += targets.heads(memory.values, s, scores, gradients);
      },
      labels: (scores, gradients) => {
        this.#newLabels?.addMargin(memory.values, 0, scores, pairs.length, targets.pairLabels);
        loss += targets.labels(memory.values, scores, gradients);
      },
      column: (c, scores, gradients) => {
        const own = targets.columns![c]!;
        trustGiven(memory.values, scores, batch, own);
        const wanted = rowsOfWords(batch, own);
        this.#newLabels?.addMargin(memory.values, c + 1, scores, wanted.length, wanted);
        const choices = this.#network.shape.columns![c]!.labels;
        loss += softmaxLosses(memory.values, scores, gradients, wanted, choices);
      },
    });
    return loss;
  }

  /**
   * Learns the weights of labels that a continued network did not know, and no others, from the sentences that have
   * them and from rehearsed ones.
   */
  async #learnNewLabels(stream: Random, pause: () => Promise<boolean> | boolean): Promise<void> {
    const newLabels = this.#newLabels;
    if (newLabels === undefined || newLabels.isEmpty) return;
    const { sentences, targets } = this.#task;
    const having = Int32Array.from(sentences.keys()).filter((i) => this.#hasNew(newLabels, i));
    const batches = [...batchesOf(having, sentences)];
    if (batches.length === 0) return;
    const { steps, rate } = NEW_LABELS;
    for (let step = 0; step < steps; step++) {
      const batch = batches[step % batches.length]!;
      const input = this.#reader.read(batch.map((i) => sentences[i]!));
      this.#addGradients(input, targets(batch), stream.fork(step));
      this.#rehearsal?.addGradients(step, stream);
      newLabels.keepGradients(this.#network.parameters.gradients);
      this.#adam.step({ rate: fallingRate(rate, step / steps), factor: 1 / BATCH, rows: [] });
      await pause();
    }
    this.#restore({ steps: 0, parameters: this.#network.parameters.values.slice() });
  }

  /** Returns the rehearsal of what a network knew; at first, the memory then has that network. */
  #rehearse(initial: NetworkState, member: number): Rehearsal {
    const begun = this.#rehearsals.get(member);
    if (begun !== undefined) return begun;
    const { rehearsed } = this.#task.work.known!;
    this.#restore(initial);
    this.#reached = undefined;
    const order = Int32Array.from(rehearsed.keys());
    const inputs = Array.from(batchesOf(order, rehearsed), (batch) =>
      this.#reader.read(batch.map((i) => rehearsed[i]!)),
    );
    const rehearsal = new Rehearsal(this.#network, inputs, this.#newLabels!);
    this.#rehearsals.set(member, rehearsal);
    return rehearsal;
  }

  #hasNew(newLabels: NewLabels, i: number): boolean {
    const { pairLabels, columns = [] } = this.#task.targets([i]);
    const layers = [pairLabels!, ...columns.map(([own]) => own!.labels)];
    return layers.some((labels, c) => newLabels.has(c, labels));
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

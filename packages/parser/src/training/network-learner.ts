import { type Random, random } from "@arcwise/core";
import type { EncodedSentence } from "@arcwise/core/features";
import type { StepProgress } from "@arcwise/core/training";
import { yieldToEventLoop } from "@arcwise/learn";
import {
  type BatchLoss,
  type EncoderDropout,
  fallingRate,
  type Matrix,
  MatrixMemory,
  type RowPair,
  rowsOf,
  type SentenceBatch,
  softmaxLosses,
  Trainer,
} from "@arcwise/neural";
import type { NetworkInput } from "../scoring/network/arc-network.ts";
import { NetworkReader } from "../scoring/network/network-reader.ts";
import { NewLabels } from "./continued/new-labels.ts";
import { formCodes, labelShares, Rehearsal, UNKNOWN_FORM } from "./continued/rehearsal.ts";
import { LearningNetwork } from "./learning-network.ts";
import type { ColumnTarget } from "./network-columns.ts";
import type { NetworkState } from "./network-state.ts";
import type {
  MemberEpoch,
  NetworkEpochJob,
  NetworkTargets,
  NetworkTask,
  NetworkWork,
} from "./network-task.ts";
import { WordDropout } from "./word-dropout.ts";

/** Number of words of a batch of sentences, and of a batch of rehearsed ones. */
const BATCH = 100;
const REHEARSED_BATCH = 200;
/** Rate of dropout of the features of words. */
const DROPPED_FEATURES = 0.165;
/** A word that occurs c times is unknown with probability rate / (rate + c). */
const UNKNOWN = 0.25;

/** The minimum number of words per epoch of a continued network: a few sentences are read several times. */
const CONTINUED_WORDS = 400;
/** The steps in which the weights of new labels alone are learned, and their rate. */
const NEW_LABELS = { steps: 120, rate: 0.02 };
/** The weight of a rehearsed word, where a new one weighs 1: in these steps, and in all others. */
const REHEARSAL = { newLabels: 0.5, others: 2 };

/** Identifiers of the streams of random numbers. */
const ORDER = 0x0de2;
const NOISE = 0x015e;
const MEMBER = 0x3e3b;
const ADDED = 0x0add;

/** What a network that is continued learns first, and what it rehearses. */
interface Continued {
  readonly newLabels: NewLabels;
  readonly rehearsal: Rehearsal;
}

/** The memory to train networks of one task, epoch by epoch. */
export class NetworkLearner {
  readonly #task: NetworkTask;
  readonly #network: LearningNetwork;
  readonly #reader: NetworkReader;
  readonly #trainer: Trainer;
  readonly #rates: Omit<EncoderDropout, "stream">;
  readonly #unknown: WordDropout;
  /** Of the member that learns; undefined: it is not continued. */
  #continued: Continued | undefined;
  /** By member. */
  readonly #continuations = new Map<number, Continued>();
  /** How often an epoch reads each sentence. */
  readonly #rounds: number;

  constructor(task: NetworkTask) {
    const { templates, codes, shape, settings } = task;
    this.#task = task;
    this.#network = new LearningNetwork(new MatrixMemory(), shape);
    this.#reader = new NetworkReader(templates, codes, shape.encoder !== undefined);
    this.#trainer = new Trainer(this.#network.parameters, {
      entries: shape.features,
      units: shape.embeddingUnits ?? shape.units,
    });
    this.#unknown = new WordDropout(task.sentences, UNKNOWN);
    const { known } = task.work;
    const words = task.sentences.reduce((sum, { n }) => sum + n, 0);
    this.#rounds = known ? Math.max(1, Math.ceil(CONTINUED_WORDS / Math.max(1, words))) : 1;
    // Of the vectors of words, half as much.
    const { dropout } = settings;
    this.#rates = { inputs: dropout / 2, layers: dropout };
  }

  /** Trains a network for an epoch, on all sentences in a random order; returns its state. */
  async learnEpoch(
    { member, epoch, epochs, seed, from, initial }: MemberEpoch,
    {
      onProgress,
      signal,
    }: { readonly onProgress: (at: StepProgress) => void; readonly signal: AbortSignal | undefined },
  ): Promise<NetworkState> {
    const { sentences, settings } = this.#task;
    const own = member === 0 ? seed : random(seed).fork(MEMBER).fork(member).uint32();
    const pause = yieldToEventLoop(signal);
    this.#continued = initial && this.#continue(initial, member);
    this.#trainer.restore(from ?? { steps: 0, parameters: new Float32Array(this.#network.parameters.size) });
    if (from === undefined) this.#network.initialize(own);
    if (epoch === 1) await this.#learnNewLabels(random(own).fork(ADDED), pause);
    const order = Int32Array.from(
      { length: this.#rounds * sentences.length },
      (_, i) => i % sentences.length,
    );
    await this.#trainer.learnEpoch({
      ...{ epoch, epochs, rate: settings.rate, pause },
      batches: [...batchesOf(random(seed).fork(ORDER).fork(epoch).shuffle(order), sentences)],
      learn: (batch, step) => this.#learn(batch, step, own),
      onStep: (share, loss) =>
        onProgress({
          ...{ step: "network", epoch, epochs, epochDone: share === 1, share },
          loss: { value: loss, per: "word" },
        }),
    });
    const { memory, ...reached } = this.#trainer.state;
    // The state of the optimiser is for further epochs.
    return { epoch, ...reached, memory: epoch === epochs ? undefined : memory };
  }

  /** Adds the gradients of a batch. @param seed of the member */
  #learn(batch: readonly number[], step: number, seed: number): BatchLoss {
    const stream = random(seed).fork(NOISE).fork(step);
    const sentences = batch.map((i, k) =>
      this.#unknown.apply(this.#task.sentences[i], random(seed).fork(step * BATCH + k)),
    );
    const input = this.#reader.read(sentences, { rate: DROPPED_FEATURES, stream });
    const loss = this.#addGradients(input, this.#task.targets(batch), stream);
    const rehearsed = this.#rehearse(step, stream, REHEARSAL.others) ?? [];
    const count = sentences.reduce((sum, { n }) => sum + n, 0);
    return { loss, count, rows: [...input.features, ...rehearsed] };
  }

  /** Adds the gradients of a batch; returns the loss. */
  #addGradients(input: NetworkInput, targets: NetworkTargets, stream: Random): number {
    const { batch } = input;
    const pairs = rowPairs(batch, targets.pairs);
    const { memory } = this.#network;
    let loss = 0;
    this.#network.learn(input, { ...this.#rates, stream }, pairs, {
      heads: (s, scores, gradients) => {
        loss += targets.heads(memory.values, s, scores, gradients);
      },
      labels: (scores, gradients) => {
        this.#continued?.newLabels.addMargin(memory.values, 0, scores, pairs.length, targets.pairLabels);
        loss += targets.labels(memory.values, scores, gradients);
      },
      column: (c, scores, gradients) => {
        const own = targets.columns![c];
        trustGiven(memory.values, scores, batch, own);
        const wanted = rowsOfWords(batch, own);
        this.#continued?.newLabels.addMargin(memory.values, c + 1, scores, wanted.length, wanted);
        const choices = this.#network.shape.columns![c].labels;
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
    const newLabels = this.#continued?.newLabels;
    if (newLabels === undefined || newLabels.isEmpty) return;
    const { sentences, targets } = this.#task;
    const batches = this.#batchesWith((layer, label) => newLabels.has(layer, label));
    const { steps, rate } = NEW_LABELS;
    for (let step = 0; step < steps; step++) {
      const batch = batches[step % batches.length];
      const input = this.#reader.read(batch.map((i) => sentences[i]));
      this.#addGradients(input, targets(batch), stream.fork(step));
      this.#rehearse(step, stream, REHEARSAL.newLabels);
      newLabels.keepGradients(this.#network.parameters.gradients);
      this.#trainer.step(fallingRate(rate, step / steps), { count: BATCH });
      await pause();
    }
    this.#trainer.restore({ steps: 0, parameters: this.#trainer.state.parameters });
  }

  /** Adds the gradients of rehearsed sentences; returns the rows of their features. */
  #rehearse(step: number, stream: Random, weight: number): Int32Array | undefined {
    const { newLabels, rehearsal } = this.#continued ?? {};
    return newLabels && rehearsal?.addGradients(step, { newLabels, weight, stream });
  }

  /** Returns what a member learns first and rehearses; at first, the memory then has its initial network. */
  #continue(initial: NetworkState, member: number): Continued {
    const begun = this.#continuations.get(member);
    if (begun !== undefined) return begun;
    const { rehearsed, labels } = this.#task.work.known!;
    this.#trainer.restore(initial);
    const order = Int32Array.from(rehearsed.keys());
    const batches = Array.from(batchesOf(order, rehearsed, REHEARSED_BATCH), (batch) => {
      const sentences = batch.map((i) => rehearsed[i]);
      return { sentences, input: this.#reader.read(sentences) };
    });
    const rehearsal = new Rehearsal(this.#network, batches, labels);
    const continued = { rehearsal, newLabels: this.#compare(rehearsal, labels) };
    this.#continuations.set(member, continued);
    return continued;
  }

  /**
   * Compares the new sentences with the answers of the network: returns the labels to learn first, which it does not know, or
   * hardly ever gives and not to the words that have them. The answers to forms that are mostly wrong are not rehearsed.
   */
  #compare(rehearsal: Rehearsal, known: readonly number[]): NewLabels {
    const rare = rehearsal.rareLabels();
    const labelUses = known.map(() => new Map<number, Use>());
    const formUses = known.map(() => new Map<number, Use>());
    for (const batch of this.#batchesWith(() => true)) {
      const sentences = batch.map((i) => this.#task.sentences[i]);
      const input = this.#reader.read(sentences);
      const { pairs, pairLabels, columns = [] } = this.#task.targets(batch);
      const arcs = rowPairs(input.batch, pairs);
      const answers = labelShares(this.#network, input, arcs, known);
      const formRows = rowsOfWords(
        input.batch,
        sentences.map((own) => ({ labels: formCodes(own) })),
      );
      for (const [c, labels] of [
        pairLabels!,
        ...columns.map((own) => rowsOfWords(input.batch, own)),
      ].entries()) {
        for (const [r, label] of labels.entries()) {
          if (label < 0) continue;
          const share = label < known[c] ? answers[c].shares[r * answers[c].row + label] : 0;
          addUse(labelUses[c], label, share);
          addUse(formUses[c], formRows[c === 0 ? arcs[r].second : r], share);
        }
      }
    }
    this.#network.parameters.gradients.fill(0);
    const forms = new Set(formUses.flatMap((uses) => [...missed(uses)]));
    forms.delete(UNKNOWN_FORM);
    rehearsal.release(forms);
    const isLearned = (c: number) => (label: number) => label >= known[c] || rare[c]?.has(label) === true;
    const learned = labelUses.map((uses, c) => new Set([...missed(uses)].filter(isLearned(c))));
    return new NewLabels(this.#network.shape, learned);
  }

  /** Returns batches of the sentences in which words have a label such that `isWanted`. */
  #batchesWith(isWanted: (layer: number, label: number) => boolean): number[][] {
    const { sentences, targets } = this.#task;
    const order = Int32Array.from(sentences.keys()).filter((i) => {
      const { pairLabels, columns = [] } = targets([i]);
      const layers = [pairLabels!, ...columns.map(([own]) => own!.labels)];
      return layers.some((labels, c) => labels.some((label) => label >= 0 && isWanted(c, label)));
    });
    return [...batchesOf(order, sentences)];
  }
}

/**
 * Returns the job that trains a network of a family for an epoch. It keeps the memory of the network for the next epoch.
 *
 * @param module URL of the module that exports the job
 */
export function networkEpochJob<Gold>(
  name: string,
  module: string,
  taskOf: (work: NetworkWork<Gold>) => NetworkTask,
): NetworkEpochJob {
  return {
    name,
    module,
    run({ sentences, golds, plan, ...epoch }, context) {
      const make = () => new NetworkLearner(taskOf({ ...plan, sentences, golds: golds as readonly Gold[] }));
      return context.keep(plan, make).learnEpoch(epoch, context);
    },
  };
}

/** Yields the sentences of an order in batches of about `size` words, the longest first in each. */
function* batchesOf(
  order: Int32Array,
  sentences: readonly EncodedSentence[],
  size = BATCH,
): Generator<number[]> {
  let batch: number[] = [];
  let words = 0;
  for (const [k, i] of order.entries()) {
    batch.push(i);
    words += sentences[i].n;
    if (words < size && k + 1 < order.length) continue;
    yield batch.sort((a, b) => sentences[b].n - sentences[a].n || a - b);
    batch = [];
    words = 0;
  }
}

/** Words that have a label or a form, and the sum of the probabilities that a network gives to their right labels. */
interface Use {
  words: number;
  share: number;
}

function addUse(uses: Map<number, Use>, key: number, share: number): void {
  const use = uses.get(key) ?? { words: 0, share: 0 };
  uses.set(key, use);
  use.words++;
  use.share += share;
}

/** Returns the keys whose right labels have a mean probability below a half. */
function missed(uses: ReadonlyMap<number, Use>): Set<number> {
  const found = [...uses].filter(([, { words, share }]) => share < words / 2);
  return new Set(found.map(([key]) => key));
}

/** Returns the rows of pairs of words in a batch. */
function rowPairs({ start }: SentenceBatch, pairs: NetworkTargets["pairs"]): RowPair[] {
  return pairs.map(({ sentence, head, modifier }) => ({
    first: start[head] + sentence,
    second: start[modifier] + sentence,
  }));
}

/**
 * Returns the label of each row of a batch, given the labels of the words of its sentences; -1 for the root.
 */
function rowsOfWords(
  batch: SentenceBatch,
  targets: readonly { readonly labels: ArrayLike<number> }[],
): Int32Array {
  const rows = new Int32Array(rowsOf(batch)).fill(-1);
  for (const [s, { labels }] of targets.entries()) {
    for (let k = 0; k < labels.length; k++) rows[batch.start[k + 1] + s] = labels[k];
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
      if (label >= 0) values[scores.at + (batch.start[k + 1] + s) * scores.row + label] += trust;
    }
  }
}

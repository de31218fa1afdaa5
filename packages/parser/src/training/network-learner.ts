import { type Random, random } from "@arcwise/core";
import type { EncodedSentence } from "@arcwise/core/features";
import {
  type EncoderDropout,
  LazyAdam,
  type Matrix,
  MatrixMemory,
  rowsOf,
  type SentenceBatch,
  softmaxLosses,
} from "@arcwise/neural";
import { ArcNetwork } from "../scoring/network/arc-network.ts";
import { networkSize } from "../scoring/network/network-layout.ts";
import { NetworkReader } from "../scoring/network/network-reader.ts";
import type { ColumnTarget } from "./network-columns.ts";
import { joinStates, type NetworkState, stateOfMembers } from "./network-state.ts";
import type { NetworkTask } from "./network-task.ts";
import { WordDropout } from "./word-dropout.ts";

/** Number of words of a batch of sentences. */
export const BATCH = 100;
/** Rate of dropout between layers. */
const DROPPED = 0.33;
/** Rate of dropout of features and of word vectors. */
const DROPPED_OF_WORDS = 0.165;
/** A word that occurs c times is unknown with probability rate / (rate + c). */
const UNKNOWN = 0.25;

/** Identifiers of the streams of random numbers. */
const NOISE = 0x015e;
const MEMBER = 0x3e3b;
const SHARD = 0x54a2;
const VARIATION = 0x30de;

/** Trains several networks for the same task, which differ by their random numbers. */
export class NetworkLearners {
  readonly #learners: readonly NetworkLearner[];

  readonly #size: number;

  /** @throws RangeError when the state to continue from is one of another network */
  constructor(task: NetworkTask, seed: number, resume?: NetworkState) {
    const { firstMember = 0, shape } = task;
    const { members } = task.settings;
    const size = networkSize(shape);
    this.#size = size;
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

  /** Continues from a state: a copy, not a view of what `state` returns. */
  restore(state: NetworkState): void {
    for (const [from, learner] of this.#learners.entries())
      learner.restore(stateOfMembers(state, { from, count: 1, size: this.#size }));
  }

  /** Makes a step of each network on a batch of a shard; returns the mean of their losses of a word. */
  learn(batch: readonly number[], rate: number, shard: number): number {
    const losses = this.#learners.map((learner) => learner.learn(batch, rate, shard));
    return losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
  }

  /**
   * @param last without the state of the optimiser
   */
  state(epoch: number, last: boolean): NetworkState {
    return joinStates(this.#learners.map((learner) => learner.state(epoch, last)));
  }
}

/** What is random in the training of a network on a shard. */
interface Noise {
  readonly unknown: WordDropout;
  readonly stream: Random;
}

class NetworkLearner {
  readonly network: ArcNetwork;
  readonly #sentences: readonly EncodedSentence[];
  readonly #targets: NetworkTask["targets"];
  readonly #reader: NetworkReader;
  readonly #vary: NetworkTask["vary"];
  readonly #adam: LazyAdam;
  readonly #rates: Omit<EncoderDropout, "stream">;
  readonly #seed: number;
  /** By shard. */
  readonly #noises: Noise[] = [];

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
    this.#adam = new LazyAdam(network.parameters, {
      entries: shape.features,
      units: shape.embeddingUnits ?? shape.units,
    });
    this.#rates = { inputs: DROPPED_OF_WORDS, layers: DROPPED, recurrent: settings.recurrentDropout };
    this.#seed = seed;
    if (resume) this.restore(resume);
    else network.initialize(seed);
  }

  /** Continues from a state: a copy, not a view of the learner's own. */
  restore({ steps, parameters, memory }: NetworkState): void {
    const { means, squares } = this.#adam.state;
    this.network.parameters.values.set(parameters);
    if (memory) {
      means.set(memory.means);
      squares.set(memory.squares);
    } else {
      means.fill(0);
      squares.fill(0);
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

  /** Random numbers differ between shards, which else would drop the same entries in the same step. */
  #noise(shard: number): Noise {
    const seed = shard === 0 ? this.#seed : random(this.#seed).fork(SHARD).fork(shard).uint32();
    this.#noises[shard] ??= {
      unknown: new WordDropout(this.#sentences, { rate: UNKNOWN, seed }),
      stream: random(seed).fork(NOISE),
    };
    return this.#noises[shard];
  }

  /** Makes a step on a batch of a shard; returns the mean loss of its words. */
  learn(batch: readonly number[], rate: number, shard: number): number {
    const noise = this.#noise(shard);
    const stream = noise.stream.fork(this.#adam.steps);
    const variationStream = stream.fork(VARIATION);
    const shown = batch
      .map((i, k) => {
        const varied = this.#vary?.(i, variationStream);
        const sentence = varied?.sentence ?? this.#sentences[i]!;
        return { i, varied, sentence: noise.unknown.apply(sentence, this.#adam.steps * BATCH + k) };
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

import type { EncodedSentence, WordTemplate } from "@arcwise/core/features";
import type { Job, Shared } from "@arcwise/jobs";
import type { Matrix } from "@arcwise/neural";
import type { ColumnShares, InputColumn } from "../model/column-shares.ts";
import { CHARACTERS } from "../scoring/network/character-features.ts";
import type { Combination } from "../scoring/network/combinations.ts";
import { type NetworkShape, widthSettings } from "../scoring/network/network-layout.ts";
import { NETWORK_TEMPLATES, networkCodes } from "../scoring/network/network-reader.ts";
import type { ColumnLabels } from "../scoring/network/quantized-network.ts";
import type { KnownNetwork } from "./continued/new-labels.ts";
import type { ColumnTarget } from "./network-columns.ts";
import type { NetworkState } from "./network-state.ts";
import type { NetworkSettings } from "./settings.ts";

/** The settings of a network that its training reads. */
export type TrainedSettings = Pick<NetworkSettings, "members" | "minCount" | "dropout" | "rate">;

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
  /** The data from which other threads make the task. */
  readonly work: NetworkWork<unknown>;
  /** The job that makes the task of the data, and learns it for an epoch. */
  readonly epochJob: NetworkEpochJob;
  /** The targets of a batch of sentences, by their indices. */
  targets(batch: readonly number[]): NetworkTargets;
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
  /** The labels of the pairs; absent: of another kind. */
  readonly pairLabels?: Int32Array | undefined;
  /** For each column that the network predicts, the labels of each sentence. */
  readonly columns?: readonly (readonly ColumnTarget[])[] | undefined;
}

/** The data of a network. Plain data. */
export interface NetworkWork<Gold> {
  readonly sentences: readonly EncodedSentence[];
  readonly golds: readonly Gold[];
  readonly shape: Omit<NetworkShape, "features">;
  readonly settings: TrainedSettings;
  readonly templates: readonly WordTemplate[];
  /** Codes of the features of words that have an embedding. Default: the codes that occur often enough. */
  readonly codes?: Int32Array | undefined;
  /** For each column, the labels of each sentence. */
  readonly columns?: readonly (readonly ColumnTarget[])[] | undefined;
  /** Vocabulary of the network before it was continued. Default: it is new. */
  readonly known?: KnownNetwork | undefined;
}

/** An epoch of the training of one of the networks of a parser. */
export interface MemberEpoch {
  /** From 0. Members differ by their random numbers. */
  readonly member: number;
  /** From 1. */
  readonly epoch: number;
  readonly epochs: number;
  readonly seed: number;
  /** The state after the epoch before; undefined: the initial state. */
  readonly from: NetworkState | undefined;
  /** The state that the training of a network that is continued began with. */
  readonly initial: NetworkState | undefined;
}

/** An epoch of a network. */
interface EpochWork extends Omit<MemberEpoch, "from" | "initial"> {
  readonly sentences: Shared<readonly EncodedSentence[]>;
  readonly golds: Shared<readonly unknown[]>;
  readonly plan: Shared<Omit<NetworkWork<unknown>, "sentences" | "golds">>;
  readonly from: Shared<NetworkState> | undefined;
  readonly initial: Shared<NetworkState> | undefined;
}

/** A job that trains a network for an epoch. */
export type NetworkEpochJob = Job<EpochWork, NetworkState>;

/** The column that a template of a network reads, if not the forms. */
const COLUMN_OF: Readonly<Partial<Record<WordTemplate, InputColumn>>> = {
  lemma: "lemma",
  upos: "upos",
  xpos: "xpos",
  feats: "feats",
  feat: "feats",
};

/**
 * Returns the shape, the settings and the templates of a network, with the number of labels and its other inputs.
 *
 * @param shares shares of the training words that have each column: templates of empty columns are left out; undefined:
 *   all columns are read
 */
export function shapedWork(
  network: Omit<NetworkSettings, "columns" | "epochs" | "minEpochs" | "vectors" | "weight">,
  { labels, vectors, encoder }: Pick<NetworkShape, "labels" | "vectors" | "encoder">,
  shares: ColumnShares | undefined,
) {
  const { members, minCount, dropout, rate, characters } = network;
  const read = NETWORK_TEMPLATES.filter((template) => {
    const column = COLUMN_OF[template];
    return shares === undefined || column === undefined || shares[column] > 0;
  });
  return {
    shape: { ...widthSettings(network), labels, vectors, encoder },
    settings: { members, minCount, dropout, rate },
    templates: characters ? [...read, CHARACTERS] : read,
  };
}

/** Returns the task to learn a network of a shape for some targets. O(words). */
export function taskOf(
  work: NetworkWork<unknown>,
  { targets, epochJob }: Pick<NetworkTask, "targets" | "epochJob">,
): NetworkTask {
  const { sentences, shape, settings, templates } = work;
  const { codes = networkCodes(sentences, templates, settings.minCount) } = work;
  return {
    sentences,
    templates,
    codes,
    shape: { ...shape, features: codes.length },
    settings,
    work,
    targets,
    epochJob,
  };
}

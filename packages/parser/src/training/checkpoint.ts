import { ModelError } from "@arcwise/core/container";
import type { EncodedSentence } from "@arcwise/core/features";
import { hashString, mix } from "@arcwise/core/features";
import { facts, integer, number, optional, record, refuse } from "@arcwise/core/options";
import { type Checkpoint, CheckpointState } from "@arcwise/core/training";
import type { LearnerState } from "@arcwise/learn";
import { networkSize } from "../scoring/network/network-layout.ts";
import type { BestNetwork, NetworkState } from "./network-state.ts";
import type { NetworkTask } from "./network-task.ts";

/** The states that the stages of a training keep after each epoch. */
export interface TrainingStates {
  readonly network: CheckpointState<NetworkState>;
  /** The state of the learner of all other weights. */
  readonly weights: CheckpointState<LearnerState>;
}

/** The data of a training that its states depend on. */
interface StateData {
  readonly sentences: readonly EncodedSentence[];
  readonly network: { readonly task: NetworkTask } | undefined;
  readonly run: { readonly checkpoint: Checkpoint | undefined };
  /**
   * All settings and data that determine the model, except the examples and the number of epochs: a finished training
   * can be prolonged.
   */
  readonly facts: unknown;
  /** The gold tree or graph of each sentence, and whatever else belongs to it, as integers. */
  readonly golds: Iterable<readonly ArrayLike<number>[]>;
  /** Number of sparse weights. */
  readonly dimension: number;
}

/** Returns the states of a training in its checkpoint. */
export function statesOf({ run, sentences, network, facts, golds, dimension }: StateData): TrainingStates {
  const print = fingerprint(facts, sentences, golds);
  const parameters = network ? network.task.settings.members * networkSize(network.task.shape) : 0;
  const format = { run: String(print), maxEntries: Math.max(dimension, parameters) };
  return {
    network: new CheckpointState(run.checkpoint, { name: "network", check: NETWORK, ...format }),
    weights: new CheckpointState(run.checkpoint, { name: "weights", check: WEIGHTS, ...format }),
  };
}

/** Returns an integer that identifies a training. */
function fingerprint(
  settings: unknown,
  sentences: readonly EncodedSentence[],
  golds: Iterable<readonly ArrayLike<number>[]>,
): number {
  let hash = hashString(JSON.stringify(settings));
  const add = (numbers: ArrayLike<number>) => {
    for (let i = 0; i < numbers.length; i++) hash = mix(hash ^ numbers[i]);
  };
  for (const { columns, feats } of sentences) {
    for (const column of columns) add(column);
    add(feats);
  }
  for (const gold of golds) for (const numbers of gold) add(numbers);
  return hash >>> 0;
}

const COUNT = integer(0, Number.MAX_SAFE_INTEGER);

const NETWORK = record<NetworkState>({
  epoch: COUNT,
  steps: COUNT,
  parameters: floats,
  memory: optional(record<NonNullable<NetworkState["memory"]>>({ means: floats, squares: floats })),
  best: optional(record<BestNetwork>({ epoch: COUNT, score: number(0, 100), parameters: floats })),
});

const WEIGHTS = record<LearnerState>({ epoch: COUNT, numbers: namedNumbers, vectors: namedVectors });

function floats(value: unknown, at: string): void {
  if (!(value instanceof Float32Array)) refuse(at, "entries of the type float32", value);
}

/** An object of numbers with any names. */
function namedNumbers(value: unknown, at: string): void {
  facts(value, at);
  for (const [name, found] of Object.entries(value as object)) {
    if (!Number.isFinite(found)) refuse(`${at}.${name}`, "a number", found);
  }
}

/** An object of the vectors of a learner with any names. */
function namedVectors(value: unknown, at: string): void {
  if (typeof value !== "object" || value === null) refuse(at, "an object", value);
  for (const [name, found] of Object.entries(value)) {
    if (!ArrayBuffer.isView(found) || found instanceof Int8Array) refuse(`${at}.${name}`, "a vector", found);
  }
}

/**
 * Trains from the states of a checkpoint: a state from which the learner or the network does not resume, or that leads
 * to scores that are not numbers, is an error of the file.
 */
export async function trainFrom<T>(
  { network, weights }: TrainingStates,
  train: () => Promise<T>,
): Promise<T> {
  try {
    return await train();
  } catch (error) {
    if (!(network.isResumed || weights.isResumed) || !(error instanceof RangeError)) throw error;
    throw new ModelError(`cannot resume from this checkpoint: ${error.message}`, { cause: error });
  }
}

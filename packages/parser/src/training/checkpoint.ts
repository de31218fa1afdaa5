import {
  type Container,
  containerPieces,
  type EncodedVector,
  type FilePieces,
  type ListedSections,
  ModelError,
  packVector,
  readContainer,
  type SectionRow,
  type Vector,
} from "@arcwise/core/container";
import type { EncodedSentence } from "@arcwise/core/features";
import { hashString, mix } from "@arcwise/core/features";
import { facts, integer, number, optional, record, refuse } from "@arcwise/core/options";
import type { LearnerState, StateVector } from "@arcwise/learn";
import type { NetworkState } from "./network-state.ts";

/**
 * Returns an integer that identifies a training run. A checkpoint of one run is refused by another.
 *
 * @param settings what determines the model besides the examples, except the number of epochs: a finished run
 *   can be prolonged
 * @param golds the indices of the gold tree or graph of each sentence
 */
export function fingerprint(
  settings: unknown,
  sentences: readonly EncodedSentence[],
  golds: Iterable<readonly ArrayLike<number>[]>,
): number {
  let hash = hashString(JSON.stringify(settings));
  const add = (numbers: ArrayLike<number>) => {
    for (let i = 0; i < numbers.length; i++) hash = mix(hash ^ numbers[i]!);
  };
  for (const { columns, feats } of sentences) {
    for (const column of columns) add(column);
    add(feats);
  }
  for (const gold of golds) for (const numbers of gold) add(numbers);
  return hash >>> 0;
}

/** The state of an interrupted training. */
export interface Checkpoint {
  /** The network, if there is one: after an epoch of its own, or finished. */
  readonly network?: NetworkState | undefined;
  /** The state of the learner of all other weights after an epoch; undefined before its first one. */
  readonly weights?: LearnerState | undefined;
}

/** A state that is to be written: the vectors of the learner may be packed. */
export interface WrittenCheckpoint extends Pick<Checkpoint, "network"> {
  readonly weights?: PackedState | LearnerState | undefined;
}

/** The state of a learner with packed vectors. */
export type PackedState = Omit<LearnerState, "vectors"> & {
  readonly vectors: Readonly<Record<string, EncodedVector>>;
};

/** The state that a training resumes from, and the writer of its checkpoints. */
export interface Checkpoints {
  readonly resume: Checkpoint;
  /** Keeps the state of the network or of the weights, together with the last state of the other. */
  keep(state: Checkpoint): Promise<void>;
}

/** The properties of a training that its checkpoints depend on. */
export interface CheckpointRun {
  /** The result of `fingerprint` for the training. */
  readonly print: number;
  /** Entries of the longest vector of weights. */
  readonly most: number;
  /** Epochs of the weights. */
  readonly epochs: number;
  readonly hasNetwork: boolean;
  readonly resume: Uint8Array | undefined;
  readonly keep: ((state: FilePieces) => void | Promise<void>) | undefined;
}

/** Returns the state that a training resumes from, and the writer of its checkpoints. */
export function openCheckpoints({ print, most, epochs, hasNetwork, ...run }: CheckpointRun): Checkpoints {
  const resume = run.resume ? readCheckpoint(run.resume, print, most) : {};
  const isLast = (weights: LearnerState | undefined) => weights?.epoch === epochs;
  let { network: reached } = resume;
  let learning = resume.weights !== undefined;
  let learned: PackedState | undefined = isLast(resume.weights) ? packed(resume.weights!) : undefined;
  let written: Promise<void> = Promise.resolve();
  return {
    resume,
    keep({ network = reached, weights }) {
      reached = network;
      learning ||= weights !== undefined;
      // Weights that are being learned can be kept at the end of an epoch only.
      if (weights === undefined && learned === undefined && learning) return written;
      // The epochs of the network that are left are kept with the weights, whose memory may be used again.
      if (hasNetwork && isLast(weights)) learned ??= packed(weights!);
      const state = { network, weights: weights ?? learned };
      written = written.then(() => run.keep?.(checkpointPieces(print, state)));
      return written;
    },
  };
}

function packed({ vectors, ...state }: LearnerState): PackedState {
  const all = Object.entries(vectors).map(([name, vector]) => [name, packVector(vector)] as const);
  return { ...state, vectors: Object.fromEntries(all) };
}

/** The bytes of a checkpoint in pieces; the state must not change until the last one has been asked for. */
export function checkpointPieces(run: number, { network, weights }: WrittenCheckpoint): FilePieces {
  const header: CheckpointHeader = {
    run,
    network: network && {
      epoch: network.epoch,
      steps: network.steps,
      best: network.best && { epoch: network.best.epoch, score: network.best.score },
    },
    weights: weights && { epoch: weights.epoch, numbers: weights.numbers },
  };
  const learned: Readonly<Record<string, Vector | EncodedVector>> = weights?.vectors ?? {};
  const learnerEntries = Object.entries(learned).map(([name, vector]) => [LEARNER + name, vector] as const);
  const vectors: Record<string, Vector | EncodedVector | undefined> = {
    ...Object.fromEntries(learnerEntries),
    networkParameters: network?.parameters,
    networkMeans: network?.memory?.means,
    networkSquares: network?.memory?.squares,
    networkBest: network?.best?.parameters,
  };
  return containerPieces({ kind: "checkpoint", header, vectors });
}

/** Prefix of the names of the vectors of a learner. */
const LEARNER = "learner:";

interface CheckpointHeader {
  readonly run: number;
  readonly weights: Pick<LearnerState, "epoch" | "numbers"> | undefined;
  readonly network:
    | {
        readonly epoch: number;
        readonly steps: number;
        readonly best?: { readonly epoch: number; readonly score: number } | undefined;
      }
    | undefined;
}

const COUNT = integer(0, Number.MAX_SAFE_INTEGER);

const CHECKPOINT = record<CheckpointHeader>({
  run: integer(0, 2 ** 32 - 1),
  weights: optional(
    record<NonNullable<CheckpointHeader["weights"]>>({ epoch: COUNT, numbers: namedNumbers }),
  ),
  network: optional(
    record<NonNullable<CheckpointHeader["network"]>>({
      epoch: COUNT,
      steps: COUNT,
      best: optional(
        record<NonNullable<NonNullable<CheckpointHeader["network"]>["best"]>>({
          epoch: COUNT,
          score: number(0, 100),
        }),
      ),
    }),
  ),
});

/** An object of numbers with any names. */
function namedNumbers(value: unknown, at: string): void {
  facts(value, at);
  for (const [name, found] of Object.entries(value as object)) {
    if (!Number.isFinite(found)) refuse(`${at}.${name}`, "a number", found);
  }
}

/**
 * Reads a checkpoint.
 *
 * @param run the result of `fingerprint` for the training run
 * @param most number of entries of the longest of the run's weight vectors
 */
export function readCheckpoint(bytes: Uint8Array, run: number, most: number): Checkpoint {
  const { header, vectors } = readContainer(bytes, "checkpoint", (found, listed) => {
    checkHeader(found, run);
    return sectionsOf(found as CheckpointHeader, listed, most);
  });
  const found = header as CheckpointHeader;
  const { networkParameters, networkMeans, networkSquares, networkBest, ...others } = vectors;
  const network = found.network && {
    ...found.network,
    parameters: expectFloats(networkParameters),
    memory: networkMeans && { means: expectFloats(networkMeans), squares: expectFloats(networkSquares) },
    best: found.network.best && { ...found.network.best, parameters: expectFloats(networkBest) },
  };
  const weights = found.weights && { ...found.weights, vectors: learnerVectors(others) };
  return { network, weights };
}

/**
 * Trains from a checkpoint, if there is one: a state from which the learner or the network does not resume, or
 * that leads to scores that are not numbers, is an error of the file.
 */
export async function trainFrom<T>(resume: Uint8Array | undefined, train: () => Promise<T>): Promise<T> {
  try {
    return await train();
  } catch (error) {
    if (resume === undefined || !(error instanceof RangeError)) throw error;
    throw new ModelError(`cannot resume from this checkpoint: ${error.message}`, { cause: error });
  }
}

function checkHeader(header: unknown, run: number): void {
  if ((header as Partial<CheckpointHeader> | null)?.run !== run) {
    throw new ModelError("the checkpoint comes from other training data, options or version of Arcwise");
  }
  CHECKPOINT(header, "damaged checkpoint file: header");
  const { weights, network } = header as CheckpointHeader;
  if (network === undefined && weights === undefined)
    throw new ModelError("damaged checkpoint file: it holds no weights");
}

/** Returns the table of the listed sections that the network and the learner may have. */
function sectionsOf({ weights, network }: CheckpointHeader, listed: ListedSections, most: number) {
  const rows: Record<string, SectionRow> = {};
  for (const { name, type, bytes } of listed.values()) {
    // Vectors of batch learners that are not weights have few zeros: the file has at least a byte for each entry.
    const maxEntries = type === "float32" ? most : Math.max(most, bytes);
    const isKnown = network !== undefined && NETWORK_VECTORS.includes(name);
    if (isKnown || (weights !== undefined && name.startsWith(LEARNER))) rows[name] = { type, maxEntries };
  }
  return rows;
}

const NETWORK_VECTORS: readonly string[] = [
  "networkParameters",
  "networkMeans",
  "networkSquares",
  "networkBest",
];

function learnerVectors(vectors: Container["vectors"]): Record<string, StateVector> {
  const found: Record<string, StateVector> = Object.create(null);
  for (const [name, vector] of Object.entries(vectors)) {
    if (vector instanceof Int8Array || !name.startsWith(LEARNER))
      throw new ModelError(`damaged checkpoint file: "${name}"`);
    found[name.slice(LEARNER.length)] = vector;
  }
  return found;
}

function expectFloats(vector: Vector | undefined): Float32Array {
  if (vector instanceof Float32Array) return vector;
  throw new ModelError("damaged checkpoint file: a vector of the network is missing or of another type");
}

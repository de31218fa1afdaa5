import type { EncodedSentence } from "@arcwise/core/features";
import { hashString, mix } from "@arcwise/core/features";
import type { OnlineState } from "@arcwise/learn";
import { ModelError, readContainer, writeContainer } from "../model/container.ts";
import { definedVectors } from "../model/sections.ts";
import type { EncodedTree } from "../scoring/arcs/label-filter.ts";
import type { NetworkState } from "../scoring/network/network-training.ts";

/**
 * A number for a training run: examples, settings and feature sets. A checkpoint of one run is refused by
 * another. The number of epochs is left out, so that a finished run can be prolonged.
 */
export function fingerprint(
  configuration: unknown,
  settings: { readonly epochs: number },
  sentences: readonly EncodedSentence[],
  trees: readonly EncodedTree[],
): number {
  let hash = hashString(JSON.stringify([configuration, { ...settings, epochs: 0 }]));
  const add = (numbers: ArrayLike<number>) => {
    for (let i = 0; i < numbers.length; i++) hash = mix(hash ^ numbers[i]!);
  };
  for (const { columns, feats } of sentences) {
    for (const column of columns) add(column);
    add(feats);
  }
  for (const { heads, labels } of trees) {
    add(heads);
    add(labels);
  }
  return hash >>> 0;
}

/** What a training that was interrupted goes on from. */
export interface Checkpoint {
  /** The network, if there is one: after an epoch of its own, or as it was learned. */
  readonly network?: NetworkState | undefined;
  /** The state of the learner of all other weights after an epoch; undefined before its first one. */
  readonly weights?: OnlineState | undefined;
}

/** Where a training goes on, and what keeps it for another one. */
export interface Checkpoints {
  readonly resume: Checkpoint;
  keep(state: Checkpoint): Promise<void>;
}

/** The bytes of a checkpoint. O(weights). */
export function writeCheckpoint(run: number, { network, weights }: Checkpoint): Uint8Array {
  const header: CheckpointHeader = {
    run,
    network: network && { epoch: network.epoch, steps: network.steps },
    epoch: weights?.epoch,
    steps: weights?.steps,
  };
  const vectors = {
    values: weights?.values,
    weighted: weights?.weighted,
    ...weights?.memory,
    networkParameters: network?.parameters,
    networkMeans: network?.memory?.means,
    networkSquares: network?.memory?.squares,
  };
  return writeContainer({ kind: "checkpoint", header, vectors: definedVectors(vectors) });
}

interface CheckpointHeader {
  readonly run: number;
  readonly epoch: number | undefined;
  readonly steps: number | undefined;
  readonly network: { readonly epoch: number; readonly steps: number } | undefined;
}

/**
 * @param most numbers that the longest of the run's vectors has
 * @throws ModelError when the bytes are no checkpoint, are damaged, or come from another run
 */
export function readCheckpoint(bytes: Uint8Array, run: number, most: number): Checkpoint {
  const { header, vectors } = readContainer(bytes, "checkpoint", (found, sections) => {
    if ((found as Partial<CheckpointHeader> | null)?.run !== run) {
      throw new ModelError("the checkpoint comes from other training data, options or version of Arcwise");
    }
    if (sections.some(({ entries }) => entries > most)) {
      throw new ModelError(`damaged checkpoint file: a section of more than ${most} entries`);
    }
  });
  const found = header as CheckpointHeader;
  const numbers: Record<string, Float32Array> = {};
  for (const [name, vector] of Object.entries(vectors)) {
    if (!(vector instanceof Float32Array)) throw new ModelError(`damaged checkpoint file: "${name}"`);
    numbers[name] = vector;
  }
  const { networkParameters, networkMeans, networkSquares, values, weighted, ...memory } = numbers;
  const network = found.network && {
    ...found.network,
    parameters: expectVector(networkParameters),
    memory: networkMeans && { means: networkMeans, squares: expectVector(networkSquares) },
  };
  if (network !== undefined && found.epoch === undefined) return { network };
  const weights = {
    epoch: found.epoch!,
    steps: found.steps!,
    values: expectVector(values),
    weighted: expectVector(weighted),
    memory,
  };
  return { network, weights };
}

function expectVector(vector: Float32Array | undefined): Float32Array {
  if (vector === undefined) throw new ModelError("damaged checkpoint file: it holds no weights");
  return vector;
}

import type { EncodedSentence } from "@arcwise/core/features";
import { hashString, mix } from "@arcwise/core/features";
import type { OnlineState } from "@arcwise/learn";
import { ModelError, readContainer, writeContainer } from "./container.ts";
import type { EncodedTree } from "./label-filter.ts";

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

/** The bytes of a checkpoint: the state of the learner after an epoch. O(weights). */
export function writeCheckpoint(run: number, state: OnlineState): Uint8Array {
  const { epoch, steps, values, weighted, memory } = state;
  const vectors = { values, weighted, ...memory };
  return writeContainer({ kind: "checkpoint", header: { run, epoch, steps }, vectors });
}

interface CheckpointHeader {
  readonly run: number;
  readonly epoch: number;
  readonly steps: number;
}

/**
 * @param dimension number of weights of the run
 * @throws ModelError when the bytes are no checkpoint, are damaged, or come from another run
 */
export function readCheckpoint(bytes: Uint8Array, run: number, dimension: number): OnlineState {
  const { header, vectors } = readContainer(bytes, "checkpoint", (found, sections) => {
    if ((found as Partial<CheckpointHeader> | null)?.run !== run) {
      throw new ModelError("the checkpoint comes from other training data, options or version of Arcwise");
    }
    if (sections.some(({ entries }) => entries > dimension)) {
      throw new ModelError(`damaged checkpoint file: a section of more than ${dimension} entries`);
    }
  });
  const found = header as CheckpointHeader;
  const memory: Record<string, Float32Array> = {};
  for (const [name, vector] of Object.entries(vectors)) {
    if (!(vector instanceof Float32Array)) throw new ModelError(`damaged checkpoint file: "${name}"`);
    memory[name] = vector;
  }
  const { values, weighted, ...rest } = memory;
  if (values === undefined || weighted === undefined) {
    throw new ModelError("damaged checkpoint file: it holds no weights");
  }
  return { epoch: found.epoch, steps: found.steps, values, weighted, memory: rest };
}

import {
  anyContent,
  containerPieces,
  type FilePieces,
  joinPieces,
  ModelError,
  readContainer,
  type Vector,
} from "@arcwise/core/container";
import type { MixedRound, OnlineState, ShardResult } from "@arcwise/learn";

/** The counts of the step of a shard. */
export type ShardCounts = MixedRound["shards"][number];

/** A state, or the entries of it that changed, with the counts of the shards that led to it. */
export interface RoundState {
  readonly state: OnlineState;
  /** Weights of the entries of the state's vectors, ascending. Absent: the vectors have all. */
  readonly changed?: Int32Array | undefined;
  readonly shards: readonly ShardCounts[];
}

interface Header {
  readonly epoch: number;
  readonly steps: number;
  readonly isSparse: boolean;
  readonly shards: readonly ShardCounts[];
}

/** The kind of a blob in a container. */
export type RoundKind = "shard-result" | "mixture" | "training-state";

/** Prefix of the names of vectors of a learner's memory. */
const MEMORY = "memory:";

/** Returns the bytes of a state. Changes are sorted, which takes fewer bytes. O(entries · log entries). */
export function encodeRound(kind: RoundKind, { state, changed, shards }: RoundState): Uint8Array {
  const { epoch, steps, memory = {} } = state;
  const header: Header = { epoch, steps, isSparse: changed !== undefined, shards };
  const order = changed && ascendingOrder(changed);
  const select = (vector: Float32Array) => (order ? selected(vector, order) : vector);
  const vectors: Record<string, Vector | undefined> = {
    changed: order && selectedIndices(changed!, order),
    values: select(state.values),
    weighted: select(state.weighted),
  };
  for (const [name, vector] of Object.entries(memory)) vectors[MEMORY + name] = select(vector);
  const pieces: FilePieces = containerPieces({ kind, header, vectors });
  return joinPieces(pieces);
}

/** Reads a state of `encodeRound`. @throws ModelError when the bytes are another kind, or damaged */
export function decodeRound(kind: RoundKind, bytes: Uint8Array): RoundState {
  const { header, vectors } = readContainer(bytes, kind, anyContent);
  const { epoch, steps, isSparse, shards } = header as Header;
  const { changed, values, weighted, ...others } = vectors;
  const isComplete = values instanceof Float32Array && weighted instanceof Float32Array;
  if (!isComplete || isSparse !== changed instanceof Int32Array)
    throw new ModelError(`damaged ${kind} file: a vector is missing or of another type`);
  const names = Object.keys(others);
  const memory = Object.fromEntries(
    names.map((name) => [name.slice(MEMORY.length), others[name] as Float32Array]),
  );
  return {
    state: { epoch, steps, values, weighted, memory: names.length === 0 ? undefined : memory },
    changed: changed as Int32Array | undefined,
    shards,
  };
}

/** Returns the result of a shard as `encodeRound` takes it. */
export function shardState({ state, changed, ...counts }: ShardResult): RoundState {
  return { state, changed, shards: [counts] };
}

/** Largest number of entries that are sorted as one number with their index: 2^24 · 2^28 is exact. */
const MAX_SORTED = 2 ** 24;

/** Returns the indices of numbers below 2^28, smallest number first. O(n log n). */
function ascendingOrder(numbers: Int32Array): Int32Array {
  if (numbers.length > MAX_SORTED)
    throw new RangeError(`expected at most ${MAX_SORTED} changes, got ${numbers.length}`);
  const keys = new Float64Array(numbers.length);
  for (let k = 0; k < keys.length; k++) keys[k] = numbers[k]! * MAX_SORTED + k;
  keys.sort();
  const order = new Int32Array(keys.length);
  for (let k = 0; k < keys.length; k++) order[k] = keys[k]! % MAX_SORTED;
  return order;
}

function selected(vector: Float32Array, order: Int32Array): Float32Array {
  const chosen = new Float32Array(order.length);
  for (let k = 0; k < order.length; k++) chosen[k] = vector[order[k]!]!;
  return chosen;
}

function selectedIndices(indices: Int32Array, order: Int32Array): Int32Array {
  const chosen = new Int32Array(order.length);
  for (let k = 0; k < order.length; k++) chosen[k] = indices[order[k]!]!;
  return chosen;
}

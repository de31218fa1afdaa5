import {
  anyContent,
  containerPieces,
  type FilePieces,
  joinPieces,
  ModelError,
  readContainer,
  type Vector,
} from "@arcwise/core/container";
import type { OnlineState, ShardResult } from "@arcwise/learn";
import {
  type ByteBuffer,
  type Changes,
  decodeChanges,
  encodeChanges,
  isChanges,
  summaryOfChanges,
} from "./change-blobs.ts";
import type { RoundKind, RoundState, RoundSummary, ShardCounts } from "./round-state.ts";

interface Header {
  readonly epoch: number;
  readonly steps: number;
  readonly shards: readonly ShardCounts[];
}

/** Prefix of the names of vectors of a learner's memory. */
const MEMORY = "memory:";

/**
 * Returns the bytes of a state or of changes: see `encodeChanges`, of a whole state without the weights that are 0. A
 * state with the memory of a learner is a container.
 *
 * @param memory where the bytes of changes are written; default: new memory
 */
export function encodeRound(kind: RoundKind, round: RoundState, memory?: ByteBuffer): Uint8Array {
  const { state, changed, shards } = round;
  if (changed !== undefined) return encodeChanges(kind, { state, changed, shards }, memory);
  const { epoch, steps, values, weighted } = state;
  const vectorsOfMemory = Object.entries(state.memory ?? {});
  if (vectorsOfMemory.length === 0) return encodeChanges(kind, sparseState(round), memory);
  const header: Header = { epoch, steps, shards };
  const vectors: Record<string, Vector | undefined> = { values, weighted };
  for (const [name, vector] of vectorsOfMemory) vectors[MEMORY + name] = vector;
  const pieces: FilePieces = containerPieces({ kind, header, vectors });
  return joinPieces(pieces);
}

/**
 * Reads a state of `encodeRound`.
 *
 * @param into a state whose vectors a whole state takes over, where they are as long: the memory of new
 *   ones takes more time than reading
 * @throws ModelError when the bytes are another kind, or damaged
 */
export function decodeRound(kind: RoundKind, bytes: Uint8Array, into?: OnlineState): RoundState {
  if (isChanges(bytes)) return denseState(decodeChanges(kind, bytes), into);
  const { header, vectors } = readContainer(bytes, kind, anyContent);
  const { epoch, steps, shards } = header as Header;
  const { values, weighted, ...others } = vectors;
  if (!(values instanceof Float32Array && weighted instanceof Float32Array))
    throw new ModelError(`damaged ${kind} file: a vector is missing or of another type`);
  const memory = Object.fromEntries(
    Object.entries(others).map(([name, vector]) => [name.slice(MEMORY.length), vector as Float32Array]),
  );
  return { state: { epoch, steps, values, weighted, memory }, shards };
}

/** Reads what `encodeRound` wrote of the shards, without the weights of changes. @throws as `decodeRound` */
export function decodeSummary(kind: RoundKind, bytes: Uint8Array): RoundSummary {
  if (isChanges(bytes)) return summaryOfChanges(kind, bytes);
  return { shards: decodeRound(kind, bytes).shards, isSparse: false };
}

/** Returns the result of a shard as `encodeRound` takes it. */
export function shardState({ state, changed, ...counts }: ShardResult): RoundState {
  return { state, changed, shards: [counts] };
}

/** Returns a state with the weights that are not 0, or are -0. O(dimension). */
function sparseState({ state, shards }: RoundState): Changes {
  const [values, weighted] = [state.values, state.weighted].map(
    ({ buffer, byteOffset, length }) => new Int32Array(buffer, byteOffset, length),
  ) as [Int32Array, Int32Array];
  const dimension = values.length;
  let count = 0;
  for (let i = 0; i < dimension; i++) if ((values[i]! | weighted[i]!) !== 0) count++;
  const changed = new Int32Array(count);
  for (let i = 0, k = 0; k < count; i++) if ((values[i]! | weighted[i]!) !== 0) changed[k++] = i;
  return { state, changed, shards, dimension };
}

/** Returns changes as they are, and the whole state of what `sparseState` returned. */
function denseState({ state, changed, shards, dimension }: Changes, into?: OnlineState): RoundState {
  if (dimension === undefined) return { state, changed, shards };
  if (changed.length > 0 && changed.at(-1)! >= dimension)
    throw new ModelError(`damaged state: expected weights below ${dimension}, found ${changed.at(-1)}`);
  const empty = (vector: Float32Array | undefined) =>
    vector?.length === dimension ? vector.fill(0) : new Float32Array(dimension);
  const [values, weighted] = [empty(into?.values), empty(into?.weighted)];
  for (let k = 0; k < changed.length; k++) {
    values[changed[k]!] = state.values[k]!;
    weighted[changed[k]!] = state.weighted[k]!;
  }
  return { state: { ...state, values, weighted }, shards };
}

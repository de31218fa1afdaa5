import {
  anyContent,
  containerPieces,
  type FilePieces,
  joinPieces,
  ModelError,
  readContainer,
  type Vector,
} from "@arcwise/core/container";
import type { ShardResult } from "@arcwise/learn";
import { decodeChanges, encodeChanges, isChanges } from "./change-blobs.ts";
import type { RoundKind, RoundState, ShardCounts } from "./round-state.ts";

interface Header {
  readonly epoch: number;
  readonly steps: number;
  readonly shards: readonly ShardCounts[];
}

/** Prefix of the names of vectors of a learner's memory. */
const MEMORY = "memory:";

/** Returns the bytes of a state, a container, or of changes, which are written often, see `encodeChanges`. */
export function encodeRound(kind: RoundKind, { state, changed, shards }: RoundState): Uint8Array {
  if (changed !== undefined) return encodeChanges(kind, { state, changed, shards });
  const { epoch, steps, memory = {}, values, weighted } = state;
  const header: Header = { epoch, steps, shards };
  const vectors: Record<string, Vector | undefined> = { values, weighted };
  for (const [name, vector] of Object.entries(memory)) vectors[MEMORY + name] = vector;
  const pieces: FilePieces = containerPieces({ kind, header, vectors });
  return joinPieces(pieces);
}

/** Reads a state of `encodeRound`. @throws ModelError when the bytes are another kind, or damaged */
export function decodeRound(kind: RoundKind, bytes: Uint8Array): RoundState {
  if (isChanges(bytes)) return decodeChanges(kind, bytes);
  const { header, vectors } = readContainer(bytes, kind, anyContent);
  const { epoch, steps, shards } = header as Header;
  const { values, weighted, ...others } = vectors;
  if (!(values instanceof Float32Array && weighted instanceof Float32Array))
    throw new ModelError(`damaged ${kind} file: a vector is missing or of another type`);
  const names = Object.keys(others);
  const memory = Object.fromEntries(
    names.map((name) => [name.slice(MEMORY.length), others[name] as Float32Array]),
  );
  return {
    state: { epoch, steps, values, weighted, memory: names.length === 0 ? undefined : memory },
    shards,
  };
}

/** Returns the result of a shard as `encodeRound` takes it. */
export function shardState({ state, changed, ...counts }: ShardResult): RoundState {
  return { state, changed, shards: [counts] };
}

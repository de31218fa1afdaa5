import { type FilePieces, joinPieces } from "@arcwise/core/container";
import type { Checkpoint } from "@arcwise/core/training";

/** A checkpoint in memory, which remembers its states after each write. */
export class MemoryCheckpoint implements Checkpoint {
  #states: ReadonlyMap<string, Uint8Array>;
  /** The states by name after each write. */
  readonly moments: ReadonlyMap<string, Uint8Array>[] = [];

  constructor(states: ReadonlyMap<string, Uint8Array> = new Map()) {
    this.#states = states;
  }

  async read(name: string): Promise<Uint8Array | undefined> {
    return this.#states.get(name);
  }

  async write(name: string, state: FilePieces): Promise<void> {
    this.#states = new Map([...this.#states, [name, joinPieces(state)]]);
    this.moments.push(this.#states);
  }

  /** Returns a checkpoint with the states after a write, from the end if negative. */
  after(write: number): MemoryCheckpoint {
    return new MemoryCheckpoint(this.moments.at(write));
  }
}

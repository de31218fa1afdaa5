import type { TrainerState } from "@arcwise/neural";

/**
 * Networks after some epochs: vectors have the entries of each member in sequence. After the last epoch there is no memory
 * of the optimiser.
 */
export interface NetworkState extends TrainerState {
  readonly epoch: number;
  /** The best networks so far on a development set, if a training chooses among its epochs. */
  readonly best?: BestNetwork | undefined;
}

/** Networks after an epoch, and their score on a development set. */
export interface BestNetwork {
  readonly epoch: number;
  readonly score: number;
  readonly parameters: Float32Array;
}

/** Returns the states of single networks of `size` parameters. */
export function stateOfMembers(state: NetworkState, members: number, size: number): NetworkState[] {
  const { parameters, memory, ...rest } = state;
  for (const vector of [parameters, memory?.means, memory?.squares]) {
    if (vector && vector.length !== members * size)
      throw new RangeError(
        `expected the state of ${members * size} parameters of networks, got ${vector.length}`,
      );
  }
  return Array.from({ length: members }, (_, k) => {
    const part = (vector: Float32Array) => vector.slice(k * size, (k + 1) * size);
    const own = memory && { means: part(memory.means), squares: part(memory.squares) };
    return { ...rest, parameters: part(parameters), memory: own };
  });
}

/** Returns the state of all networks of states after the same epoch. @param states at least one */
export function joinStates(states: readonly NetworkState[]): NetworkState {
  const { memory, ...first } = states[0];
  if (states.length === 1) return states[0];
  return {
    ...first,
    parameters: joined(states.map(({ parameters }) => parameters)),
    memory: memory && {
      means: joined(states.map((state) => state.memory!.means)),
      squares: joined(states.map((state) => state.memory!.squares)),
    },
  };
}

function joined(vectors: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(vectors.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const vector of vectors) {
    all.set(vector, at);
    at += vector.length;
  }
  return all;
}

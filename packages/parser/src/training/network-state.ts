/** Networks after some epochs. The vectors of `onEpoch` may be views, not copies. */
export interface NetworkState {
  readonly epoch: number;
  readonly steps: number;
  /** Those of each member, one after the other. */
  readonly parameters: Float32Array;
  /** The state of the optimiser for further epochs; absent after the last one. */
  readonly memory?: { readonly means: Float32Array; readonly squares: Float32Array } | undefined;
}

/** Networks that are trained together: `count` ones of `size` parameters, from the one with index `from`. */
export interface MemberRange {
  readonly from: number;
  readonly count: number;
  readonly size: number;
}

/** Returns the part of a state that belongs to some of its networks, as views. */
export function stateOfMembers(
  { parameters, memory, ...state }: NetworkState,
  { from, count, size }: MemberRange,
): NetworkState {
  const part = (vector: Float32Array) => vector.subarray(from * size, (from + count) * size);
  return {
    ...state,
    parameters: part(parameters),
    memory: memory && { means: part(memory.means), squares: part(memory.squares) },
  };
}

/** Copies a state whose vectors may be views: a message to a thread would copy all that they are views of. */
export function copyState({ parameters, memory, ...state }: NetworkState): NetworkState {
  return {
    ...state,
    parameters: parameters.slice(),
    memory: memory && { means: memory.means.slice(), squares: memory.squares.slice() },
  };
}

/** Returns the state of all networks of states after the same epoch. @param states at least one */
export function joinStates(states: readonly NetworkState[]): NetworkState {
  const { memory, ...first } = states[0]!;
  if (states.length === 1) return states[0]!;
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

import { type Shared, sharedData } from "@arcwise/jobs";
import type { OnlineLearner } from "../online/online-learner.ts";
import { copyState, type OnlineState, restore, stateOf } from "../online/train-online.ts";
import { sparseState } from "./mixing-shard.ts";

/** A state, or the entries of it that may differ from the state before. Plain data. */
export interface StateChanges extends OnlineState {
  /** Weights of the entries, ascending. Absent: the vectors have an entry for every weight. */
  readonly changed?: Int32Array | undefined;
  /** Whether all other weights are 0, not as before. */
  readonly isWhole?: boolean | undefined;
}

/** Returns a whole state as plain data; of a sparse learner without weights that are 0. O(dimension). */
export function wholeState(state: OnlineState, isSparse: boolean): StateChanges {
  if (!isSparse) return copyState(state);
  const [values, weighted] = [bitsOf(state.values), bitsOf(state.weighted)];
  let count = 0;
  for (let i = 0; i < values.length; i++) if ((values[i] | weighted[i]) !== 0) count++;
  const changed = new Int32Array(count);
  for (let i = 0, k = 0; k < count; i++) if ((values[i] | weighted[i]) !== 0) changed[k++] = i;
  return { ...changedEntries(state, changed), isWhole: true };
}

/** The bits of a vector: -0 is not 0. */
function bitsOf({ buffer, byteOffset, length }: Float32Array): Int32Array {
  return new Int32Array(buffer, byteOffset, length);
}

/** Returns the entries of a state at some weights. O(their number). */
export function changedEntries(state: OnlineState, changed: Int32Array): StateChanges {
  // The indices may be in shared memory.
  return { ...sparseState(state, changed), changed: changed.slice() };
}

/** Stands for the state before training in a list of changes. */
const INITIAL = Symbol("initial");

/** Follows the state of a training: reads only changes that have not been read before. */
export class StateReader {
  readonly #learner: OnlineLearner;
  readonly #initial: OnlineState;
  #state: OnlineState;
  /** The last changes of the state. Undefined: the state is of no use. */
  #last: Shared<StateChanges> | typeof INITIAL | undefined;

  /** @param learner an untrained learner. The state of a sparse one is its own weights */
  constructor(learner: OnlineLearner) {
    this.#learner = learner;
    this.#initial = copyState(stateOf(learner, 0));
    this.#state = this.#initial;
  }

  /** Returns the state that a list of changes leads to. */
  async read(from: readonly Shared<StateChanges>[]): Promise<OnlineState> {
    const all = [INITIAL, ...from] as const;
    const unread = all.slice(this.#last === undefined ? 0 : all.indexOf(this.#last) + 1);
    this.#last = undefined;
    for (const one of unread)
      this.#state = one === INITIAL ? this.#restart() : this.#apply(await sharedData(one));
    this.#last = all.at(-1);
    return this.#state;
  }

  #restart(): OnlineState {
    if (this.#learner.sparse !== true) return this.#initial;
    restore(this.#learner, this.#initial);
    return stateOf(this.#learner, 0);
  }

  #apply({ changed, isWhole, ...state }: StateChanges): OnlineState {
    if (changed === undefined) return state;
    const { values, weighted } = this.#state;
    if (isWhole === true) {
      values.fill(0);
      weighted.fill(0);
    }
    for (let k = 0; k < changed.length; k++) {
      const i = changed[k];
      values[i] = state.values[k];
      weighted[i] = state.weighted[k];
    }
    return { ...this.#state, epoch: state.epoch, steps: state.steps };
  }
}

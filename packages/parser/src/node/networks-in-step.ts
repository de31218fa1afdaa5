import { joinStates, type NetworkState } from "../training/network-state.ts";
import type { NetworkTrainOptions } from "../training/network-task.ts";

type Listeners = Pick<NetworkTrainOptions, "onProgress" | "onEpoch">;
type Progress = Parameters<NonNullable<Listeners["onProgress"]>>[0];

/** The states of the places that have reached an epoch. */
interface Arrivals {
  readonly states: (NetworkState | undefined)[];
  /** Resolves when all places have reached it, and their joint state is kept. */
  readonly saved: Promise<void>;
  readonly keep: (state: NetworkState) => void;
}

/** Tells of networks that are trained in several places as of one training. */
export class NetworksInStep {
  readonly #members: readonly number[];
  readonly #listeners: Listeners;
  /** The last progress of each place; undefined: none yet. */
  readonly #progress: (Progress | undefined)[];
  /** The last loss of each place in each epoch. */
  readonly #losses: number[][];
  /** By epoch, those that some places have reached. */
  readonly #arrivals = new Map<number, Arrivals>();
  /** What was told last: an epoch and a number of sentences. */
  #told: readonly [epoch: number, done: number] = [0, 0];

  /** @param members number of networks in each place */
  constructor(members: readonly number[], listeners: Listeners) {
    this.#members = members;
    this.#listeners = listeners;
    this.#progress = members.map(() => undefined);
    this.#losses = members.map(() => []);
  }

  /**
   * Takes the progress of a place: tells how far the slowest one is, with the mean loss that all networks had
   * in its epoch.
   */
  progress(place: number, progress: Progress): void {
    this.#progress[place] = progress;
    this.#losses[place]![progress.epoch] = progress.loss;
    const all = this.#progress.filter((each) => each !== undefined);
    if (all.length < this.#members.length) return;
    const { epoch, done } = all.reduce((a, b) =>
      b.epoch < a.epoch || (b.epoch === a.epoch && b.done < a.done) ? b : a,
    );
    if (epoch === this.#told[0] && done === this.#told[1]) return;
    this.#told = [epoch, done];
    const total = this.#members.reduce((sum, count) => sum + count, 0);
    const loss = this.#members.reduce((sum, count, k) => sum + count * this.#losses[k]![epoch]!, 0) / total;
    this.#listeners.onProgress?.({ epoch, done, loss });
  }

  /**
   * Takes the state of a place after an epoch. Resolves when all places have reached the epoch, and what is
   * called with their joint state has resolved.
   */
  reached(place: number, state: NetworkState): Promise<void> {
    const arrivals = this.#arrivals.get(state.epoch) ?? this.#expect(state.epoch);
    arrivals.states[place] = state;
    const states = arrivals.states.filter((each) => each !== undefined);
    if (states.length === this.#members.length) {
      this.#arrivals.delete(state.epoch);
      arrivals.keep(joinStates(states));
    }
    return arrivals.saved;
  }

  #expect(epoch: number): Arrivals {
    let keep: Arrivals["keep"] = () => {};
    const joint = new Promise<NetworkState>((resolve) => {
      keep = resolve;
    });
    const saved = joint.then(async (state) => {
      await this.#listeners.onEpoch?.(state);
    });
    const arrivals: Arrivals = { states: this.#members.map(() => undefined), saved, keep };
    this.#arrivals.set(epoch, arrivals);
    return arrivals;
  }
}

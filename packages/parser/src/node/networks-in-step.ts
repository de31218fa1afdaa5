import { joinStates, type NetworkState } from "../training/network-state.ts";
import type { NetworkTrainOptions } from "../training/network-training.ts";

type Listeners = Pick<NetworkTrainOptions, "onProgress" | "onEpoch">;
type Progress = Parameters<NonNullable<Listeners["onProgress"]>>[0];

/** Tells of networks that are trained in several places as of one training. */
export class NetworksInStep {
  readonly #members: readonly number[];
  readonly #listeners: Listeners;
  /** The last progress of each place; undefined: none yet. */
  readonly #progress: (Progress | undefined)[];
  /** States of each place that other ones have not reached. */
  readonly #states: NetworkState[][];
  /** What was told last: an epoch and a number of sentences. */
  #told: readonly [epoch: number, done: number] = [0, 0];
  #kept: Promise<unknown> = Promise.resolve();

  /** @param members number of networks in each place */
  constructor(members: readonly number[], listeners: Listeners) {
    this.#members = members;
    this.#listeners = listeners;
    this.#progress = members.map(() => undefined);
    this.#states = members.map(() => []);
  }

  /** Takes the progress of a place: tells how far the slowest one is, with the mean loss of all networks. */
  progress(place: number, progress: Progress): void {
    this.#progress[place] = progress;
    const all = this.#progress.filter((each) => each !== undefined);
    if (all.length < this.#members.length) return;
    const { epoch, done } = all.reduce((a, b) =>
      b.epoch < a.epoch || (b.epoch === a.epoch && b.done < a.done) ? b : a,
    );
    if (epoch === this.#told[0] && done === this.#told[1]) return;
    this.#told = [epoch, done];
    const total = this.#members.reduce((sum, count) => sum + count, 0);
    const loss = all.reduce((sum, each, k) => sum + each.loss * this.#members[k]!, 0) / total;
    this.#listeners.onProgress?.({ epoch, done, loss });
  }

  /** Takes a state of a place after an epoch; tells of the epochs that all places have reached. */
  reached(place: number, state: NetworkState): Promise<unknown> {
    this.#states[place]!.push(state);
    if (this.#states.every((states) => states.length > 0)) {
      const all = joinStates(this.#states.map((states) => states.shift()!));
      this.#kept = this.#kept.then(() => this.#listeners.onEpoch?.(all));
    }
    return this.#kept;
  }

  /** Returns the state of all networks after the last epoch, given those of the places. */
  async last(states: readonly NetworkState[]): Promise<NetworkState> {
    await this.#kept;
    return joinStates(states);
  }
}

import {
  averageAnew,
  copyState,
  type OnlineState,
  type ShardCounts as Progress,
  ShardTrainer,
  StateMixer,
  stateOf,
} from "@arcwise/learn";
import type { ParsingWork } from "@arcwise/parser";
import { remakeParsingWork } from "@arcwise/parser/node";
import type { Hash } from "../blobs/hash.ts";
import { readData } from "../blobs/plain-data.ts";
import { readBlob, type Store } from "../blobs/store.ts";
import type { MixingRun, RunNames } from "./mixing-run.ts";
import { decodeRound, encodeRound, shardState } from "./round-blobs.ts";
import type { RoundState } from "./round-state.ts";
import type { StepOutputs } from "./step-outputs.ts";

/** What a step may be given to run. */
export interface StepRun {
  readonly onProgress?: ((counts: Progress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The task and learner of a run, and the initial state of one of its rounds. */
interface OpenRun {
  readonly name: Hash;
  readonly run: MixingRun;
  readonly names: RunNames;
  readonly trainer: ShardTrainer<unknown>;
  /** Returns the state of the learner before training, once. */
  readonly takeUntrained: () => OnlineState | undefined;
}

/** The initial state of a round, and the weights that the round before may have changed. */
interface Position {
  readonly round: number;
  readonly state: OnlineState;
  readonly changed: Int32Array | undefined;
}

/**
 * Runs the steps of trainings by parameter mixing. Keeps the task, the learner and the state of the last run:
 * a further step of it reads only what changed since.
 *
 * Memory: the training data, a learner and a state.
 */
export class ParserRounds {
  readonly #store: Store;
  readonly #outputs: StepOutputs;
  readonly #patience: number | undefined;
  #open: OpenRun | undefined;
  #position: Position | undefined;
  #mixer: StateMixer | undefined;

  /** @param patience see `readBlob` */
  constructor(store: Store, outputs: StepOutputs, patience?: number) {
    this.#store = store;
    this.#outputs = outputs;
    this.#patience = patience;
  }

  /** Trains on a shard, and writes the result. */
  async trainShard(name: Hash, round: number, shard: number, { onProgress, signal }: StepRun): Promise<void> {
    const { names, trainer } = await this.#openRun(name);
    const { state, changed } = await this.#advance(round, signal);
    const since = { round, changed };
    const result = await trainer.run(names.step(round, shard), state, { onProgress, signal, since });
    await this.#store.write(names.shard(round, shard), encodeRound("shard-result", shardState(result)));
  }

  /**
   * Mixes the results of the shards of a round, and writes the mixture; after the last round of an epoch also
   * the whole state.
   */
  async mix(name: Hash, round: number, { signal }: StepRun): Promise<void> {
    const { names, run } = await this.#openRun(name);
    const { state: from } = await this.#advance(round, signal);
    // The mixture is written to this state.
    this.#position = undefined;
    // A mixer has memory for all weights, which is used again; one that has failed has some of the shards.
    const mixer = this.#mixer ?? new StateMixer(run.mixing);
    this.#mixer = undefined;
    const shards: RoundState["shards"][number][] = [];
    for (let shard = 0; shard < run.shards; shard++) {
      const what = `the result of shard ${shard} of round ${round}`;
      const bytes = await readBlob(this.#store, names.shard(round, shard), what, {
        signal,
        patience: this.#patience,
      });
      const { shards: counts, ...result } = decodeRound("shard-result", bytes);
      mixer.add({ ...result, mistakes: counts[0]!.mistakes }, from);
      shards.push(...counts);
    }
    const { state, changed } = mixer.take(from);
    this.#mixer = mixer;
    if ((round + 1) % run.parts === 0)
      await this.#store.write(names.state(round), encodeRound("training-state", { state, shards }));
    const mixture = changed ? { state: entries(state, changed), changed, shards } : { state, shards };
    await this.#store.write(names.mixture(round), encodeRound("mixture", mixture));
    this.#moveTo(round + 1, state, changed);
  }

  async #openRun(name: Hash): Promise<OpenRun> {
    if (this.#open?.name === name) return this.#open;
    this.#position = undefined;
    this.#mixer = undefined;
    this.#open = undefined;
    const { run, names } = await this.#outputs.run(name);
    const work = (await readData(this.#store, run.work, "the data of a training")) as ParsingWork;
    const { task, learner } = await remakeParsingWork(work);
    let untrained: OnlineState | undefined = copyState(stateOf(learner, 0));
    this.#open = {
      name,
      run,
      names,
      trainer: new ShardTrainer<unknown>(task, learner),
      takeUntrained: () => {
        const taken = untrained;
        untrained = undefined;
        return taken;
      },
    };
    return this.#open;
  }

  /** Returns the initial state of a round, from another round's where that is nearer. */
  async #advance(round: number, signal: AbortSignal | undefined): Promise<Position> {
    const { run, names } = this.#open!;
    const epochStart = Math.max(names.first, Math.floor(round / run.parts) * run.parts);
    const position = this.#position;
    // Of a state that is an epoch old, all changes are more than the whole state after the epoch.
    if (position === undefined || position.round > round || round - position.round > run.parts) {
      this.#position = undefined;
      const state = await this.#stateBefore(epochStart, signal);
      this.#moveTo(epochStart, state, undefined);
    }
    while (this.#position!.round < round) {
      const at = this.#position!;
      const what = `the mixture of round ${at.round}`;
      const bytes = await readBlob(this.#store, names.mixture(at.round), what, {
        signal,
        patience: this.#patience,
      });
      const mixture = decodeRound("mixture", bytes);
      this.#position = undefined;
      this.#moveTo(at.round + 1, applyMixture(at.state, mixture), mixture.changed);
    }
    return this.#position!;
  }

  /** Returns the state that the first round of an epoch begins from. */
  async #stateBefore(round: number, signal: AbortSignal | undefined): Promise<OnlineState> {
    const { name, run, names, takeUntrained } = this.#open!;
    const from = round > names.first ? names.state(round - 1) : run.from?.state;
    if (from === undefined) {
      const untrained = takeUntrained();
      if (untrained !== undefined) return untrained;
      this.#open = undefined;
      return (await this.#openRun(name)).takeUntrained()!;
    }
    const bytes = await readBlob(this.#store, from, `the state before round ${round}`, {
      signal,
      patience: this.#patience,
    });
    return decodeRound("training-state", bytes).state;
  }

  #moveTo(round: number, state: OnlineState, changed: Int32Array | undefined): void {
    const averages = this.#open!.names.averagesFrom(round);
    this.#position = averages
      ? { round, state: averageAnew(state), changed: undefined }
      : { round, state, changed };
  }
}

/** Returns the state after a mixture; writes to the vectors of the state before it. */
function applyMixture(before: OnlineState, { state, changed }: RoundState): OnlineState {
  if (changed === undefined) return state;
  const { values, weighted } = before;
  for (let k = 0; k < changed.length; k++) {
    values[changed[k]!] = state.values[k]!;
    weighted[changed[k]!] = state.weighted[k]!;
  }
  return { ...before, epoch: state.epoch, steps: state.steps };
}

/** Returns the entries of a state at some weights. */
function entries({ epoch, steps, values, weighted }: OnlineState, indices: Int32Array): OnlineState {
  const select = (vector: Float32Array): Float32Array => {
    const chosen = new Float32Array(indices.length);
    for (let k = 0; k < chosen.length; k++) chosen[k] = vector[indices[k]!]!;
    return chosen;
  };
  return { epoch, steps, values: select(values), weighted: select(weighted) };
}

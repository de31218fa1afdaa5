import { withMembers } from "@arcwise/core/options";
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
import { readBytes, readData } from "../blobs/contents.ts";
import { DamagedBlob, readOrMake } from "../blobs/damaged.ts";
import type { Hash } from "../blobs/hash.ts";
import { readOutput, writeOutput } from "../blobs/outputs.ts";
import type { Patience, Store } from "../blobs/store.ts";
import { ByteBuffer } from "./change-blobs.ts";
import type { MixingRun, RunNames } from "./mixing-run.ts";
import { checkModules } from "./modules.ts";
import { decodeRound, encodeRound, shardState } from "./round-blobs.ts";
import type { RoundKind, RoundState } from "./round-state.ts";
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
  /** The vectors of a sparse learner, which a state is read into. */
  readonly own: OnlineState | undefined;
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
 * a further step of it reads only what changed since, and no result of its own.
 *
 * What steps write need not survive a loss of power, but the state after an epoch: a damaged blob, also a state, is
 * computed again by the step that reads it.
 *
 * Memory: the training data, a learner, a state unless the learner is sparse, and its own results of one round.
 */
export class ParserRounds {
  readonly #store: Store;
  readonly #outputs: StepOutputs;
  readonly #patience: Patience;
  readonly #modules: readonly string[] | undefined;
  #open: OpenRun | undefined;
  #position: Position | undefined;
  #mixer: StateMixer | undefined;
  /** The bytes of the results of the round of the position that were computed here, by shards. */
  readonly #results = new Map<number, Uint8Array>();
  /** Memory for what is written, results by their shards, that is not being written. */
  readonly #memories = new Map<number | "mixture", ByteBuffer>();

  /** @param modules see `checkModules` */
  constructor(
    store: Store,
    outputs: StepOutputs,
    { modules, ...patience }: Patience & { readonly modules: readonly string[] | undefined },
  ) {
    this.#store = store;
    this.#outputs = outputs;
    this.#patience = patience;
    this.#modules = modules;
  }

  /** Trains on a shard, and writes the result. */
  async trainShard(name: Hash, round: number, shard: number, run: StepRun): Promise<void> {
    await this.#openRun(name);
    await this.#trainFrom(await this.#advance(round, run.signal), shard, run);
  }

  /** Trains on a shard from an initial state, and writes the result. */
  async #trainFrom(
    { round, state, changed }: Position,
    shard: number,
    { onProgress, signal }: StepRun,
  ): Promise<void> {
    const { names, trainer } = this.#open!;
    const since = { round, changed };
    this.#results.delete(shard);
    const result = shardState(
      await trainer.run(names.step(round, shard), state, { onProgress, signal, since }),
    );
    const bytes = await this.#write("shard-result", names.shard(round, shard), result, shard);
    // Others are as large as a state.
    if (result.changed !== undefined) this.#results.set(shard, bytes);
  }

  /** Writes a result or a mixture, of whose use the memory is kept; returns its bytes. */
  async #write(kind: RoundKind, name: Hash, round: RoundState, use: number | "mixture"): Promise<Uint8Array> {
    const memory = this.#memories.get(use) ?? new ByteBuffer();
    this.#memories.delete(use);
    const bytes = encodeRound(kind, round, memory);
    await writeOutput(this.#store, name, bytes, { isDurable: false });
    this.#memories.set(use, memory);
    return bytes;
  }

  #read(
    kind: RoundKind,
    name: Hash,
    { what, signal }: { readonly what: string; readonly signal: AbortSignal | undefined },
  ): Promise<RoundState> {
    const decode = (bytes: Uint8Array) => decodeRound(kind, bytes);
    return readOutput(this.#store, { ...this.#patience, name, what, signal, decode });
  }

  /**
   * Mixes the results of the shards of a round, and writes the mixture; after the last round of an epoch also
   * the whole state.
   */
  async mix(name: Hash, round: number, { signal }: StepRun): Promise<void> {
    const { names, run } = await this.#openRun(name);
    const position = await this.#advance(round, signal);
    const from = position.state;
    // The mixture is written to this state.
    this.#position = undefined;
    // A mixer has memory for all weights, which is used again; one that has failed has some of the shards.
    const mixer = this.#mixer ?? new StateMixer(run.mixing);
    this.#mixer = undefined;
    const shards: RoundState["shards"][number][] = [];
    for (let shard = 0; shard < run.shards; shard++) {
      const { shards: counts, ...result } = await this.#resultOf(position, shard, signal);
      mixer.add({ ...result, mistakes: counts[0]!.mistakes }, from);
      shards.push(...counts);
    }
    const { state, changed, entries } = mixer.take(from);
    this.#mixer = mixer;
    if (names.hasState(round))
      await writeOutput(this.#store, names.state(round), encodeRound("training-state", { state, shards }));
    const mixture = { state: entries ?? state, changed, shards };
    await this.#write("mixture", names.mixture(round), mixture, "mixture");
    this.#moveTo(round + 1, state, changed);
  }

  /** Returns the result of a shard; computes it again where it is damaged. */
  async #resultOf(position: Position, shard: number, signal: AbortSignal | undefined): Promise<RoundState> {
    const { round } = position;
    const own = this.#results.get(shard);
    if (own !== undefined) return decodeRound("shard-result", own);
    const name = this.#open!.names.shard(round, shard);
    const what = `the result of shard ${shard} of round ${round}`;
    return readOrMake(
      () => this.#read("shard-result", name, { what, signal }),
      () => this.#trainFrom(position, shard, { signal }),
    );
  }

  async #openRun(name: Hash): Promise<OpenRun> {
    if (this.#open?.name === name) return this.#open;
    this.#position = undefined;
    this.#mixer = undefined;
    this.#open = undefined;
    const { run, names } = await this.#outputs.run(name);
    const what = "the data of a training";
    const check = withMembers(what, "examples", "decoder");
    const work = await readData<ParsingWork>(this.#store, { ...this.#patience, name: run.work, what, check });
    checkModules(work, this.#modules);
    const { task, learner } = await remakeParsingWork(work);
    // The state of a sparse learner has the learner's own vectors, which steps leave as they were.
    const own = stateOf(learner, 0);
    let untrained: OnlineState | undefined = learner.sparse ? own : copyState(own);
    this.#open = {
      name,
      run,
      names,
      trainer: new ShardTrainer<unknown>(task, learner),
      own: learner.sparse ? own : undefined,
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
    const { name, run, names } = this.#open!;
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
      try {
        const mixture = await this.#read("mixture", names.mixture(at.round), { what, signal });
        this.#position = undefined;
        this.#moveTo(at.round + 1, applyMixture(at.state, mixture), mixture.changed);
      } catch (error) {
        if (!(error instanceof DamagedBlob)) throw error;
        await this.mix(name, at.round, { signal });
      }
    }
    return this.#position!;
  }

  /** Returns the state that the first round of an epoch begins from. */
  async #stateBefore(round: number, signal: AbortSignal | undefined): Promise<OnlineState> {
    const { name, run, names, own, takeUntrained } = this.#open!;
    const what = `the state before round ${round}`;
    const reading = { ...this.#patience, signal, what };
    const decode = (bytes: Uint8Array) => decodeRound("training-state", bytes, own).state;
    if (round > names.first)
      return readOrMake(
        () => readOutput(this.#store, { ...reading, name: names.state(round - 1), decode }),
        () => this.mix(name, round - 1, { signal }),
      );
    const from = run.from?.state;
    if (from === undefined) {
      const untrained = takeUntrained();
      if (untrained !== undefined) return untrained;
      this.#open = undefined;
      return (await this.#openRun(name)).takeUntrained()!;
    }
    return decode(await readBytes(this.#store, { ...reading, name: from, isPacked: false }));
  }

  #moveTo(round: number, state: OnlineState, changed: Int32Array | undefined): void {
    this.#results.clear();
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

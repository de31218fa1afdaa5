import { ArcwiseError } from "@arcwise/core/errors";
import {
  localRunner as learnerHere,
  type MixedRound,
  type MixingOptions,
  type OnlineState,
  partsOfEpoch,
  type RoundRunner,
  type ShardStep,
  type ShardStepOptions,
} from "@arcwise/learn";
import {
  type ParserModel,
  type ParsingWork,
  type TrainingExample,
  type TrainingRunners,
  type TrainOptions,
  trainParserBy,
} from "@arcwise/parser";
import { networkInPlaces, remakeParsingWork, requireRemakable } from "@arcwise/parser/node";
import { type Hash, hashOf } from "./blobs/hash.ts";
import { writeData } from "./blobs/plain-data.ts";
import { readBlob, type Store } from "./blobs/store.ts";
import type { Flow, StepRunner } from "./runners/runner.ts";
import { type MixingRun, RunNames } from "./steps/mixing-run.ts";
import { stepOrder } from "./steps/order.ts";
import { decodeRound, decodeSummary, encodeRound, readRound } from "./steps/round-blobs.ts";
import type { RoundSummary } from "./steps/round-state.ts";
import { networksBy, type Workplace } from "./train-elsewhere.ts";

/** Options of `trainParserInSteps`. */
export interface StepTrainOptions extends TrainOptions, Workplace {}

/**
 * `trainParser` with the shards (`shards.count` of 2 or more) in steps, run by any number of workers that share
 * a store: the same model, byte for byte. A training that was interrupted, wherever it was, is continued by
 * calling the function again with the same examples, options and store. A network is trained beside the weights, an
 * epoch of a member a step. Pruner and labeller are trained in this process, and so are the weights when there is one
 * shard.
 *
 * @throws as `trainParser`, and as `runner.run`
 * @throws RangeError when the decoder or the learner is neither built in nor a module (`loadDecoder`, `loadLearner`)
 */
export function trainParserInSteps(
  examples: readonly TrainingExample[],
  { store, runner, ...options }: StepTrainOptions,
): Promise<ParserModel> {
  const makeRunner: TrainingRunners["makeRunner"] = (work, made) => {
    requireRemakable(work, made);
    return new StepRounds(work, { store, runner });
  };
  // As many places as there may be members: each member is trained by itself.
  const trainNetwork = networkInPlaces(Number.POSITIVE_INFINITY, networksBy({ store, runner }));
  return trainParserBy({ makeRunner, trainNetwork }, examples, options);
}

/** How often a mixture is made again. */
const MAX_DAMAGED = 3;
/** The changed weights of a round, as far as this process needs them. */
const NO_WEIGHTS = new Int32Array(0);

/** Runs the rounds of a training by steps. */
class StepRounds implements RoundRunner {
  readonly #work: ParsingWork;
  readonly #store: Store;
  readonly #runner: StepRunner;
  #names: RunNames | undefined;
  #learner: ReturnType<typeof learnerHere> | undefined;
  #round = 0;
  #parts = 1;
  #epochs = 1;
  #run: Hash = "";

  constructor(work: ParsingWork, { store, runner }: Workplace) {
    this.#work = work;
    this.#store = store;
    this.#runner = runner;
  }

  async start(options: MixingOptions): Promise<{ readonly size: number; readonly state: OnlineState }> {
    const { task, learner } = await remakeParsingWork(this.#work);
    this.#learner = learnerHere(task, learner);
    const begun = await this.#learner.start();
    const { shards, mixes, seed, mixing = "uniform", averageAfter = 0, resume } = options;
    const run: MixingRun = {
      work: await writeData(this.#store, this.#work),
      size: begun.size,
      shards,
      parts: partsOfEpoch(begun.size, { shards, mixes }),
      mixing,
      seed,
      averageAfter,
      from: resume && { state: await this.#writeState(resume), epoch: resume.epoch },
    };
    this.#parts = run.parts;
    this.#epochs = options.epochs;
    this.#run = await writeData(this.#store, run);
    this.#names = new RunNames(run);
    this.#round = this.#names.first;
    return begun;
  }

  /** Writes a state to resume from under the hash of its bytes. */
  async #writeState(state: OnlineState): Promise<Hash> {
    const bytes = encodeRound("training-state", { state, shards: [] });
    const name = hashOf(bytes);
    await this.#store.write(name, bytes);
    return name;
  }

  async round(
    steps: readonly ShardStep[],
    from: OnlineState,
    { onProgress, signal }: ShardStepOptions,
  ): Promise<MixedRound> {
    const run = this.#run;
    const round = this.#round++;
    const flow = {
      id: `r${run.slice(0, 16)}-${round}`,
      steps: steps.map(({ shard }) => stepOrder("train-shard", { run, round, shard })),
      last: stepOrder("mix", { run, round }),
      epochs: this.#epochs,
      shards: steps.length,
    };
    const { shards, isSparse } = await this.#mixture(flow, round, signal);
    for (const counts of shards) onProgress?.(counts);
    return {
      state: await this.#stateAfter(round, from, signal),
      changed: isSparse ? NO_WEIGHTS : undefined,
      shards,
    };
  }

  /** Runs a flow unless its mixture is there, and returns what a mixture says of its shards. */
  async #mixture(flow: Flow, round: number, signal: AbortSignal | undefined): Promise<RoundSummary> {
    const name = this.#names!.mixture(round);
    for (let attempt = 1; ; attempt++) {
      if (!(await this.#store.has(name))) await this.#runner.run(flow, { signal });
      const what = `the mixture of round ${round}`;
      const found = await readRound(this.#store, { kind: "mixture", name, what, signal }, decodeSummary);
      // One that was damaged by a loss of power is no longer there.
      if (found !== undefined) return found;
      if (attempt === MAX_DAMAGED)
        throw new ArcwiseError(
          "invalid-data",
          `${this.#store.address}: expected ${what}, found a damaged blob ${name}, ${attempt} times: check the disk`,
          { file: this.#store.address, expected: what, found: "a damaged blob" },
        );
    }
  }

  /** Returns the state at the end of an epoch. Within it, workers alone have the state, and `from` stands for it. */
  async #stateAfter(round: number, from: OnlineState, signal: AbortSignal | undefined): Promise<OnlineState> {
    if ((round + 1) % this.#parts !== 0) return from;
    const what = `the state after round ${round}`;
    const bytes = await readBlob(this.#store, this.#names!.state(round), what, { signal });
    return decodeRound("training-state", bytes, from).state;
  }

  result(state: OnlineState): Promise<Float32Array> {
    this.#runner.weightsDone?.();
    return this.#learner!.result(state);
  }
}

import {
  type MixedRound,
  type MixingOptions,
  type OnlineState,
  partsOfEpoch,
  type RoundRunner,
  runShardsHere,
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
import { writeBytes, writeData } from "./blobs/contents.ts";
import { readOrMake } from "./blobs/damaged.ts";
import type { Hash } from "./blobs/hash.ts";
import { readOutput } from "./blobs/outputs.ts";
import type { BlobRequest, Store } from "./blobs/store.ts";
import type { Flow, StepRunner } from "./runners/runner.ts";
import { type MixingRun, RunNames } from "./steps/mixing-run.ts";
import { stepOrder } from "./steps/order.ts";
import { decodeRound, decodeSummary, encodeRound } from "./steps/round-blobs.ts";
import { StepOutputs } from "./steps/step-outputs.ts";
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

/** The changed weights of a round, as far as this process needs them. */
const NO_WEIGHTS = new Int32Array(0);

/** Runs the rounds of a training by steps. */
class StepRounds implements RoundRunner {
  readonly #work: ParsingWork;
  readonly #store: Store;
  readonly #runner: StepRunner;
  readonly #outputs: StepOutputs;
  #names: RunNames | undefined;
  #learner: ReturnType<typeof runShardsHere> | undefined;
  #round = 0;
  #epochs = 1;
  #run: Hash = "";

  constructor(work: ParsingWork, { store, runner }: Workplace) {
    this.#work = work;
    this.#store = store;
    this.#runner = runner;
    this.#outputs = new StepOutputs(store);
  }

  async start(options: MixingOptions): Promise<{ readonly size: number; readonly state: OnlineState }> {
    const { task, learner } = await remakeParsingWork(this.#work);
    this.#learner = runShardsHere(task, learner);
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
    this.#epochs = options.epochs;
    this.#run = await writeData(this.#store, run);
    this.#names = new RunNames(run);
    this.#round = this.#names.first;
    return begun;
  }

  /** Writes a state to resume from under the hash of its bytes. */
  async #writeState(state: OnlineState): Promise<Hash> {
    return writeBytes(this.#store, encodeRound("training-state", { state, shards: [] }), false);
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
    const { shards, isSparse } = await this.#outputOf(flow, {
      name: this.#names!.mixture(round),
      what: `the mixture of round ${round}`,
      decode: (bytes) => decodeSummary("mixture", bytes),
      signal,
    });
    for (const counts of shards) onProgress?.(counts);
    return {
      state: this.#names!.hasState(round) ? await this.#stateAfter(flow, round, from, signal) : from,
      changed: isSparse ? NO_WEIGHTS : undefined,
      shards,
    };
  }

  /** Runs a flow unless the output of its last step is there, and reads the output. */
  async #outputOf<Output>(flow: Flow, request: BlobRequest<Output>): Promise<Output> {
    const run = async () => {
      if (!(await this.#outputs.isDone(flow.last))) await this.#runner.run(flow, { signal: request.signal });
    };
    await run();
    return readOrMake(() => readOutput(this.#store, request), run);
  }

  /** Returns the state at the end of an epoch. Within it, workers alone have the state. */
  #stateAfter(
    flow: Flow,
    round: number,
    into: OnlineState,
    signal: AbortSignal | undefined,
  ): Promise<OnlineState> {
    const decode = (bytes: Uint8Array) => decodeRound("training-state", bytes, into).state;
    const what = `the state after round ${round}`;
    return this.#outputOf(flow, { name: this.#names!.state(round), what, decode, signal });
  }

  result(state: OnlineState): Promise<Float32Array> {
    this.#runner.weightsDone?.();
    return this.#learner!.result(state);
  }
}

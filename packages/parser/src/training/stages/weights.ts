import { epochShare, type StepProgress } from "@arcwise/core/training";
import {
  type LearnerState,
  learnerStateOf,
  mixShards,
  onlineStateOf,
  requireWeights,
  type ShardRunner,
  type WeightVector,
} from "@arcwise/learn";
import type { QuantizedNetwork } from "../../scoring/network/quantized-network.ts";
import type { CountedTask, Figures } from "../counted-task.ts";
import type { FamilyContext } from "../family.ts";
import type { ReadyNetwork } from "./network.ts";

/** Returns scores of weights on the development set, in percent, by name; undefined without any. */
export type Evaluation = (weights: () => Float32Array) => Readonly<Record<string, number>> | undefined;

/** How the weights of a parser are learned in shards. */
interface ShardedWork {
  /** Words or sentences, per which costs are reported. */
  readonly units: number;
  /** Returns the figures of a cost per unit. */
  figures(cost: number): Figures;
  /** Returns the runner of shards: in this thread, or at the place. */
  runner(isHere: boolean): ShardRunner;
  readonly shards: number;
  /** Mixings per epoch. */
  readonly mixes: number;
}

/** The task, the shards and the evaluation for learning the sparse weights of a parser. */
export interface WeightsPlan<Output> {
  task(): CountedTask<Output>;
  /** Undefined: serial training. */
  readonly shards?: ShardedWork | undefined;
  /** Returns the state that training begins with; undefined: weights of 0. */
  initial?(): LearnerState | undefined;
  /** Prepares the development set. */
  evaluator(network: QuantizedNetwork | undefined): Evaluation;
}

type WeightsContext = FamilyContext<unknown, unknown>;

/**
 * Learns the sparse weights of a parser in the calling thread, or in shards at the place.
 *
 * @param network the network, which may be learned in parallel with the weights
 */
export async function learnWeights<Output>(
  context: WeightsContext,
  plan: WeightsPlan<Output>,
  network: Promise<ReadyNetwork | undefined>,
): Promise<Float32Array> {
  const { settings, run, states } = context;
  const { learner, epochs, seed } = settings;
  const reports = new EpochReports(context, plan, network);
  const resumed = await states.weights.read();
  const resume = resumed ?? plan.initial?.();
  if (plan.shards !== undefined) return learnShards(context, plan.shards, reports, resume);
  const task = plan.task();
  task.beginEpoch?.((resume?.epoch ?? 0) + 1);
  const weights = await learner.train(task, {
    epochs,
    seed,
    resume,
    signal: run.signal,
    onProgress: ({ epoch, done }) => {
      if (done < task.size) reports.progress(epoch, done, task.takeFigures(false));
    },
    onEpoch: async (state, weightsOf) => {
      const figures = task.takeFigures(true);
      task.beginEpoch?.(state.epoch + 1);
      await reports.epochDone(state, figures, () => singles(weightsOf()));
    },
  });
  run.reporter.finish("weights");
  // The learner does not answer for a damaged checkpoint: quantisation refuses the resulting weights.
  return singles(resumed === undefined ? requireWeights(weights, task.dimension, learner) : weights);
}

/** Epochs before those that weights are averaged over, in which shards of sparse updates have learned little. */
const AVERAGE_AFTER = 3;

/** Learns the weights by iterative parameter mixing. Returns their average over all steps. */
async function learnShards(
  { run, settings, sentences }: WeightsContext,
  { units, figures: figuresOf, runner: runnerOf, ...shards }: ShardedWork,
  reports: EpochReports,
  resume: LearnerState | undefined,
): Promise<Float32Array> {
  const { place, signal, dev } = run;
  const runner = runnerOf(place.width === 1 && place.isPlain !== true);
  let figures: Figures = {};
  const state = await mixShards(runner, {
    ...shards,
    mixing: "changed",
    ...{ epochs: settings.epochs, seed: settings.seed, signal },
    averageAfter: settings.learner.sparse ? AVERAGE_AFTER : 0,
    resume: resume && onlineStateOf(resume),
    onProgress: ({ epoch, done, total, cost }) => {
      // Deal sentences of all lengths to every shard.
      figures = figuresOf(cost / Math.max(1, (units * done) / total));
      if (done < sentences.length) reports.progress(epoch, done, figures);
    },
    onMixed: async (mixed) => {
      const weights = dev.length > 0 ? await runner.result(mixed) : undefined;
      await reports.epochDone(learnerStateOf(mixed), figures, () => weights!);
    },
  });
  return runner.result(state);
}

/** Converts weights of a learner to 32 bits. */
function singles(weights: WeightVector): Float32Array {
  return weights instanceof Float32Array ? weights : Float32Array.from(weights);
}

/** Reports progress, and at the end of each epoch accuracy on the development set and the checkpoint. */
class EpochReports {
  readonly #context: WeightsContext;
  readonly #plan: Pick<WeightsPlan<never>, "evaluator">;
  readonly #network: Promise<ReadyNetwork | undefined>;
  /** Undefined as long as the network is being learned. */
  #evaluate: Evaluation | undefined;

  constructor(
    context: WeightsContext,
    plan: Pick<WeightsPlan<never>, "evaluator">,
    network: Promise<ReadyNetwork | undefined>,
  ) {
    this.#context = context;
    this.#plan = plan;
    this.#network = network;
    // The stages end with the errors of the network.
    network.then(this.#evaluateWith, () => {});
  }

  readonly #evaluateWith = (network: ReadyNetwork | undefined): Evaluation => {
    this.#evaluate ??= this.#plan.evaluator(network?.quantized);
    return this.#evaluate;
  };

  progress(epoch: number, done: number, figures: Figures): void {
    this.#report(epoch, done, { ...figures, epochDone: false });
  }

  #report(epoch: number, done: number, more: Figures & Pick<StepProgress, "epochDone" | "dev">): void {
    const { settings, sentences, run } = this.#context;
    const { epochs } = settings;
    const share = epochShare(epoch, epochs, done, sentences.length);
    run.reporter.report("weights", { step: "weights", epoch, epochs, share, ...more });
  }

  /** The last epoch waits for the network, so that it has a score. */
  async epochDone(state: LearnerState, figures: Figures, weights: () => Float32Array): Promise<void> {
    const { settings, sentences, run, states } = this.#context;
    const { epoch } = state;
    await states.weights.write(() => state);
    const isLast = epoch === settings.epochs && run.dev.length > 0;
    const evaluate = isLast ? this.#evaluateWith(await this.#network) : this.#evaluate;
    const dev = evaluate?.(weights);
    this.#report(epoch, sentences.length, { ...figures, epochDone: true, dev });
  }
}

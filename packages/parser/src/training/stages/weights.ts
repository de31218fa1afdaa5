import { type OnlineState, trainOnline } from "@arcwise/learn";
import type { NetworkAtRest } from "../../model/network-model.ts";
import { startTensor } from "../../scoring/tensor/tensor-training.ts";
import type { TrainingExample, TrainingProgress } from "../../types.ts";
import type { Checkpoints } from "../checkpoint.ts";
import { dimensionsOf, type TrainingContext, workOf } from "../context.ts";
import { type Evaluation, evaluation } from "../evaluation.ts";
import { firstTensor } from "../parsing-task.ts";
import { createParsingWork } from "../parsing-work.ts";
import { learnByMixing, type MakeRunner } from "./mixing.ts";
import type { ReadyNetwork } from "./network.ts";
import type { Pruning } from "./prune.ts";

/** What the sparse weights are learned with. */
export interface WeightsStage {
  readonly context: TrainingContext;
  readonly pruning: Pruning;
  readonly network: ReadyNetwork | undefined;
  readonly checkpoints: Checkpoints;
  /** Makes what does the work of shards. */
  readonly makeRunner: MakeRunner;
}

/** Learns the weights of arcs, parts, trees and tensor; returns their average over all steps. */
export async function learnWeights(stage: WeightsStage): Promise<Float32Array> {
  const { context, pruning, checkpoints } = stage;
  const { settings, run } = context;
  const reports = new EpochReports(stage);
  const work = workOf(context, pruning.arcs);
  const resume = checkpoints.resume.weights;
  const training = { epochs: settings.epochs, seed: settings.seed, resume, signal: run.signal };
  const { count, ...mixing } = settings.shards;
  if (count > 1) {
    return learnByMixing(work, stage.makeRunner, {
      ...training,
      ...mixing,
      shards: count,
      onProgress: ({ epoch, done, error }) => reports.progress(epoch, done, error),
      onEpoch: async (state, average) => {
        const weights = run.dev.length > 0 ? await average() : undefined;
        await reports.epochDone(state, () => weights!);
      },
    });
  }
  const { task, learner } = createParsingWork(work, context.scorers, resume?.steps);
  if (settings.tensor && !resume) {
    const start = await startTensor(work, settings.tensor.start, settings.seed, run.signal);
    learner.weights.values.set(start, firstTensor(work.dimensions));
  }
  await trainOnline(task, learner, {
    ...training,
    onProgress: ({ epoch, done }) => reports.progress(epoch, done, task.takeErrorRate(done === task.size)),
    onEpoch: (state) => reports.epochDone(state, () => learner.result()),
  });
  return learner.result();
}

/** Reports progress, and at the end of each epoch accuracy on the development set and the checkpoint. */
class EpochReports {
  readonly #stage: WeightsStage;
  readonly #evaluate: Evaluation;
  #progress: TrainingProgress | undefined;

  constructor(stage: WeightsStage) {
    this.#stage = stage;
    this.#evaluate = evaluator(stage.context, stage.pruning, stage.network?.atRest);
  }

  progress(epoch: number, done: number, trainingError: number): void {
    const { settings, sentences, run } = this.#stage.context;
    const common = { stage: "learn", epochs: settings.epochs, total: sentences.length } as const;
    this.#progress = { ...common, epoch, done, trainingError, epochDone: false };
    if (done < common.total) run.report(this.#progress);
  }

  async epochDone(state: OnlineState, average: () => Float32Array): Promise<void> {
    const { context, network, checkpoints } = this.#stage;
    context.run.report({ ...this.#progress!, epochDone: true, dev: this.#evaluate(average) });
    await checkpoints.keep({ network: network?.state, weights: state });
  }
}

/** Attachment scores on the development set or on other examples, in percent. */
export function evaluator(
  context: TrainingContext,
  pruning: Pruning,
  network: NetworkAtRest | undefined,
  examples: readonly TrainingExample[] = context.run.dev,
): Evaluation {
  const candidatesOf = pruning.candidates;
  return evaluation({ ...context, dimensions: dimensionsOf(context), candidatesOf, network }, examples);
}

import { epochShare } from "@arcwise/core/training";
import {
  type LearnerState,
  learnerStateOf,
  onlineStateOf,
  requireWeights,
  type WeightVector,
} from "@arcwise/learn";
import type { QuantizedNetwork } from "../../scoring/network/quantized-network.ts";
import type { TrainingExample } from "../../types.ts";
import type { Checkpoints } from "../checkpoint.ts";
import { dimensionsOf, type TrainingContext, workOf } from "../context.ts";
import { type Evaluation, evaluation } from "../evaluation.ts";
import { createParsingTask, type ParsingWork } from "../parsing-work.ts";
import { learnByMixing, type MakeRunner } from "./mixing.ts";
import type { ReadyNetwork } from "./network.ts";
import type { Pruning } from "./prune.ts";

/** Epochs before those that weights are averaged over, in which shards of sparse updates have learned little. */
const AVERAGE_AFTER = 3;

/** The data that the sparse weights are learned from. */
export interface WeightsStage {
  readonly context: TrainingContext;
  readonly pruning: Pruning;
  /** The network, which may be learned beside the weights; undefined: the parser has none. */
  readonly network: Promise<ReadyNetwork> | undefined;
  readonly checkpoints: Checkpoints;
  /** Makes the runner of shards. */
  readonly makeRunner: MakeRunner;
}

/** Learns the weights of arcs, parts and trees; returns the final ones. */
export async function learnWeights(stage: WeightsStage): Promise<Float32Array> {
  const { context, pruning, checkpoints } = stage;
  const { settings, run } = context;
  const { learner } = settings;
  const reports = new EpochReports(stage);
  const work = workOf(context, pruning.arcs);
  if (settings.shards.count > 1) return learnShards(stage, work, reports);
  const resume = checkpoints.resume.weights;
  const task = createParsingTask(work, {
    scorers: context.scorers,
    decoder: settings.decoder,
    steps: resume?.numbers.steps,
  });
  const weights = await learner.train(task, {
    epochs: settings.epochs,
    seed: settings.seed,
    resume,
    signal: run.signal,
    onProgress: ({ epoch, done }) => {
      if (done < task.size) reports.progress(epoch, done, task.takeErrorRate(false));
    },
    onEpoch: (state, weightsOf) =>
      reports.epochDone(state, task.takeErrorRate(true), () => singles(weightsOf())),
  });
  run.reporter.finish("weights");
  // A damaged checkpoint is no fault of its learner: quantisation refuses what it leads to.
  return singles(resume === undefined ? requireWeights(weights, task.dimension, learner) : weights);
}

function learnShards(stage: WeightsStage, work: ParsingWork, reports: EpochReports): Promise<Float32Array> {
  const { run, settings } = stage.context;
  const { count, mixing, mixes } = settings.shards;
  const resume = stage.checkpoints.resume.weights;
  let error = 0;
  const { learner, decoder, treeFeatures } = settings;
  return learnByMixing(work, stage.makeRunner, {
    mixing,
    mixes,
    averageAfter: learner.sparse ? AVERAGE_AFTER : 0,
    made: { learner, decoder, treeFeatures },
    shards: count,
    epochs: settings.epochs,
    seed: settings.seed,
    resume: resume && onlineStateOf(resume),
    signal: run.signal,
    onProgress: (progress) => {
      error = progress.error;
      if (progress.done < work.examples.length) reports.progress(progress.epoch, progress.done, error);
    },
    onEpoch: async (state, average) => {
      const weights = run.dev.length > 0 ? await average() : undefined;
      await reports.epochDone(learnerStateOf(state), error, () => weights!);
    },
  });
}

/** Converts weights of a learner to 32 bits. */
function singles(weights: WeightVector): Float32Array {
  return weights instanceof Float32Array ? weights : Float32Array.from(weights);
}

/** What training errors are counted of. A wrong label on a right head counts half with shards. */
const LEARNED = "heads and labels";

interface EpochReport {
  readonly epoch: number;
  /** Sentences done in the epoch. */
  readonly done: number;
  /** Share of words with a wrong head or label. */
  readonly error: number;
  readonly epochDone: boolean;
  readonly dev?: { readonly uas: number; readonly las: number } | undefined;
}

/** Reports progress, and at the end of each epoch accuracy on the development set and the checkpoint. */
class EpochReports {
  readonly #stage: WeightsStage;
  /** Undefined as long as the network is being learned. */
  #evaluate: Evaluation | undefined;

  constructor(stage: WeightsStage) {
    this.#stage = stage;
    if (stage.network === undefined) this.#evaluate = evaluator(stage.context, stage.pruning, undefined);
    // Whoever runs the stages awaits the network too, and meets its errors.
    else stage.network.then(this.#evaluateWith, () => {});
  }

  readonly #evaluateWith = ({ quantized }: ReadyNetwork): Evaluation => {
    this.#evaluate ??= evaluator(this.#stage.context, this.#stage.pruning, quantized);
    return this.#evaluate;
  };

  progress(epoch: number, done: number, error: number): void {
    this.#report({ epoch, done, error, epochDone: false });
  }

  #report({ epoch, done, error, epochDone, dev }: EpochReport): void {
    const { settings, sentences, run } = this.#stage.context;
    const { epochs } = settings;
    const share = epochShare(epoch, epochs, done, sentences.length);
    const common = { step: "weights", epoch, epochs, epochDone, share } as const;
    run.reporter.report("weights", { ...common, error: { share: error, of: LEARNED }, dev });
  }

  /** The last epoch waits for the network, so that it has a score. */
  async epochDone(state: LearnerState, trainingError: number, weights: () => Float32Array): Promise<void> {
    const { context, network, checkpoints } = this.#stage;
    const { settings, sentences, run } = context;
    const { epoch } = state;
    await checkpoints.keep({ weights: state });
    const isLast = epoch === settings.epochs && run.dev.length > 0;
    const evaluate = isLast && network ? this.#evaluateWith(await network) : this.#evaluate;
    const dev = evaluate?.(weights);
    this.#report({ epoch, done: sentences.length, error: trainingError, epochDone: true, dev });
  }
}

/** Attachment scores on the development set or on other examples, in percent. */
export function evaluator(
  context: TrainingContext,
  pruning: Pruning,
  network: QuantizedNetwork | undefined,
  examples: readonly TrainingExample[] = context.run.dev,
): Evaluation {
  const candidatesOf = pruning.candidates;
  return evaluation({ ...context, dimensions: dimensionsOf(context), candidatesOf, network }, examples);
}

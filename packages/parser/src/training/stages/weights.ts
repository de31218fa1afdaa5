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
import { dimensionsOf, type ParserStage, type Training, type TrainingContext, workOf } from "../context.ts";
import { type Evaluation, evaluation } from "../evaluation.ts";
import { createParsingTask, type ParsingWork } from "../parsing-work.ts";
import { learnByMixing, shardRunner } from "./mixing.ts";
import type { ReadyNetwork } from "./network.ts";
import type { Pruning } from "./prune.ts";

/** Epochs before those that weights are averaged over, in which shards of sparse updates have learned little. */
const AVERAGE_AFTER = 3;

/** Estimated microseconds per word and epoch by order, and the factor of slower decoders. */
const WORK = { 1: 110, 2: 190, 3: 280 } as const;
const SEARCH = { hillclimb: 1.5, ad3: 2 } as const;

/** Learns the weights of arcs, parts and trees in the calling thread, or in shards at the place. */
export const weightsStage: ParserStage<
  { readonly prune: Pruning; readonly network: ReadyNetwork | undefined },
  Float32Array
> = {
  work: (words, { decoder, order, epochs }) => {
    const search = Object.hasOwn(SEARCH, decoder) ? SEARCH[decoder as keyof typeof SEARCH] : 1;
    return epochs * words * WORK[order] * search;
  },
  run: async (context, { prune, network }) => learnWeights({ context, pruning: await prune, network }),
};

/** The data that the sparse weights are learned from. */
interface WeightsData {
  readonly context: Training;
  readonly pruning: Pruning;
  /** The network, which may be learned in parallel with the weights; undefined: the parser has none. */
  readonly network: Promise<ReadyNetwork | undefined>;
}

async function learnWeights(stage: WeightsData): Promise<Float32Array> {
  const { context, pruning } = stage;
  const { settings, run, checkpoints } = context;
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

function learnShards(stage: WeightsData, work: ParsingWork, reports: EpochReports): Promise<Float32Array> {
  const { run, settings, checkpoints } = stage.context;
  const { count, mixing, mixes } = settings.shards;
  const resume = checkpoints.resume.weights;
  let error = 0;
  const { learner, decoder, treeFeatures } = settings;
  return learnByMixing(work, shardRunner(run.place, work, { learner, decoder, treeFeatures }), {
    mixing,
    mixes,
    averageAfter: learner.sparse ? AVERAGE_AFTER : 0,
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
  readonly #stage: WeightsData;
  /** Undefined as long as the network is being learned. */
  #evaluate: Evaluation | undefined;

  constructor(stage: WeightsData) {
    this.#stage = stage;
    // The stages end with the errors of the network.
    stage.network.then(this.#evaluateWith, () => {});
  }

  readonly #evaluateWith = (network: ReadyNetwork | undefined): Evaluation => {
    this.#evaluate ??= evaluator(this.#stage.context, this.#stage.pruning, network?.quantized);
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
    const { context, network } = this.#stage;
    const { settings, sentences, run, checkpoints } = context;
    const { epoch } = state;
    await checkpoints.keep({ weights: state });
    const isLast = epoch === settings.epochs && run.dev.length > 0;
    const evaluate = isLast ? this.#evaluateWith(await network) : this.#evaluate;
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

import type { Sentence } from "@arcwise/core";
import type { EncodedSentence } from "@arcwise/core/features";
import type { TrainingWarning } from "@arcwise/core/training";
import type { Learner } from "@arcwise/learn";
import { networkSize } from "../scoring/network/network-layout.ts";
import type { NetworkConfiguration } from "../scoring/network/quantized-network.ts";
import { type Checkpoints, fingerprint, openCheckpoints, trainFrom } from "./checkpoint.ts";
import type { NetworkState } from "./network-state.ts";
import type { NetworkTask } from "./network-task.ts";
import { encodedExamples, type RunOptions, type TrainingRun } from "./run.ts";
import { type Stages, trainStages } from "./stages/stage.ts";

/** The networks that a training learns. */
export interface NetworkPlan {
  readonly task: NetworkTask;
  readonly epochs: number;
  /** The weights of their scores in the model, and the margin within which heads remain candidates. */
  readonly scores: Pick<NetworkConfiguration, "weight" | "labelWeight" | "margin">;
  /** The state that training begins with. Absent: random parameters. */
  readonly initial?: NetworkState | undefined;
}

/** The context of the stages of all families. */
export interface FamilyContext<Example, Gold> {
  readonly settings: { readonly seed: number; readonly epochs: number; readonly learner: Learner };
  readonly run: TrainingRun<Example>;
  readonly sentences: readonly EncodedSentence[];
  readonly golds: readonly Gold[];
  readonly network: NetworkPlan | undefined;
  readonly checkpoints: Checkpoints;
}

/** The functions that differ between the trainings of trees and graphs. */
export interface Family<Example, Options, Context, Settings, Outputs> {
  readonly stages: Stages<Context, Settings, Outputs>;
  /** Checks examples and options. */
  open(examples: readonly Example[], options: Options): TrainingRun<Example>;
  /** Encodes the examples, which have vectors if an encoder was given. */
  prepare(examples: readonly Example[], options: Options, run: TrainingRun<Example>): Context;
  warnings(examples: readonly Example[], context: Context): TrainingWarning[];
}

/** Trains a parser of a family; returns the outputs of its stages. */
export async function trainFamily<
  Example extends { readonly sentence: Sentence },
  Options extends RunOptions<Example>,
  Context extends FamilyContext<Example, unknown>,
  Settings,
  Outputs extends object,
>(
  { stages, open, prepare, warnings }: Family<Example, Options, Context, Settings, Outputs>,
  examples: readonly Example[],
  options: Options,
): Promise<Outputs> {
  const opened = open(examples, options);
  const { examples: encoded, run } = await encodedExamples(options.encoder, examples, opened);
  const context = prepare(encoded, options, run);
  for (const warning of warnings(examples, context)) options.onWarning?.(warning);
  return trainFrom(options.resume, () => trainStages(stages, context));
}

/** The data of a training that its checkpoints depend on. */
interface CheckpointData extends Omit<FamilyContext<never, unknown>, "golds" | "checkpoints" | "run"> {
  readonly run: Pick<TrainingRun<never>, "resume" | "keep">;
  /** All settings and data that determine the model, except the examples and the number of epochs. */
  readonly facts: unknown;
  /** The gold tree or graph of each sentence, and whatever else belongs to it, as integers. */
  readonly golds: Iterable<readonly ArrayLike<number>[]>;
  /** Number of sparse weights. */
  readonly dimension: number;
}

/** Opens the checkpoints of a training. */
export function checkpointsOf({
  settings,
  run,
  sentences,
  network,
  facts,
  golds,
  dimension,
}: CheckpointData): Checkpoints {
  const parameters = network ? network.task.settings.members * networkSize(network.task.shape) : 0;
  return openCheckpoints({
    print: fingerprint(facts, sentences, golds),
    most: Math.max(dimension, parameters),
    epochs: settings.epochs,
    hasNetwork: network !== undefined,
    resume: run.resume,
    keep: run.keep,
  });
}

import type { Sentence } from "@arcwise/core";
import type { EncodedSentence } from "@arcwise/core/features";
import type { TrainingWarning } from "@arcwise/core/training";
import type { Learner } from "@arcwise/learn";
import type { NetworkConfiguration } from "../scoring/network/quantized-network.ts";
import { type TrainingStates, trainFrom } from "./checkpoint.ts";
import type { NetworkState } from "./network-state.ts";
import type { NetworkTask } from "./network-task.ts";
import { encodedExamples, type RunOptions, runOf, type TrainingRun } from "./run.ts";
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
  /** Number of words of the sentences. */
  readonly words: number;
  readonly network: NetworkPlan | undefined;
  readonly states: TrainingStates;
}

/** The functions that differ between the trainings of trees and graphs. */
export interface Family<Example, Options, Context, Settings, Outputs> {
  readonly stages: Stages<Context, Settings, Outputs>;
  /** Checks examples and options; returns the settings. */
  check(examples: readonly Example[], options: Options): Settings;
  /** Encodes the examples, which have vectors if an encoder was given. */
  prepare(
    examples: readonly Example[],
    settings: Settings,
    run: TrainingRun<Example>,
    options: Options,
  ): Context;
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
  { stages, check, prepare, warnings }: Family<Example, Options, Context, Settings, Outputs>,
  examples: readonly Example[],
  options: Options,
): Promise<Outputs> {
  const settings = check(examples, options);
  const checked = runOf(stages, settings, examples, options);
  const { examples: encoded, run } = await encodedExamples(options.encoder, examples, checked);
  const context = prepare(encoded, settings, run, options);
  for (const warning of warnings(examples, context)) options.onWarning?.(warning);
  return trainFrom(context.states, () => trainStages(stages, context));
}

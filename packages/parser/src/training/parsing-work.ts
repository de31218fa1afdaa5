import type { Decoder } from "@arcwise/core";
import type { Learner, OnlineLearner } from "@arcwise/learn";
import { type DecoderSource, decoderFrom } from "../decoding/decoders.ts";
import type { Dimensions } from "../scoring/model-weights.ts";
import { createScorers, type ScorerSettings, type Scorers } from "../scoring/scorers.ts";
import { type LearnerReference, learnerNamed } from "./learners.ts";
import { type ParsingTask, type PreparedExample, parsingTask } from "./parsing-task.ts";

/**
 * The data that the weights of a parser are learned from. Plain data, which can be sent to a thread or
 * another machine.
 */
export interface ParsingWork extends ScorerSettings {
  /** Undefined for a learner that was given as an object or a function. */
  readonly learner: LearnerReference | undefined;
  /** Whether the learner needs the same function of the weights during the whole training. */
  readonly isBatch: boolean;
  readonly decoder: DecoderSource;
  readonly dimensions: Dimensions;
  /** URL of the module with features of whole trees, for threads to load it; undefined without one. */
  readonly treeFeatures: string | undefined;
  readonly examples: readonly PreparedExample[];
}

/** Objects for a task of learning to parse. */
export interface TaskParts {
  /** The decoder; required if it is not built in. */
  readonly decoder?: Decoder | undefined;
  readonly scorers?: Scorers | undefined;
}

/** Makes the task of learning to parse. The same data makes the same task. */
export function createParsingTask(
  work: ParsingWork,
  { decoder = decoderFrom(work.decoder), scorers = createScorers(work) }: TaskParts = {},
): ParsingTask {
  const { dimensions, isBatch, examples } = work;
  // A line search needs the exact gradient of the objective, without omitted entries.
  return parsingTask(examples, scorers, decoder, dimensions, isBatch ? 0 : undefined);
}

/** Objects for the task and the learner of a work. */
export interface WorkParts extends TaskParts {
  /** The learner; required if the work does not name it. */
  readonly learner?: Learner | undefined;
}

/**
 * Makes the task of learning to parse, and an untrained online learner.
 *
 * @throws RangeError when the learner is not an online learner, or learner or decoder are not given where the
 *   work does not name them
 */
export function createParsingWork(
  work: ParsingWork,
  made: WorkParts = {},
): { readonly task: ParsingTask; readonly learner: OnlineLearner } {
  const task = createParsingTask(work, made);
  const chosen = made.learner ?? (work.learner && learnerNamed(work.learner));
  if (chosen?.online === undefined)
    throw new RangeError(
      `expected the name of an online learner, got ${chosen ? `"${chosen.name}"` : "none"}`,
    );
  return { task, learner: chosen.online(task.dimension) };
}

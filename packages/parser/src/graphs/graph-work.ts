import type { GraphDecoder } from "@arcwise/core";
import type { LearnerReference } from "../training/learners.ts";
import type { GraphFeatureConfiguration, GraphLabelFilter } from "./graph-scorer.ts";
import { GraphScorer } from "./graph-scorer.ts";
import { type GraphTask, type GraphTaskSettings, graphTask, type PreparedGraph } from "./graph-task.ts";

/** The source of a decoder of graphs. Plain data. */
export interface GraphDecoderSource {
  readonly name: string;
  /** The URL of its module, if it came from one. */
  readonly url: string | undefined;
  readonly restarts: number | undefined;
  /** Whether it was given as an object or a function, which other threads cannot make. */
  readonly local: boolean;
}

/** The data that the weights of a graph parser are learned from. Plain data. */
export interface GraphWork extends GraphTaskSettings {
  /** Undefined for a learner that was given as an object or a function. */
  readonly learner: LearnerReference | undefined;
  readonly decoder: GraphDecoderSource;
  readonly features: GraphFeatureConfiguration;
  readonly filter: GraphLabelFilter;
  readonly unique: Uint8Array;
  readonly examples: readonly PreparedGraph[];
}

/** Makes the task of learning to find graphs. */
export function createGraphTask(work: GraphWork, decoder: GraphDecoder): GraphTask {
  const { examples, features, filter, unique } = work;
  return graphTask(examples, new GraphScorer(features, filter, unique), decoder, work);
}

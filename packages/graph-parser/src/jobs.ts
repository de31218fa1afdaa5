import type { Job } from "@arcwise/jobs";
import { graphEpochJob } from "./graph-network-jobs.ts";
import { graphFoldJob } from "./graph-pruner-jobs.ts";

/** The jobs of the trainings of graph parsers. */
export const GRAPH_PARSER_JOBS: readonly Job<never, unknown>[] = [graphFoldJob, graphEpochJob];

import type { Job } from "@arcwise/jobs";
import { labellerJob } from "./labelling/labeller-jobs.ts";
import { treeFoldJob } from "./pruning/tree-pruner-jobs.ts";
import { parsingShards } from "./training/shard-jobs.ts";
import { treeEpochJob } from "./training/tree-network-jobs.ts";

/** The jobs of the trainings of parsers. */
export const PARSER_JOBS: readonly Job<never, unknown>[] = [
  treeFoldJob,
  treeEpochJob,
  labellerJob,
  parsingShards,
];

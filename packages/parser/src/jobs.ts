import type { Job } from "@arcwise/jobs";
import { graphEpochJob } from "./graphs/graph-network-jobs.ts";
import { graphFoldJob } from "./graphs/graph-pruner-jobs.ts";
import { labellerJob } from "./labelling/labeller-jobs.ts";
import { treeFoldJob } from "./pruning/tree-pruner-jobs.ts";
import { parsingShards } from "./training/shard-jobs.ts";
import { treeEpochJob } from "./training/tree-network-jobs.ts";

/** The jobs of the trainings of parsers. */
export const PARSER_JOBS: readonly Job<never, unknown>[] = [
  treeFoldJob,
  graphFoldJob,
  treeEpochJob,
  graphEpochJob,
  labellerJob,
  parsingShards,
];

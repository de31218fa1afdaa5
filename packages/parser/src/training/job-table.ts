import type { Job } from "@arcwise/jobs";
import { labellerJob } from "../labelling/labeller-jobs.ts";
import { pruneFoldJob } from "../pruning/prune-jobs.ts";
import { networkEpochJob } from "./network-jobs.ts";
import { parsingShards } from "./shard-jobs.ts";

/** The jobs of the trainings of parsers. */
export const PARSER_JOBS: readonly Job<never, unknown>[] = [
  pruneFoldJob,
  networkEpochJob,
  labellerJob,
  parsingShards,
];

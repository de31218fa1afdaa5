import type { Job } from "@arcwise/work";
import { networkAverage, networkSlice } from "./network-jobs.ts";
import { parsingShards } from "./shard-jobs.ts";

/** The jobs of the training of a parser. */
export const PARSER_JOBS: readonly Job<never, unknown>[] = [parsingShards, networkSlice, networkAverage];

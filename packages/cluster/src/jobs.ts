import { GRAPH_PARSER_JOBS } from "@arcwise/graph-parser";
import type { Job } from "@arcwise/jobs";
import { PARSER_JOBS } from "@arcwise/parser";
import { TAGGER_JOBS } from "@arcwise/sequence";
import { tokenizerJob } from "@arcwise/tokenize";
import { evaluateModel, parseChunk } from "./parsing/parse-jobs.ts";

/** The jobs of workers that only parse. */
const PARSING: readonly Job<never, unknown>[] = [parseChunk, evaluateModel];

/** The jobs of trainings. */
const TRAINING: readonly Job<never, unknown>[] = [
  tokenizerJob,
  ...TAGGER_JOBS,
  ...PARSER_JOBS,
  ...GRAPH_PARSER_JOBS,
];

function table(jobs: readonly Job<never, unknown>[]): ReadonlyMap<string, Job<object, unknown>> {
  return new Map(jobs.map((job) => [job.name, job as unknown as Job<object, unknown>]));
}

/** The jobs that a worker may do, by name: no order has code. A new job is a row of its package's table. */
export const JOBS = table([...PARSING, ...TRAINING]);
/** The jobs that a worker does that only parses. */
export const PARSING_JOBS = table(PARSING);

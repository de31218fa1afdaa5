import { type Ended, ended } from "@arcwise/bench/testing";
import { run } from "../src/run.ts";

/** Runs an experiment. */
export const experiments = (argv: readonly string[], { data }: { data?: string } = {}): Promise<Ended> =>
  ended(run, argv, data);

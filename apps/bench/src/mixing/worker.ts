import { shardWorker } from "@arcwise/learn/node";
import { createWork } from "./subjects.ts";

/** What the threads of an experiment run. */
export const work = shardWorker(createWork);

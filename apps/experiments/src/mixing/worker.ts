import { shardWorker } from "@arcwise/learn/node";
import { createWork } from "./subjects.ts";

/** The entry of the threads of an experiment. */
export const work = shardWorker(createWork);

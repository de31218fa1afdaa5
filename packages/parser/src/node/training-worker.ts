import { shardWorker } from "@arcwise/learn/node";
import { remakeParsingWork } from "./remake-work.ts";

/** The work of a thread of `trainParserOnThreads`. */
export const work = shardWorker(remakeParsingWork);

import { shardWorker } from "@arcwise/learn/node";
import { createParsingWork, type ParsingWork } from "../training/parsing-work.ts";

/** What a thread of `trainParserOnThreads` does. */
export const work = shardWorker((data: ParsingWork) => createParsingWork(data));

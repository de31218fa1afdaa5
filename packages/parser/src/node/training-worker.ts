import { shardWorker } from "@arcwise/learn/node";
import { createParsingWork, type ParsingWork } from "../parsing-work.ts";

/** What a thread of `trainParserOnThreads` does. */
export const work = shardWorker((data: ParsingWork) => createParsingWork(data));

import { shardWorker } from "@arcwise/learn/node";
import { createScorers } from "../scoring/scorers.ts";
import { createParsingWork, type ParsingWork } from "../training/parsing-work.ts";
import { remakeDecoder } from "./load-decoder.ts";
import { importTreeFeatures } from "./tree-features.ts";

/** The work of a thread of `trainParserOnThreads`. */
export const work = shardWorker(async (data: ParsingWork) => {
  const features = data.treeFeatures === undefined ? undefined : await importTreeFeatures(data.treeFeatures);
  const decoder = await remakeDecoder(data.decoder);
  return createParsingWork(data, { decoder, scorers: createScorers(data, features) });
});

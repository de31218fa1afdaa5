import { shardWorker } from "@arcwise/learn/node";
import { createScorers } from "../scoring/scorers.ts";
import { createParsingWork, type ParsingWork } from "../training/parsing-work.ts";
import { importTreeFeatures } from "./tree-features.ts";

/** What a thread of `trainParserOnThreads` does. */
export const work = shardWorker(async (data: ParsingWork) => {
  const features = data.treeFeatures === undefined ? undefined : await importTreeFeatures(data.treeFeatures);
  return createParsingWork(data, undefined, createScorers(data, features));
});

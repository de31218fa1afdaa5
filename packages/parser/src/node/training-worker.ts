import { shardWorker } from "@arcwise/learn/node";
import { createScorers } from "../scoring/scorers.ts";
import { createParsingWork, type ParsingWork } from "../training/parsing-work.ts";
import { remakeDecoder } from "./load-decoder.ts";
import { remakeLearner } from "./load-learner.ts";
import { importTreeFeatures } from "./tree-features.ts";

/** The work of a thread of `trainParserOnThreads`. */
export const work = shardWorker(async (data: ParsingWork) => {
  const features = data.treeFeatures === undefined ? undefined : await importTreeFeatures(data.treeFeatures);
  const decoder = await remakeDecoder(data.decoder);
  const learner = data.learner && (await remakeLearner(data.learner));
  return createParsingWork(data, { decoder, learner, scorers: createScorers(data, features) });
});

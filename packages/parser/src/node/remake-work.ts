import { createScorers } from "../scoring/scorers.ts";
import { TreeFeatureError } from "../scoring/trees/tree-features.ts";
import { createParsingWork, type ParsingWork } from "../training/parsing-work.ts";
import type { RunnerParts } from "../training/stages/mixing.ts";
import { remakeDecoder } from "./load-decoder.ts";
import { remakeLearner } from "./load-learner.ts";
import { importTreeFeatures } from "./tree-features.ts";

/**
 * Makes the task of learning to parse, and an untrained learner, as `createParsingWork`; loads the decoder,
 * the learner and the features of whole trees that the data names as modules.
 *
 * @throws ArcwiseError `invalid-module` when a module cannot be loaded, or exports something else
 */
export async function remakeParsingWork(data: ParsingWork): Promise<ReturnType<typeof createParsingWork>> {
  const features = data.treeFeatures === undefined ? undefined : await importTreeFeatures(data.treeFeatures);
  const decoder = await remakeDecoder(data.decoder);
  const learner = data.learner && (await remakeLearner(data.learner));
  return createParsingWork(data, { decoder, learner, scorers: createScorers(data, features) });
}

/**
 * Checks that `remakeParsingWork` can make the objects of a work on another thread or machine.
 *
 * @throws RangeError when the decoder or the learner is neither built in nor a module
 * @throws TreeFeatureError when features of whole trees are no module
 */
export function requireRemakable(data: ParsingWork, { learner, decoder, treeFeatures }: RunnerParts): void {
  if (data.learner === undefined)
    throw new RangeError(
      `threads cannot make the learner "${learner.name}": give its module, as loadLearner returns it`,
    );
  if (data.decoder.local)
    throw new RangeError(
      `threads cannot make the decoder "${decoder.name}": give its module, as loadDecoder returns it`,
    );
  if (treeFeatures !== undefined && data.treeFeatures === undefined) {
    throw new TreeFeatureError(
      "global: expected features that threads can load, by loadTreeFeatures, found " +
        `"${treeFeatures.name}" without a URL`,
    );
  }
}

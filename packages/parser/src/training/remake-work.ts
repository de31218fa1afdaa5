import type { Decoder } from "@arcwise/core";
import { type Learner, requireLearner } from "@arcwise/learn";
import { type DecoderFactory, type DecoderSource, decoderFrom, decoderOf } from "../decoding/decoders.ts";
import { factoryOf, ModuleError } from "../modules/factories.ts";
import { importDefault } from "../modules/import-default.ts";
import { createScorers } from "../scoring/scorers.ts";
import { checkTreeFeatures, TreeFeatureError, type TreeFeatures } from "../scoring/trees/tree-features.ts";
import type { LearnerFactory, LearnerReference } from "./learners.ts";
import { createParsingWork, type ParsingWork } from "./parsing-work.ts";
import type { Settings } from "./settings.ts";

/**
 * Makes the task of learning to parse, and an untrained learner, as `createParsingWork`; loads the decoder,
 * the learner and the features of whole trees that the data names as modules.
 */
export async function remakeParsingWork(data: ParsingWork): Promise<ReturnType<typeof createParsingWork>> {
  const features = data.treeFeatures === undefined ? undefined : await importTreeFeatures(data.treeFeatures);
  const decoder = await remakeDecoder(data.decoder);
  const learner = data.learner && (await remakeLearner(data.learner));
  return createParsingWork(data, { decoder, learner, scorers: createScorers(data, features) });
}

/** Checks that `remakeParsingWork` can make the objects of a work on another thread or machine. */
export function requireRemakable(
  data: ParsingWork,
  { learner, decoder, treeFeatures }: Pick<Settings, "learner" | "decoder" | "treeFeatures">,
): void {
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

/** Makes the decoder of a training, from its source alone. */
async function remakeDecoder(source: DecoderSource): Promise<Decoder> {
  const { url, request } = source;
  if (url === undefined) return decoderFrom(source);
  const make = factoryOf<DecoderFactory>(await importDefault(url, url, ModuleError), url, "decoder");
  return decoderOf(make, request);
}

/** Makes the learner of a training, from its module; undefined for a built-in one. */
async function remakeLearner({ url }: LearnerReference): Promise<Learner | undefined> {
  if (url === undefined) return undefined;
  const make = factoryOf<LearnerFactory>(await importDefault(url, url, ModuleError), url, "learner");
  return requireLearner(make(), url);
}

/** Imports features of whole trees from a URL. */
async function importTreeFeatures(url: string): Promise<TreeFeatures> {
  const value = await importDefault(url, url, TreeFeatureError);
  checkTreeFeatures(value, url);
  return { name: value.name, features: value.features, url };
}

import type { DecoderFactory, DecoderModule } from "../decoding/decoders.ts";
import { factoryOf, ModuleError } from "../modules/factories.ts";
import { checkTreeFeatures, TreeFeatureError, type TreeFeatures } from "../scoring/trees/tree-features.ts";
import type { LearnerFactory, LearnerModule } from "../training/learners.ts";
import { loadModule } from "./load-module.ts";

/**
 * Loads a module whose default export makes decoders (`DecoderFactory`).
 *
 * @param specifier a path that begins with `./`, `../` or `/`, a `file:` URL, the name of a file in `folder`,
 *   or the name of a package that is installed there
 * @param folder the folder of relative paths, from which packages are resolved
 * @throws ArcwiseError `invalid-module` when there is no such module, it fails, or its default export is not a function
 */
export function loadDecoder(specifier: string, folder: string = process.cwd()): Promise<DecoderModule> {
  return loadFactory<DecoderFactory>("decoder", specifier, folder);
}

/**
 * Loads a module whose default export makes learners (`LearnerFactory`), as `loadDecoder` loads a decoder.
 *
 * @throws ArcwiseError `invalid-module` when there is no such module, it fails, or its default export is not a function
 */
export function loadLearner(specifier: string, folder: string = process.cwd()): Promise<LearnerModule> {
  return loadFactory<LearnerFactory>("learner", specifier, folder);
}

/** Loads a module whose default export makes decoders or learners of some type. Throws as `loadDecoder` and `loadLearner`. */
export async function loadFactory<Factory>(made: "decoder" | "learner", specifier: string, folder: string) {
  const { value, url } = await loadModule(specifier, folder, ModuleError);
  return { make: factoryOf<Factory>(value, specifier, made), url, specifier };
}

/**
 * Loads a module whose default export defines features of whole trees (`TreeFeatures`), as `loadDecoder` loads a decoder.
 * The result has the URL of the module, from which worker threads import it again.
 *
 * @throws ArcwiseError `invalid-tree-features` when there is no such module, it fails, or its default export does not define
 *   features
 */
export async function loadTreeFeatures(
  specifier: string,
  folder: string = process.cwd(),
): Promise<TreeFeatures> {
  const { value, url } = await loadModule(specifier, folder, TreeFeatureError);
  checkTreeFeatures(value, specifier);
  return { name: value.name, features: value.features, specifier, url };
}

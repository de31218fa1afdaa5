import { checkTreeFeatures, TreeFeatureError, type TreeFeatures } from "../scoring/trees/tree-features.ts";
import { loadModule } from "./load-module.ts";

/**
 * Loads a module whose default export defines features of whole trees (`TreeFeatures`).
 *
 * The result has the URL of the module, from which worker threads import it again.
 *
 * @param specifier a path that begins with `./`, `../` or `/`, a `file:` URL, the name of a file in `folder`,
 *   or the name of a package that is installed there
 * @param folder the folder of relative paths, from which packages are resolved
 * @throws TreeFeatureError when there is no such module, it fails, or its default export does not define features
 */
export async function loadTreeFeatures(
  specifier: string,
  folder: string = process.cwd(),
): Promise<TreeFeatures> {
  const { value, url } = await loadModule(specifier, folder, TreeFeatureError);
  checkTreeFeatures(value, specifier);
  return { name: value.name, features: value.features, specifier, url };
}

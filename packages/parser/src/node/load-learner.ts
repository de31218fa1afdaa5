import { LearnerModuleError, learnerFactory } from "../modules/factories.ts";
import type { LearnerFactory, LearnerModule } from "../training/learners.ts";
import { loadModule } from "./load-module.ts";

/**
 * Loads a module whose default export makes learners (`LearnerFactory`).
 *
 * @param specifier a path that begins with `./`, `../` or `/`, a `file:` URL, the name of a file in `folder`,
 *   or the name of a package that is installed there
 * @param folder the folder of relative paths, from which packages are resolved
 * @throws LearnerModuleError when there is no such module, it fails, or its default export is not a function
 */
export async function loadLearner(specifier: string, folder: string = process.cwd()): Promise<LearnerModule> {
  const { value, url } = await loadModule(specifier, folder, LearnerModuleError);
  return { make: learnerFactory<LearnerFactory>(value, specifier), url, specifier };
}

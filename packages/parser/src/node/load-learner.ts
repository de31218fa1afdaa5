import { ArcwiseError, type ArcwiseErrorOptions } from "@arcwise/core/errors";
import { type Learner, requireLearner } from "@arcwise/learn";
import type { LearnerFactory, LearnerModule, LearnerReference } from "../training/learners.ts";
import { importDefault, loadModule } from "./load-module.ts";

/** A module of a learner cannot be loaded, or exports no factory. The message names it and gives the cause. */
class LearnerModuleError extends ArcwiseError {
  override readonly name = "LearnerModuleError";

  constructor(message: string, options?: ArcwiseErrorOptions) {
    super("invalid-module", message, options);
  }
}

/**
 * Loads a module whose default export makes learners (`LearnerFactory`).
 *
 * @param specifier a path that begins with `./`, `../` or `/`, a `file:` URL, the name of a file in `folder`,
 *   or the name of a package that is installed there
 * @param folder the folder of relative paths, from which packages are resolved
 * @throws LearnerModuleError when there is no such module, it fails, or its default export is no function
 */
export async function loadLearner(specifier: string, folder: string = process.cwd()): Promise<LearnerModule> {
  const { value, url } = await loadModule(specifier, folder, LearnerModuleError);
  return { make: checkFactory(value, specifier), url, specifier };
}

/** Makes the learner of a training in a thread, from its module; undefined for a built-in one. */
export async function remakeLearner({ url }: LearnerReference): Promise<Learner | undefined> {
  if (url === undefined) return undefined;
  return requireLearner(checkFactory(await importDefault(url, url, LearnerModuleError), url)(), url);
}

function checkFactory(value: unknown, source: string): LearnerFactory {
  if (typeof value === "function") return value as LearnerFactory;
  const found = value === undefined ? "none" : `one of type ${typeof value}`;
  throw new LearnerModuleError(
    `${source}: expected a default export that is a function which makes a learner, found ${found}`,
  );
}

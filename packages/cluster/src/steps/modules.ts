import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ArcwiseError } from "@arcwise/core/errors";
import type { ParsingWork } from "@arcwise/parser";

/** Returns the URLs of modules: of `file:` URLs themselves, and of paths. */
export function moduleUrls(modules: readonly string[]): readonly string[] {
  return modules.map((name) => (name.startsWith("file:") ? name : pathToFileURL(resolve(name)).href));
}

/**
 * Checks the modules that the data of a training names, which are code that would be run.
 *
 * @param allowed URLs; undefined: the data is this program's own, and may name any
 * @throws ArcwiseError `invalid-module`
 */
export function checkModules(
  { decoder, learner, treeFeatures }: ParsingWork,
  allowed: readonly string[] | undefined,
): void {
  const named = [decoder.url, learner?.url, treeFeatures];
  const other = named.find((url) => url !== undefined && allowed?.includes(url) === false);
  if (other === undefined) return;
  const expected = "a training with modules that this worker was given";
  throw new ArcwiseError(
    "invalid-module",
    `expected ${expected}, found ${other}: start the worker with --module ${other} if it may run that code`,
    { expected, found: other },
  );
}

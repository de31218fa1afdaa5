import { createRequire } from "node:module";
import { resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { checkTreeFeatures, TreeFeatureError, type TreeFeatures } from "../scoring/trees/tree-features.ts";

/**
 * Loads a module of features of whole trees, its default export. Threads load it again, from the same URL.
 *
 * @param specifier a path that begins with `.` or `/`, from the folder `from`; or the name of an installed
 *   package
 * @param from default: the working directory
 * @throws TreeFeatureError that names the module, when it cannot be loaded or has no features
 */
export async function loadTreeFeatures(specifier: string, from = process.cwd()): Promise<TreeFeatures> {
  let url: string;
  try {
    url = urlOf(specifier, from);
  } catch (error) {
    throw new TreeFeatureError(`${specifier}: expected a module, found none: ${(error as Error).message}`);
  }
  const { name, features } = await importTreeFeatures(url, specifier);
  return { name, features, specifier, url };
}

function urlOf(specifier: string, from: string): string {
  const isPath = /^[./]/.test(specifier) || /^[A-Za-z]:[\\/]/.test(specifier);
  const path = isPath ? resolve(from, specifier) : createRequire(`${resolve(from)}${sep}`).resolve(specifier);
  return pathToFileURL(path).href;
}

/** Imports features from a URL. @param source what messages call the module */
export async function importTreeFeatures(url: string, source = url): Promise<TreeFeatures> {
  let found: { readonly default?: unknown };
  try {
    found = (await import(url)) as typeof found;
  } catch (error) {
    const { message } = error as Error;
    throw new TreeFeatureError(`${source}: expected a module that can be loaded: ${message}`, {
      cause: error,
    });
  }
  const features = found.default;
  checkTreeFeatures(features, source);
  return { name: features.name, features: features.features, url };
}

import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isModelFile } from "@arcwise/core/node";

/** A model that a name stands for: in an installed package, or in a file of the working folder. */
export interface InstalledModel {
  /** The name that commands take: `english`, `@me/french`, `own.model`. */
  readonly name: string;
  /** The model file. */
  readonly file: string;
  /** The package that has the file. */
  readonly package?: { readonly name: string; readonly version: string | undefined } | undefined;
}

/** The scope of packages whose short names are enough. */
export const SCOPE = "@arcwise/";

/** A name of a package. Paths of files with a folder or an ending do not match. */
export const PACKAGE_NAME = /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w-]*$/i;

/** The part of the package.json of a model that says where its file is. */
interface ModelManifest {
  readonly version?: string;
  readonly arcwise?: { readonly model?: string };
}

/** Returns the files from which packages are looked for: one in the working folder, and this module. */
export function importers(): string[] {
  return [resolve("package.json"), fileURLToPath(import.meta.url)];
}

/**
 * Returns the models of all packages that can be imported from the working folder or from this module, and the files
 * `*.model` of the working folder, by their names. A package has a model if its package.json names the file, as
 * `"arcwise": { "model": "./english.model" }`. Reads the package.json of each installed package.
 *
 * @example for (const { name, file } of await installedModels()) console.log(name, file);
 */
export async function installedModels(): Promise<InstalledModel[]> {
  const found = new Map<string, InstalledModel>();
  const folders = importers().flatMap((file) => createRequire(file).resolve.paths("package") ?? []);
  for (const folder of new Set(folders)) {
    const models = await Promise.all((await packagesIn(folder)).map((name) => packagedModel(folder, name)));
    for (const model of models)
      if (model !== undefined && !found.has(model.name)) found.set(model.name, model);
  }
  for (const name of await modelFiles()) found.set(name, { name, file: name });
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The names of the packages in a folder `node_modules`. */
async function packagesIn(folder: string): Promise<string[]> {
  const names = (await namesIn(folder)).filter((name) => !name.startsWith("."));
  const inScopes = names
    .filter((name) => name.startsWith("@"))
    .map(async (scope) => (await namesIn(join(folder, scope))).map((name) => `${scope}/${name}`));
  return [...names.filter((name) => !name.startsWith("@")), ...(await Promise.all(inScopes)).flat()];
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

async function packagedModel(folder: string, name: string): Promise<InstalledModel | undefined> {
  const model = await modelOfManifest(join(folder, name, "package.json"));
  if (model === undefined) return undefined;
  const short = name.startsWith(SCOPE) ? name.slice(SCOPE.length) : name;
  return { name: short, file: model.file, package: { name, version: model.version } };
}

/** Returns the model that a package.json names; undefined if it names none, or cannot be read. */
export async function modelOfManifest(
  manifest: string,
): Promise<{ readonly file: string; readonly version: string | undefined } | undefined> {
  try {
    const { arcwise, version } = JSON.parse(await readFile(manifest, "utf8")) as ModelManifest;
    if (typeof arcwise?.model !== "string") return undefined;
    return { file: join(dirname(manifest), arcwise.model), version };
  } catch {
    return undefined;
  }
}

/** The files `*.model` of the working folder that begin as model files do. */
async function modelFiles(): Promise<string[]> {
  const names = (await namesIn(".")).filter((name) => name.endsWith(".model"));
  const isModel = await Promise.all(names.map(isModelFile));
  return names.filter((_, i) => isModel[i]);
}

import { readdir, readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ArcwiseError } from "@arcwise/core/errors";
import { BEFORE_RELEASE, isModelFile, pathSuggestion } from "@arcwise/core/node";
import { checkArgument, nearest, optional, string, suggestion } from "@arcwise/core/options";
import { PUBLISHED } from "./published-models.ts";

/**
 * Returns the model file that a name means: the file of this name, or else the model of the package `@arcwise/NAME` or
 * `NAME`, which is looked for from the working folder and from this module, or else of the only installed package of this name
 * in another scope. No code of the package runs. `-` stays as it is.
 *
 * @throws ArcwiseError `missing-model` when there is neither
 * @example await modelFile("english"); // .../node_modules/@arcwise/english/english.model
 */
export async function modelFile(name: string): Promise<string> {
  checkArgument(string, name, "modelFile");
  if (name === "-" || (await isFile(name))) return name;
  if (PACKAGE_NAME.test(name)) {
    for (const importer of importers()) {
      for (const one of name.startsWith("@") ? [name] : [SCOPE + name, name]) {
        const manifest = manifestOf(one, importer);
        const model = manifest === undefined ? undefined : await modelOfManifest(manifest);
        if (model !== undefined) return model.file;
      }
    }
    const scoped = (await installedModels()).filter((one) => one.package?.name.endsWith(`/${name}`));
    if (scoped.length === 1) return scoped[0]!.file;
  }
  throw await missingModel(name);
}

function manifestOf(name: string, importer: string): string | undefined {
  try {
    return createRequire(importer).resolve(`${name}/package.json`);
  } catch {
    // It is not installed, or does not export its package.json, as packages of models do.
    return undefined;
  }
}

/**
 * Returns whether there is something to read at a path: a folder may have the name of a package. Whoever reads the
 * file reports other failures, such as missing permissions.
 */
async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => !found.isDirectory() || !PACKAGE_NAME.test(path),
    ({ code }: NodeJS.ErrnoException) => code !== "ENOENT" && code !== "ENOTDIR" && code !== "ENAMETOOLONG",
  );
}

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
const SCOPE = "@arcwise/";

/** A name of a package. Paths of files with a folder or an ending do not match. */
const PACKAGE_NAME = /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w-]*$/i;

/** The part of the package.json of a model that says where its file is. */
interface ModelManifest {
  readonly version?: string;
  readonly arcwise?: { readonly model?: string };
}

/** Returns the files from which packages are looked for: one in the working folder, and this module. */
function importers(): string[] {
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
async function modelOfManifest(
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

/** A model that this project publishes as `@arcwise/NAME`, and for which it has a recipe. */
type PublishedModel = (typeof PUBLISHED)[number];

/** Returns the published model that a name means: `french`, `French`, `@arcwise/french` or `fr`. */
function publishedModel(name: string): PublishedModel | undefined {
  const short = (name.startsWith(SCOPE) ? name.slice(SCOPE.length) : name).toLowerCase();
  return PUBLISHED.find((model) => model.name === short || model.code === short);
}

/**
 * Returns the error for a name of a model that is neither a file nor an installed package. All names without a model
 * end here. The message suggests a near name; otherwise, it lists the installed models and says how to get the
 * named one.
 */
async function missingModel(name: string): Promise<ArcwiseError> {
  const isName = PACKAGE_NAME.test(name);
  const found = isName ? "neither a file nor an installed package of this name" : "no such file";
  const advice = (await nearName(name)) || `; ${await installedText()}; ${howToGet(name)}`;
  return new ArcwiseError("missing-model", `${name}: expected a model, found ${found}${advice}`, {
    expected: "a model",
    found,
  });
}

async function nearName(name: string): Promise<string> {
  const names = (await installedModels()).map((model) => model.name);
  const scoped = names.filter((one) => one.endsWith(`/${name}`));
  if (scoped.length > 0) return `; did you mean ${scoped.join(" or ")}?`;
  const published = publishedModel(name);
  if (published !== undefined) return names.includes(published.name) ? suggestion(published.name, names) : "";
  const known = [...names, ...PUBLISHED.map((model) => model.name)];
  const near = nearest(name, known) ?? known.find((one) => bare(one) === nearest(name, known.map(bare)));
  if (near !== undefined) return suggestion(near, [near]);
  return PACKAGE_NAME.test(name) ? "" : pathSuggestion(name);
}

/** Returns the name of a package without its scope. */
const bare = (name: string) => name.slice(name.indexOf("/") + 1);

/** Says which models are installed, in one line. */
export async function installedText(): Promise<string> {
  const names = (await installedModels()).map(({ name }) => name);
  return names.length === 0 ? "no model is installed" : `installed models: ${names.join(", ")}`;
}

/** Says how to get the model that a name asks for; without a name, any model. */
export function howToGet(name?: string): string {
  checkArgument(optional(string), name, "howToGet");
  const file = name !== undefined && /^[\w-]+$/.test(name) ? `${name}.model` : "FILE";
  const training = `arcwise train --train TREEBANK --model ${file}`;
  const all = `models with a recipe: ${PUBLISHED.map((model) => model.name).join(", ")}`;
  if (name === undefined) return `${all}; to get one: ${installation("english")}, or ${training}`;
  const published = publishedModel(name);
  if (published !== undefined) return howToGetPublished(published);
  return name.startsWith("@") && PACKAGE_NAME.test(name)
    ? `to get it: npm install ${name}, if npm has it`
    : `${all}; to train one: ${training}`;
}

function howToGetPublished({ name, language, treebank, license }: PublishedModel): string {
  const training = `npm run model -- ${name} --fetch, in a clone of arcwise`;
  return (
    `to get the model of ${language}, trained on ${treebank} (${license}): ` +
    (name.startsWith("english") ? `${installation(name)}; to train it: ${training}` : training)
  );
}

function installation(name: string): string {
  return `npm install ${SCOPE}${name} (${BEFORE_RELEASE})`;
}

import { readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { DataError } from "../command/errors.ts";

/** Where packages are looked for: in the working folder, and where the command itself is installed. */
const PLACES = [
  { name: "the working folder", file: () => resolve("package.json") },
  { name: "the folder of arcwise", file: () => fileURLToPath(import.meta.url) },
] as const;

/** A name of a package, which no path of a file with a folder or an ending looks like. */
const PACKAGE_NAME = /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w-]*$/i;

/** The part of the package.json of a model that says where its file is. */
interface ModelManifest {
  readonly arcwise?: { readonly model?: string };
}

/**
 * Returns the model file that a name means: the file of this name, or else the model of the package `NAME` or
 * `@arcwise/NAME`, which is looked for in the working folder and where the command is installed. No code of the
 * package runs: its package.json names the file, as `"arcwise": { "model": "./english.model" }`.
 *
 * @throws DataError when there is neither
 */
export async function modelFile(name: string): Promise<string> {
  if (name === "-" || !PACKAGE_NAME.test(name) || (await isFile(name))) return name;
  const packages = name.startsWith("@") ? [name] : [`@arcwise/${name}`, name];
  for (const { file } of PLACES) {
    for (const one of packages) {
      const found = await modelOf(one, file());
      if (found !== undefined) return found;
    }
  }
  const tried = packages.join(" and ");
  const places = PLACES.map((place) => place.name).join(" and in ");
  throw new DataError(
    `${name}: expected a model, found neither a file nor a package of this name (${tried} in ${places}); ` +
      `to get one: npm install ${packages[0]}, or arcwise train --train TREEBANK --model FILE`,
  );
}

/** Returns the model file of a package that modules beside a file can import; undefined if there is none. */
async function modelOf(name: string, from: string): Promise<string | undefined> {
  const manifest = manifestOf(name, from);
  if (manifest === undefined) return undefined;
  const { arcwise } = JSON.parse(await readFile(manifest, "utf8")) as ModelManifest;
  return typeof arcwise?.model === "string" ? join(dirname(manifest), arcwise.model) : undefined;
}

function manifestOf(name: string, from: string): string | undefined {
  try {
    return createRequire(from).resolve(`${name}/package.json`);
  } catch {
    // It is not installed, or does not export its package.json, as packages of models do.
    return undefined;
  }
}

/** Returns whether there is something to read at a path: a folder may have the name of a package. */
async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => !found.isDirectory(),
    () => false,
  );
}

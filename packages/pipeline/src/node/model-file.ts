import { stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { checkArgument, string } from "@arcwise/core/options";
import { importers, installedModels, modelOfManifest, PACKAGE_NAME, SCOPE } from "./installed-models.ts";
import { missingModel } from "./missing-model.ts";

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

import { readFile } from "node:fs/promises";
import { hasCode } from "@arcwise/core/errors";
import { readTemplates, type TrainOptions } from "@arcwise/parser";
import { loadTreeFeatures } from "@arcwise/parser/node";
import { DataError, inFile } from "./errors.ts";

/** Features of one's own, as options of training. */
export type FeatureOptions = Pick<TrainOptions, "templates" | "global">;

/**
 * Loads what --templates and --global name.
 *
 * @throws DataError, TreeFeatureError or a file error that names the file
 */
export async function loadFeatures(named: {
  readonly templates?: string;
  readonly global?: boolean | string;
}): Promise<FeatureOptions> {
  const { templates, global } = named;
  return {
    templates: templates === undefined ? undefined : await readTemplateFile(templates),
    global: typeof global === "string" ? await loadTreeFeatures(global) : global,
  };
}

async function readTemplateFile(path: string): Promise<TrainOptions["templates"]> {
  try {
    return readTemplates(await readFile(path, "utf8"));
  } catch (error) {
    if (hasCode(error, "invalid-templates")) {
      throw new DataError(`${path}: ${error.message}`, { cause: error });
    }
    throw inFile(error, path);
  }
}

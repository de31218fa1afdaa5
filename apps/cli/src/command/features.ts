import { createReadStream } from "node:fs";
import { hasCode } from "@arcwise/core/errors";
import { type FeatureTemplates, readTemplates, type TrainOptions } from "@arcwise/parser";
import { loadTreeFeatures } from "@arcwise/parser/node";
import { DataError, inFile } from "../errors.ts";

/** Features of one's own, as options of training. */
export type FeatureOptions = Pick<TrainOptions, "templates" | "global">;

/** Loads what the settings `templates` and `global` name. */
export async function loadFeatures(named: {
  readonly templates?: FeatureTemplates | string | undefined;
  readonly global?: boolean | string | undefined;
}): Promise<FeatureOptions> {
  const { templates, global } = named;
  return {
    templates: typeof templates === "string" ? await readTemplateFile(templates) : templates,
    global: typeof global === "string" ? await loadTreeFeatures(global) : global,
  };
}

/** The largest document of templates, in bytes; the built-in templates have about 20,000. */
const MAX_TEMPLATE_BYTES = 2 ** 22;

async function readText(path: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_TEMPLATE_BYTES)
      throw new DataError(`${path}: expected at most ${MAX_TEMPLATE_BYTES} bytes of templates, found more`);
  }
  return Buffer.concat(chunks).toString();
}

async function readTemplateFile(path: string): Promise<TrainOptions["templates"]> {
  try {
    return readTemplates(await readText(path));
  } catch (error) {
    if (hasCode(error, "invalid-templates")) {
      throw new DataError(`${path}: ${error.message}`, { cause: error });
    }
    throw inFile(error, path);
  }
}

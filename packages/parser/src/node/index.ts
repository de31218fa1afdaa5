import { readFileAs, writeWhole } from "@arcwise/core/node";
import { loadParser } from "../model/load-parser.ts";
import { saveParser } from "../model/parser-file.ts";
import type { ParserModel } from "../types.ts";

export { restrictModules } from "../modules/import-default.ts";
export { loadDecoder, loadFactory, loadLearner, loadTreeFeatures } from "./loaders.ts";

/** Reads a model file. @throws ModelError that names the file when it is not a valid model */
export function readParserFile(path: string): Promise<ParserModel> {
  return readFileAs(path, loadParser);
}

/** Writes a model file completely or not at all, as `writeWhole`. */
export async function writeParserFile(path: string, model: ParserModel): Promise<void> {
  await writeWhole(path, saveParser(model));
}

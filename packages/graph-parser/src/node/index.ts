import { readFileAs, writeWhole } from "@arcwise/core/node";
import { loadFactory } from "@arcwise/parser/node";
import type { GraphDecoderFactory, GraphDecoderModule } from "../graph-decoders.ts";
import { type GraphModel, loadGraphParser, saveGraphParser } from "../graph-model.ts";

/** Loads the module of a decoder of graphs (`GraphDecoderFactory`), as `loadDecoder` of `@arcwise/parser/node` loads a decoder of trees. */
export function loadGraphDecoder(
  specifier: string,
  folder: string = process.cwd(),
): Promise<GraphDecoderModule> {
  return loadFactory<GraphDecoderFactory>("decoder", specifier, folder);
}

/** Reads a file of a graph model. @throws ModelError that names the file when it is not a valid model */
export function readGraphParserFile(path: string): Promise<GraphModel> {
  return readFileAs(path, loadGraphParser);
}

/** Writes a file of a graph model completely or not at all, as `writeWhole`. */
export async function writeGraphParserFile(path: string, model: GraphModel): Promise<void> {
  await writeWhole(path, saveGraphParser(model));
}

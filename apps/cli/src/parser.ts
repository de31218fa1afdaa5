import { UnsupportedPart } from "@arcwise/core";
import { createParser, type Parser } from "@arcwise/parser";
import { readModel } from "@arcwise/parser/node";
import { type AnalysisSettings, analyses } from "./batch.ts";
import { UsageError } from "./errors.ts";

/** What parses, and what is written of each sentence. */
export interface ParserSettings extends AnalysisSettings {
  readonly model: string;
  /** The name of a decoder; undefined: that of the model. */
  readonly decoder?: string | undefined;
}

/**
 * Loads the parser of a model and makes sure that its decoder gives what is asked for.
 *
 * @throws UsageError when it does not
 * @throws ModelError or a file error when the model cannot be read
 */
export async function loadParser({ model: path, decoder, ...settings }: ParserSettings): Promise<Parser> {
  const model = await readModel(path);
  try {
    const parser = createParser(model, decoder === undefined ? {} : { decoder });
    // One word is enough to find out.
    analyses(parser, [{ form: "_" }], settings);
    return parser;
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof UnsupportedPart)) throw error;
    throw new UsageError(`${path}: ${error.message}`, { cause: error });
  }
}

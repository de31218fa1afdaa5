import { createParser, type Parser } from "@arcwise/parser";
import { loadTreeFeatures, readModel } from "@arcwise/parser/node";
import type { Tagger } from "@arcwise/sequence";
import { type AnalysisSettings, analyses } from "./batch.ts";
import { UsageError } from "./errors.ts";
import { loadTaggerFile } from "./tagger.ts";

/** Errors that say why a model cannot be parsed with as it was asked for. */
const REFUSALS: readonly string[] = [
  "RangeError",
  "UnsupportedPart",
  "UnsupportedCapability",
  "InvalidDecoder",
  "TreeFeatureError",
];

/** What parses, and what is written of each sentence. */
export interface ParserSettings extends AnalysisSettings {
  readonly model: string;
  /** The name of a decoder; undefined: that of the model. */
  readonly decoder?: string | undefined;
  /** Climbs a sentence of a decoder that searches. */
  readonly restarts?: number | undefined;
  /** Whether the decoder ad3 proves each tree to be the best. */
  readonly exact?: boolean | undefined;
  /** The module of features of whole trees that the model was trained with. */
  readonly global?: string | undefined;
  /** A tagger file: words are tagged before they are parsed. */
  readonly tagger?: string | undefined;
}

/** What analyses sentences: a parser, and a tagger before it if there is one. */
export interface Analyser {
  readonly parser: Parser;
  readonly tagger: Tagger | undefined;
}

/** Loads the parser, and the tagger if one is asked for. Throws as `loadParser`. */
export async function loadAnalyser(settings: ParserSettings): Promise<Analyser> {
  const parser = await loadParser(settings);
  return {
    parser,
    tagger: settings.tagger === undefined ? undefined : await loadTaggerFile(settings.tagger),
  };
}

/**
 * Loads the parser of a model and makes sure that its decoder gives what is asked for.
 *
 * @throws UsageError when it does not
 * @throws ModelError or a file error when the model cannot be read
 */
async function loadParser(given: ParserSettings): Promise<Parser> {
  const { model: path, decoder, restarts, exact, global, ...settings } = given;
  const model = await readModel(path);
  const features = global === undefined ? undefined : await loadTreeFeatures(global);
  try {
    const parser = createParser(model, {
      ...(decoder && { decoder }),
      ...(restarts && { restarts }),
      ...(exact && { exact }),
      global: features,
    });
    // One word is enough to find out.
    analyses(parser, [{ form: "_" }], settings);
    return parser;
  } catch (error) {
    if (!(error instanceof Error && REFUSALS.includes(error.name))) throw error;
    throw new UsageError(`${path}: ${error.message}`, { cause: error });
  }
}

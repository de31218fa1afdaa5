import type { ConlluSentence } from "@arcwise/conllu";
import type { Sentence } from "@arcwise/core";
import {
  createParser,
  type InputProfile,
  inputProfile,
  loadGraphParser,
  loadParser,
  MissingDecoder,
  type Parser,
  type ParserModel,
  type Reading,
} from "@arcwise/parser";
import { loadTreeFeatures } from "@arcwise/parser/node";
import type { Tagger } from "@arcwise/sequence";
import { type AnalysisSettings, analyses } from "./analyses.ts";
import { decoderChoice } from "./decoder.ts";
import { UsageError } from "./errors.ts";
import { hasPart, namingFile, readPart } from "./pipeline-part.ts";

/** Names of errors about a model that does not fit the options. */
const REFUSALS: readonly string[] = [
  "RangeError",
  "UnsupportedPart",
  "UnsupportedCapability",
  "InvalidDecoder",
  "TreeFeatureError",
];

/** The parser of a command, and the output for each sentence. */
export interface ParserSettings extends AnalysisSettings {
  readonly model: string;
  /** The name of a decoder, or its module; undefined: that of the model. */
  readonly decoder?: string | undefined;
  /** Maximum number of climbs a sentence of a decoder that searches. */
  readonly restarts?: number | undefined;
  /** Whether the decoder ad3 proves each tree optimal. */
  readonly exact?: boolean | undefined;
  /** The module of features of whole trees that the model was trained with. */
  readonly global?: string | undefined;
  /** Maximum number of seconds a sentence for that proof. */
  readonly seconds?: number | undefined;
  /** A tagger file: words are tagged before they are parsed. */
  readonly tagger?: string | undefined;
}

/** A parser, and a tagger before it if there is one. */
export interface Analyser {
  readonly parser: Parser;
  readonly tagger: Tagger | undefined;
  /** Returns the words that the tagger tagged with the tags that the network of the parser decides on. */
  readonly refine: ((reading: Reading, tagged: Sentence) => Sentence) | undefined;
  /** Fills in DEPS of a sentence with a tree, if the model does. */
  readonly graphs: ((sentence: ConlluSentence) => ConlluSentence) | undefined;
  /** The input that the model was trained for. */
  readonly profile: InputProfile;
}

/**
 * Loads the parser, and the tagger if one is given.
 *
 * @throws ModelError or a file error when the model or the tagger cannot be read
 * @throws UsageError as `parserOf`
 */
export async function loadAnalyser(settings: ParserSettings): Promise<Analyser> {
  const { model: path, tagger: taggerPath } = settings;
  const bytes = await readPart(path, "parser");
  const model = namingFile(path, () => loadParser(bytes));
  const parser = await parserOf(model, settings);
  const tagger = taggerPath === undefined ? undefined : await loadTagger(taggerPath);
  const refine = tagger !== undefined && taggerPath === path ? await refining(parser, tagger) : undefined;
  const graphs = taggerPath === path ? await graphsOf(path) : undefined;
  return { parser, profile: inputProfile(model), tagger, refine, graphs };
}

/** The graphs of a pipeline, if it has a part that finds them. @throws ModelError when that is damaged */
async function graphsOf(path: string): Promise<Analyser["graphs"]> {
  if (!(await hasPart(path, "graphs"))) return undefined;
  const { graphStep, withGraph } = await import("@arcwise/pipeline");
  const bytes = await readPart(path, "graphs");
  const step = namingFile(path, () => graphStep(loadGraphParser(bytes)));
  return (sentence) => withGraph(sentence, step);
}

/** The network of a parser, if it has one, has learned to decide on the tags of the tagger beside it. */
async function refining(parser: Parser, tagger: Tagger): Promise<Analyser["refine"]> {
  if (Object.keys(parser.read([[{ form: "_" }]])[0]!.columns()).length === 0) return undefined;
  const { retag } = await import("@arcwise/pipeline");
  return (reading, tagged) => retag((given) => reading.columns(given), tagger, tagged);
}

/** Loads a tagger, and the code of taggers, which a parser without one does not need. */
async function loadTagger(path: string): Promise<Tagger> {
  const { loadTaggerFile } = await import("./tagger.ts");
  return loadTaggerFile(path);
}

/**
 * Makes the parser of a model, and checks that its decoder has the required capabilities.
 *
 * @throws UsageError when it does not
 */
async function parserOf(model: ParserModel, given: ParserSettings): Promise<Parser> {
  const { model: path, decoder, restarts, exact, seconds, global, ...settings } = given;
  const features = global === undefined ? undefined : await loadTreeFeatures(global);
  const choice = decoder === undefined ? undefined : await decoderChoice(decoder, "parsing");
  try {
    const parser = createParser(model, {
      decoder: choice,
      ...(restarts && { restarts }),
      ...(exact && { exact }),
      global: features,
      ...(seconds !== undefined && { seconds }),
    });
    // One word is enough to check.
    analyses(parser.read([[{ form: "_" }]])[0]!, settings);
    return parser;
  } catch (error) {
    if (error instanceof MissingDecoder) {
      const origin = error.module === undefined ? "" : ` (${error.module})`;
      const message =
        `the model ${path} was trained with the decoder ` + `"${error.decoder}"${origin}: give --decoder`;
      throw new UsageError(message, { cause: error });
    }
    if (!(error instanceof Error && REFUSALS.includes(error.name))) throw error;
    throw new UsageError(`${path}: ${error.message}`, { cause: error });
  }
}

import { type Decoder, requireDecoder } from "@arcwise/core";
import { anything, checkOptions, defineOptions } from "@arcwise/core/options";
import { readModelFile, trained } from "../model/model.ts";
import { parserOf, READING_OPTIONS, type ReadingSettings } from "../reading/model-parser.ts";
import type { Parser, ParserModel } from "../types.ts";

/** Options of `createParser`. */
export interface ParserOptions extends ReadingSettings {
  /** The decoder to parse with. It scores all parts of the model. */
  readonly decoder: Decoder;
}

const OPTIONS = defineOptions<ParserOptions>()({
  decoder: { check: anything, help: "the decoder to parse with" },
  ...READING_OPTIONS,
});

/**
 * Makes a parser of a model and a decoder: the `createParser` of `@arcwise/parser`, without its built-in
 * decoders. It owns scratch memory that grows with the longest sentence; one parser serves one caller at a
 * time.
 *
 * @throws ArcwiseError `invalid-argument` when the model was not made by this package
 * @throws ArcwiseError `unknown-option`, `invalid-option`
 * @throws InvalidDecoder when the decoder lacks a member
 * @throws TreeFeatureError when the model has features of a module, and `global` is not that module
 * @throws UnsupportedPart when the decoder cannot score the parts of the model
 */
export function createParser(model: ParserModel, options: ParserOptions): Parser {
  const { decoder, ...settings } = checkOptions(OPTIONS, options, "createParser");
  return parserOf(trained(model), requireDecoder(decoder, "the option decoder"), settings);
}

/**
 * Reads the bytes of a model file. Whether a decoder scores the parts of the model is checked by
 * `createParser`.
 *
 * @throws ModelError when the bytes are no model, are damaged, cut short, or of a newer version
 */
export function loadParser(bytes: Uint8Array): ParserModel {
  return readModelFile(bytes, () => {});
}

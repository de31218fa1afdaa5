import { type Decoder, requireDecoder } from "@arcwise/core";
import { readModel } from "@arcwise/core/container";
import { accepting, anything, checkOptions, defineOptions, type OptionsOf } from "@arcwise/core/options";
import { trained } from "../model/model.ts";
import { PARSER_FILE } from "../model/parser-file.ts";
import { parserOf, READING_OPTIONS } from "../reading/model-parser.ts";
import type { Parser, ParserModel } from "../types.ts";

const OPTIONS = defineOptions({
  /** It scores all parts of the model. */
  decoder: { check: accepting<Decoder>(anything), help: "the decoder to parse with", required: true },
  ...READING_OPTIONS,
});

/** Options of `createParser`. */
export interface ParserOptions extends OptionsOf<typeof OPTIONS> {}

/**
 * Makes a parser of a model and a decoder: the `createParser` of `@arcwise/parser`, without its built-in
 * decoders. It owns scratch memory that grows with the longest sentence; one parser serves one caller at a
 * time.
 *
 * @throws ArcwiseError `invalid-argument` when the model was not made by this package
 * @throws ArcwiseError `unknown-option`, `invalid-option`
 * @throws ArcwiseError `invalid-decoder` when the decoder lacks a member
 * @throws ArcwiseError `invalid-tree-features` when the model has features of a module, and `global` is not that module
 * @throws UnsupportedPart when the decoder cannot score the parts of the model
 *
 * @example
 * import { plainMstDecoder } from "@arcwise/decode-mst";
 * import { createParser, loadParser } from "@arcwise/parser/parse";
 *
 * export async function fetchParser(url: string) {
 *   const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
 *   return createParser(loadParser(bytes), { decoder: plainMstDecoder() });
 * }
 */
export function createParser(model: ParserModel, options: ParserOptions): Parser {
  const { decoder, ...settings } = checkOptions(OPTIONS, options, "createParser");
  return parserOf(trained(model), requireDecoder(decoder, "the option decoder"), settings);
}

/**
 * Reads the bytes of a model file. Whether a decoder scores the parts of the model is checked by
 * `createParser`.
 *
 * @throws ModelError when the bytes are not a model, are damaged, cut short, or of a newer version
 */
export function loadParser(bytes: Uint8Array): ParserModel {
  return readModel(PARSER_FILE, bytes);
}

import { accepting, anything, checkOptions, defineOptions, type OptionsOf } from "@arcwise/core/options";
import { SEARCH_OPTIONS } from "./decoding/decoder-table.ts";
import { type DecoderChoice, decoderOf, storedDecoderName } from "./decoding/decoders.ts";
import { trained } from "./model/model.ts";
import { parserOf, READING_OPTIONS } from "./reading/model-parser.ts";
import type { Parser, ParserModel } from "./types.ts";

const OPTIONS = defineOptions({
  decoder: {
    check: accepting<DecoderChoice>(anything),
    help: "the decoder to parse with: the name of a built-in one, a decoder, a factory or a module",
    defaultHelp: "the decoder that the model was trained with, if it is built in",
  },
  ...READING_OPTIONS,
  ...SEARCH_OPTIONS,
});

/** Options of `createParser`. `@arcwise/parser/decoding` lists the built-in decoders. */
export interface ParserOptions extends OptionsOf<typeof OPTIONS> {}

/**
 * Makes a parser of a model. It owns scratch memory that grows with the longest sentence; one parser serves
 * one caller at a time.
 *
 * @throws ArcwiseError `invalid-argument` when the model was not made by this package
 * @throws ArcwiseError `unknown-option`, `invalid-option`
 * @throws ArcwiseError `invalid-option` when no decoder has the name, or an option is for another decoder
 * @throws ArcwiseError `missing-decoder` when the model was trained with a decoder that is not built in, and none is given
 * @throws ArcwiseError `invalid-tree-features` when the model has features of a module, and `global` is not that module
 * @throws UnsupportedPart when the decoder cannot score the parts of the model
 */
export function createParser(model: ParserModel, options?: ParserOptions): Parser {
  const known = trained(model);
  const given = checkOptions(OPTIONS, options, "createParser");
  const { order, multipleRoots, decoder: name, decoderModule, decoderGiven } = known.configuration;
  const stored = { name, module: decoderModule, given: decoderGiven };
  const { decoder: choice = storedDecoderName("trees", stored), global, valid, ...search } = given;
  const decoder = decoderOf(choice, { purpose: "parsing", order, multipleRoots, ...search });
  return parserOf(known, decoder, { global, valid });
}

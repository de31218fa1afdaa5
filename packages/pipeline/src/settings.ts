import { defineOptions, number, type OptionsOf, omitOptions, satisfying } from "@arcwise/core/options";
import { PARSER_SETTINGS, PRESET, SEED } from "@arcwise/parser";
import { TAGGER_SETTINGS } from "@arcwise/sequence";
import { TOKENIZER_SETTINGS } from "@arcwise/tokenize";

/** The settings of the parser of a pipeline. */
export const PARSER_STEP_SETTINGS = omitOptions(PARSER_SETTINGS, "seed");

/** The settings of the parser of a pipeline, whose seed is the seed of the pipeline. */
export interface ParserStepSettings extends OptionsOf<typeof PARSER_STEP_SETTINGS> {}

/** The settings of a pipeline. Flags, the reference page and files of settings follow from it. */
export const PIPELINE_SETTINGS = defineOptions({
  preset: PRESET,
  seed: SEED,
  jackknife: {
    check: satisfying<number>(
      "0, or an integer of at least 2",
      (value) => value === 0 || (Number.isSafeInteger(value) && (value as number) >= 2),
    ),
    help: "parts of the treebank that taggers of the others tag, for the parser to learn from, at most as many as sentences; 0: none",
    default: 5,
  },
  variation: {
    check: number(0, 1),
    help: "share of the paragraphs that are learned in other ways of writing as well: capitals, lower case, headlines, no full stop",
    flags: false,
    default: 0,
  },
  tokenizer: {
    options: TOKENIZER_SETTINGS,
    off: true,
    flags: false,
    help: "how the tokeniser is trained; false: none",
  },
  tagger: { options: TAGGER_SETTINGS, flags: false, help: "how taggers are trained" },
  /**
   * Its network, if it has one, also learns to predict the columns of the tagger, from words and the choices of the tagger,
   * and decides on them when texts are read.
   */
  parser: { options: PARSER_STEP_SETTINGS, help: "how the parser is trained" },
});

/** The settings of the steps of a pipeline, which determine its training in addition to the sentences. */
export interface PipelineSettings extends OptionsOf<typeof PIPELINE_SETTINGS> {}

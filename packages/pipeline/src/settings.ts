import { defineOptions, number, omitOptions, satisfying } from "@arcwise/core/options";
import { PARSER_SETTINGS, type ParserSettings, PRESET, type Preset, SEED } from "@arcwise/parser";
import { TAGGER_SETTINGS, type TaggerSettings } from "@arcwise/sequence";
import { TOKENIZER_SETTINGS, type TokenizerSettings } from "@arcwise/tokenize";

/** The settings of the parser of a pipeline, whose seed is the seed of the pipeline. */
export type ParserStepSettings = Omit<ParserSettings, "seed">;

/** What determines a trained pipeline besides its sentences: the settings of its steps. */
export interface PipelineSettings {
  /** Values of the settings of the parser that are not given. Default: "balanced". */
  readonly preset?: Preset | undefined;
  /** Seed of all steps. Default: 1. */
  readonly seed?: number | undefined;
  /**
   * Parts of the treebank, each of which is tagged by a tagger of the others, for the parser to learn from
   * tags with the mistakes of a tagger. 0: it learns from the tags of the treebank. Default: 5.
   */
  readonly jackknife?: number | undefined;
  /**
   * Share of the paragraphs, 0 to 1, that are learned in each other way of writing as well: in capitals, in lower
   * case, as headlines, without full stops at the end. Default: 0.
   */
  readonly variation?: number | undefined;
  /** The tokeniser; false leaves it out. */
  readonly tokenizer?: TokenizerSettings | false | undefined;
  readonly tagger?: TaggerSettings | undefined;
  /**
   * The parser. Its network, if it has one, also learns to predict the columns of the tagger, from words and
   * the choices of the tagger, and decides on them when texts are read.
   */
  readonly parser?: ParserStepSettings | undefined;
}

/** The settings of the parser of a pipeline. */
export const PARSER_STEP_SETTINGS = omitOptions(PARSER_SETTINGS, "seed");

/** The settings of a pipeline. Flags, the reference page and files of settings follow from it. */
export const PIPELINE_SETTINGS = defineOptions<PipelineSettings>()({
  preset: PRESET,
  seed: SEED,
  jackknife: {
    check: satisfying<number>(
      "0, or an integer of at least 2",
      (value) => value === 0 || (Number.isSafeInteger(value) && (value as number) >= 2),
    ),
    help: "parts of the treebank that taggers of the others tag, for the parser to learn from; 0: none",
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
  parser: { options: PARSER_STEP_SETTINGS, help: "how the parser is trained" },
});

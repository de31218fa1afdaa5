import {
  anyOf,
  defineOptions,
  field,
  fileOptions,
  flag,
  integer,
  joinOptions,
  list,
  type OptionsOf,
  type OptionTable,
  oneOf,
} from "@arcwise/core/options";
import { GRAPH_SETTINGS, type GraphSettings } from "@arcwise/graph-parser";
import { type FeatureTemplates, PARSER_PRESETS, PRESET, SEED } from "@arcwise/parser";
import { type ParserStepSettings, PIPELINE_SETTINGS, type PipelineSettings, WEIGHT } from "@arcwise/pipeline";
import { TAGGER_SETTINGS } from "@arcwise/sequence";

/** The settings of a parser in a file: modules and templates by their names. */
export interface ParserDocument
  extends Omit<ParserStepSettings, "decoder" | "global" | "templates" | "learner"> {
  readonly decoder?: string | undefined;
  readonly global?: boolean | string | undefined;
  readonly templates?: FeatureTemplates | string | undefined;
  readonly learner?: string | undefined;
}

/** A file of settings of `arcwise train`. */
export interface TrainDocument extends Omit<PipelineSettings, "parser">, OptionsOf<typeof FILES> {
  readonly parser?: ParserDocument | undefined;
}

/** A file of settings of `arcwise train --for graphs`. */
export interface GraphDocument
  extends Omit<GraphSettings, "graphs" | "decoder" | "learner">,
    OptionsOf<typeof GRAPH_FILES> {
  readonly decoder?: string | undefined;
  readonly learner?: string | undefined;
}

const VECTORS = defineOptions({
  file: {
    check: field,
    help: "word vectors for the network, in the text format of word2vec; the model keeps them",
    flag: "--vectors <file>",
  },
  limit: {
    check: integer(0),
    help: "maximum number of vectors besides the vectors of the words of the treebank, the first of the file",
    default: 100_000,
  },
  minPrefix: {
    check: integer(1, 1000),
    help:
      "a word without a vector has the vector of its longest prefix of at least this number of characters, as in a " +
      "lexicon of stems",
    defaultHelp: "none",
  },
});

/** The word vectors of a training. */
export interface VectorSettings extends OptionsOf<typeof VECTORS> {}

const WORD_VECTORS = {
  options: VECTORS,
  off: true,
  default: false,
  help: "word vectors; false: none",
} as const;

/** The settings of a training that are names of files, or about its treebanks. */
const FILES = defineOptions({
  weights: {
    check: list(WEIGHT),
    help: "how often the sentences of each treebank of --train, then --silver, are learned per epoch: 0.5 learns a half",
    defaultHelp: "1 each",
  },
  partial: {
    check: flag,
    help: "whether words of --train with _ in HEAD, DEPREL or UPOS are not annotated: nothing is learned of what they lack",
    default: false,
  },
  graphs: {
    check: field,
    help: "a model of train --for graphs, of enhanced dependencies, to keep in the file: parsing fills in DEPS",
    defaultHelp: "none",
  },
  vectors: WORD_VECTORS,
});

/** The value of the setting `trees` for the trees of the files themselves. */
export const OWN_TREES = "columns";

/** The preset of a training of graphs, and the settings that are names of files. */
const GRAPH_FILES = defineOptions({
  preset: PRESET,
  trees: {
    check: anyOf(oneOf(OWN_TREES), list(field)),
    help:
      "CoNLL-U files with basic trees to learn from as well, of the sentences of each file of --train, then --dev; " +
      `"${OWN_TREES}": HEAD and DEPREL of these files themselves`,
    defaultHelp: "none",
  },
  words: {
    check: list(field),
    help: "CoNLL-U files with UPOS, XPOS and FEATS of the sentences of each file of --train, then --dev",
    defaultHelp: "those of these files",
  },
  vectors: WORD_VECTORS,
});

/** The settings of `arcwise train` for trees. */
export const TRAIN_TABLE: OptionTable<object> = fileOptions(joinOptions(PIPELINE_SETTINGS, FILES));

/** The settings that determine the feature templates of a model. */
export const MODEL_TABLE: OptionTable<object> = TRAIN_TABLE.flatMap((group) =>
  group.name === "parser"
    ? [{ ...group, options: group.options!.filter(({ group }) => group === "model") }]
    : [],
);

/** The settings of `arcwise train --for graphs`. */
export const GRAPH_TABLE: OptionTable<object> = fileOptions(joinOptions(GRAPH_FILES, GRAPH_SETTINGS));

/** The settings of `arcwise tag train`. */
export const TAGGER_TABLE = joinOptions(TAGGER_SETTINGS, defineOptions({ seed: SEED }));

/** The settings of each preset as `arcwise train` has them. */
export const TRAIN_PRESETS: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(PARSER_PRESETS).map(([name, parser]) => [name, { parser }]),
);

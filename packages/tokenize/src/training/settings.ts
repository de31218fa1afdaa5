import { defineOptions, integer, type OptionsOf, oneOf } from "@arcwise/core/options";

/** The settings of a tokeniser. Files of settings and the reference page follow from it. */
export const TOKENIZER_SETTINGS = defineOptions({
  epochs: {
    check: integer(1),
    help: "epochs of both networks",
    defaultHelp: "by the length of the text: 5 to 20 of characters, 10 to 50 of tokens",
  },
  embeddingUnits: {
    check: oneOf(16, 32),
    help: "length of the embeddings of both networks, which are most of the size of a tokeniser",
    default: 32,
  },
});

/** Settings that determine a trained tokeniser, in addition to its sentences and its seed. */
export interface TokenizerSettings extends OptionsOf<typeof TOKENIZER_SETTINGS> {}

import { defineOptions, integer } from "@arcwise/core/options";

/** Settings that determine a trained tokeniser, in addition to its sentences and its seed. */
export interface TokenizerSettings {
  /** Epochs of both networks. Default: by the length of the text. */
  readonly epochs?: number | undefined;
}

/** The settings of a tokeniser. Files of settings and the reference page follow from it. */
export const TOKENIZER_SETTINGS = defineOptions<TokenizerSettings>()({
  epochs: {
    check: integer(1),
    help: "epochs of both networks",
    defaultHelp: "by the length of the text: 5 to 20 of characters, 10 to 50 of tokens",
  },
});

import { defineOptions, integer, list, oneOf } from "@arcwise/core/options";
import { TAGGER_COLUMNS, type TaggerColumn } from "./tagger.ts";

/** Settings that determine a trained tagger, in addition to its sentences and its seed. */
export interface TaggerSettings {
  /** Columns to learn. Default: the columns among upos, xpos, feats and lemma that the training set has. */
  readonly columns?: readonly TaggerColumn[] | undefined;
  /** Default: 8. */
  readonly epochs?: number | undefined;
}

/** The settings of a tagger. Flags, the reference page and files of settings follow from it. */
export const TAGGER_SETTINGS = defineOptions<TaggerSettings>()({
  columns: {
    check: list(oneOf(...TAGGER_COLUMNS), { min: 1, distinct: true }),
    help: `columns to learn: ${TAGGER_COLUMNS.join(", ")}`,
    defaultHelp: "the columns that the treebank has",
    flag: "--columns <names>",
  },
  epochs: { check: integer(1), help: "epochs of each column", default: 8, flag: "--epochs <n>" },
});

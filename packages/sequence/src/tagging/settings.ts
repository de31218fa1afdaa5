import { defineOptions, integer, list, oneOf } from "@arcwise/core/options";
import { TAGGER_COLUMNS } from "./tagger.ts";

/** The settings of a tagger. Flags, the reference page and files of settings follow from it. */
export const TAGGER_SETTINGS = defineOptions({
  columns: {
    check: list(oneOf(...TAGGER_COLUMNS), { min: 1, distinct: true }),
    help: "columns to learn: upos, xpos, feats, lemma",
    defaultHelp: "the columns that the treebank has",
    flag: "--columns <names>",
  },
  epochs: { check: integer(1), help: "epochs of each column", default: 8, flag: "--epochs <n>" },
});

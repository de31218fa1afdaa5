import { type EncoderData, normalForm } from "@arcwise/core/features";
import type { ParserModel } from "../types.ts";
import { type ColumnShares, INPUT_COLUMNS } from "./column-shares.ts";
import { trained } from "./model.ts";

/** The properties of the input that a model was trained for. */
export interface InputProfile {
  /** Shares of the training words that have each column; for models that do not store them, 1 or 0. */
  readonly columns: ColumnShares;
  /** Number of forms that were frequent in training. */
  readonly forms: number;
  /** Whether the form was frequent in training, ignoring letter case. */
  knowsForm(form: string): boolean;
  /** Whether the form has letters, and none of a script that frequent forms have. */
  isOtherScript(form: string): boolean;
  /** Whether the universal tag was in the training data. */
  knowsTag(upos: string): boolean;
}

/**
 * Returns the properties of the input that a model was trained for. @throws ArcwiseError `invalid-argument` when the model was not
 * made by this package
 */
export function inputProfile(model: ParserModel): InputProfile {
  const { encoder, description } = trained(model);
  return profileOf(encoder, description.columns);
}

/** Maximum number of forms that are remembered. */
const REMEMBERED = 2 ** 14;

/**
 * Returns the input that a model with an encoder expects.
 *
 * @param columns shares of the training words, if the model has them
 */
export function profileOf(encoder: EncoderData, columns: unknown): InputProfile {
  const words = new Set(encoder.words);
  const known = new Map<string, boolean>();
  const isKnown = (form: string): boolean => {
    const found = known.get(form);
    if (found !== undefined) return found;
    if (known.size >= REMEMBERED) known.clear();
    const isFrequent = words.has(normalForm(form).toLowerCase());
    known.set(form, isFrequent);
    return isFrequent;
  };
  const tags = new Set(encoder.tags);
  const blocks = new Set(encoder.words.flatMap(letterBlocks));
  return {
    columns: isShares(columns)
      ? columns
      : {
          upos: encoder.tags.some((tag) => tag !== "") ? 1 : 0,
          xpos: 0,
          feats: (encoder.fine ?? []).length > 0 ? 1 : 0,
          lemma: encoder.lemmas.some((lemma) => !words.has(lemma)) ? 1 : 0,
        },
    forms: words.size,
    knowsForm: isKnown,
    isOtherScript: (form) => {
      if (isKnown(form)) return false;
      const found = letterBlocks(form);
      return blocks.size > 0 && found.length > 0 && !found.some((block) => blocks.has(block));
    },
    knowsTag: (upos) => tags.has(upos),
  };
}

const LETTER = /\p{L}/gu;

/** Returns the block of 256 code points of each letter: scripts do not share one. */
function letterBlocks(form: string): number[] {
  return Array.from(form.matchAll(LETTER), ([letter]) => letter.codePointAt(0)! >> 8);
}

function isShares(value: unknown): value is ColumnShares {
  if (typeof value !== "object" || value === null) return false;
  return INPUT_COLUMNS.every((column) => typeof (value as Record<string, unknown>)[column] === "number");
}

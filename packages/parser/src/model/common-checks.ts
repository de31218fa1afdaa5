import {
  type Check,
  field,
  integer,
  list,
  optional,
  readable,
  record,
  string,
} from "@arcwise/core/container";
import { checkArcTemplate, type EncoderData } from "@arcwise/core/features";
import { TAGS } from "../scoring/arcs/label-filter.ts";

/** Templates of one list: their indices fit into a byte. */
const MAX_TEMPLATES = 255;
const MAX_LABELS = 2 ** 16;
export const MAX_INTEGER = 2 ** 31 - 1;

/** Labels by pair of tags, as a file stores them. */
export interface StoredLabelFilter {
  readonly start: readonly number[];
  readonly list: readonly number[];
}

/** Checks a list of templates, each of which `read` accepts. */
export function templates(read: (text: string) => unknown): Check {
  return list(readable(read), { max: MAX_TEMPLATES, distinct: true });
}

/** Checks a list of templates of arcs. */
export const ARC_TEMPLATES = templates(checkArcTemplate);

/** Checks a list of labels. */
export const LABELS = list(field, { min: 1, max: MAX_LABELS, distinct: true });

const WORDS = list(string, { distinct: true });

/** Checks the vocabularies of an encoder. */
export const ENCODER = record<EncoderData>({
  words: WORDS,
  lemmas: WORDS,
  tags: WORDS,
  fine: optional(WORDS),
  features: optional(WORDS),
});

/** Checks the lengths and ranges of a label filter. */
export const LABEL_FILTER = record<StoredLabelFilter>({
  start: list(integer(0, MAX_INTEGER), { min: TAGS * TAGS + 1, max: TAGS * TAGS + 1 }),
  list: list(integer(0, MAX_LABELS)),
});

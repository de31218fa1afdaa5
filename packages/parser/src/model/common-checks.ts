import { checkArcTemplate, type EncoderData, namedFeatures } from "@arcwise/core/features";
import {
  type Check,
  field,
  integer,
  list,
  optional,
  readable,
  record,
  refuse,
  string,
} from "@arcwise/core/options";
import { type LabelFilter, TAGS } from "../scoring/arcs/label-filter.ts";

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

/**
 * Checks that an encoder has a column for each morphological feature that a template names.
 *
 * @param at the path of the object that has the encoder, for messages
 */
export function checkFeatureNames(all: Iterable<string>, { features }: EncoderData, at: string): void {
  for (const name of namedFeatures(all)) {
    if (!features?.includes(name)) refuse(`${at}.encoder.features`, `"${name}" among them`, features);
  }
}

/** How a file stores a label filter. */
export const LABEL_FILTER = {
  stored: ({ start, list }: LabelFilter): StoredLabelFilter => ({ start: [...start], list: [...list] }),
  read: ({ start, list }: StoredLabelFilter): LabelFilter => ({
    start: Int32Array.from(start),
    list: Int32Array.from(list),
  }),
  /** Checks lengths and ranges. */
  check: record<StoredLabelFilter>({
    start: list(integer(0, MAX_INTEGER), { min: TAGS * TAGS + 1, max: TAGS * TAGS + 1 }),
    list: list(integer(0, MAX_LABELS)),
  }),
  /** Checks that the labels of every pair of tags are ascending, below `labels`, and enough. */
  checkLabels(
    { start, list: found }: StoredLabelFilter,
    labels: number,
    { at, leastLabels }: { readonly at: string; readonly leastLabels: 0 | 1 },
  ): void {
    if (start[0] !== 0 || start.at(-1) !== found.length) {
      refuse(`${at}.start`, `from 0 to ${found.length}`, `${start[0]} to ${start.at(-1)}`);
    }
    for (let pair = 1; pair < start.length; pair++) {
      const from = start[pair - 1];
      const least = from + leastLabels;
      if (start[pair] < least) refuse(`${at}.start[${pair}]`, `at least ${least}`, start[pair]);
      for (let k = from; k < start[pair]; k++) {
        const before = k > from ? found[k - 1] : -1;
        if (!(found[k] > before && found[k] < labels)) {
          refuse(`${at}.list[${k}]`, `a label from ${before + 1} to ${labels - 1}`, found[k]);
        }
      }
    }
  },
};

import { type FilePart, int8, optionalPart, prefixed, type SectionRows } from "@arcwise/core/container";
import { type Check, field, list, record, refuse, scale } from "@arcwise/core/options";
import { LEMMA_BITS } from "./lemma-candidates.ts";
import { MAX_FORMS, type TagLemmas } from "./lemma-lexicon.ts";

/** A word whose lemma the model does not find. */
export interface LemmaException {
  readonly form: string;
  readonly upos: string;
  /** Undefined: whatever they are. */
  readonly feats?: string | undefined;
  readonly lemma: string;
}

/** A trained lemmatiser. Plain data. */
export interface LemmaModel {
  readonly tags: readonly TagLemmas[];
  readonly exceptions: readonly LemmaException[];
  /** Weights, multiples of `scale` up to 127 times it. */
  readonly weights: Float32Array;
  readonly scale: number;
}

/** Header of a lemmatiser in a file. */
export interface LemmaHeader {
  readonly tags: readonly Omit<TagLemmas, "forms">[];
  /** Columns of exceptions: form, tag, lemma, and features where they matter. */
  readonly exceptions: readonly (readonly string[])[];
  readonly scale: number;
}

/** Number of weights. */
export const LEMMA_WEIGHTS = 2 ** LEMMA_BITS;

/** The text that an edit cuts, a tab, and the text that it adds. */
const edit: Check = (value, at) => {
  if (typeof value !== "string" || value.split("\t").length !== 2) {
    refuse(at, "two texts with a tab between them", value);
  }
};

const HEADER = record<LemmaHeader>({
  tags: list(
    record<LemmaHeader["tags"][number]>({
      upos: field,
      lemmas: list(field, { distinct: true }),
      begins: list(edit, { distinct: true }),
      ends: list(edit, { distinct: true }),
    }),
  ),
  exceptions: list(list(field, { min: 3, max: 4 })),
  scale,
});

/** How a lemmatiser is stored in a file. */
export const LEMMAS: FilePart<LemmaModel | undefined, LemmaHeader | undefined, SectionRows> = optionalPart(
  prefixed("lemma", {
    header: HEADER,
    headerOf: ({ tags, exceptions, scale: unit }: LemmaModel): LemmaHeader => ({
      tags: tags.map(({ forms: _, ...rest }) => rest),
      exceptions: exceptions.map(({ form, upos, lemma, feats }) =>
        feats === undefined ? [form, upos, lemma] : [form, upos, lemma, feats],
      ),
      scale: unit,
    }),
    sections: ({ tags, scale: unit }: LemmaHeader, _, model?: LemmaModel) => ({
      forms: int8({
        entries: tags.reduce((sum, { lemmas }) => sum + lemmas.length, 0),
        vector: model && Int8Array.from(model.tags.flatMap(({ forms }) => forms)),
      }),
      weights: int8({
        entries: LEMMA_WEIGHTS,
        vector: model && Int8Array.from(model.weights, (weight) => Math.round(weight / unit)),
      }),
    }),
    read({ tags, exceptions, scale: unit }, { forms, weights }) {
      let at = 0;
      const formsOf = (lemmas: readonly string[]): number[] =>
        lemmas.map(() => Math.max(1, Math.min(MAX_FORMS, forms[at++])));
      return {
        tags: tags.map((tag) => ({ ...tag, forms: formsOf(tag.lemmas) })),
        exceptions: exceptions.map(([form, upos, lemma, feats]) => ({ form, upos, lemma, feats })),
        weights: Float32Array.from(weights, (weight) => weight * unit),
        scale: unit,
      };
    },
  }),
);

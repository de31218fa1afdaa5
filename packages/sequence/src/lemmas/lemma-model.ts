import type { Container, SectionTable, Vector } from "@arcwise/core/container";
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

/** Returns the header and the vectors of a model; names of vectors begin with `prefix`. O(weights). */
export function lemmaSections(
  { tags, exceptions, weights, scale: unit }: LemmaModel,
  prefix: string,
): { readonly header: LemmaHeader; readonly vectors: Record<string, Vector> } {
  return {
    header: {
      tags: tags.map(({ forms: _, ...rest }) => rest),
      exceptions: exceptions.map(({ form, upos, lemma, feats }) => [
        form,
        upos,
        lemma,
        ...(feats === undefined ? [] : [feats]),
      ]),
      scale: unit,
    },
    vectors: {
      [`${prefix}.forms`]: Int8Array.from(tags.flatMap(({ forms }) => forms)),
      [`${prefix}.weights`]: Int8Array.from(weights, (weight) => Math.round(weight / unit)),
    },
  };
}

/** The text that an edit cuts, a tab, and the text that it adds. */
const edit: Check = (value, at) => {
  if (typeof value !== "string" || value.split("\t").length !== 2) {
    refuse(at, "two texts with a tab between them", value);
  }
};

const exception: Check = (value, at) => {
  list(field, { min: 3, max: 4 })(value, at);
};

const LEMMA = record<LemmaHeader>({
  tags: list(
    record<LemmaHeader["tags"][number]>({
      upos: field,
      lemmas: list(field, { distinct: true }),
      begins: list(edit, { distinct: true }),
      ends: list(edit, { distinct: true }),
    }),
  ),
  exceptions: list(exception),
  scale,
});

/** Checks the header of a lemmatiser, and takes its sections. */
export function checkLemmas(value: unknown, sections: SectionTable, prefix: string, at: string): void {
  LEMMA(value, at);
  const { tags } = value as LemmaHeader;
  const lemmas = tags.reduce((sum, tag) => sum + tag.lemmas.length, 0);
  sections.expect(`${prefix}.forms`, "int8", lemmas);
  sections.expect(`${prefix}.weights`, "int8", LEMMA_WEIGHTS);
}

/** Reads a lemmatiser whose header was checked. */
export function readLemmas(header: LemmaHeader, { vectors }: Container, prefix: string): LemmaModel {
  const counts = vectors[`${prefix}.forms`];
  let at = 0;
  const formsOf = (lemmas: readonly string[]): number[] =>
    lemmas.map(() => Math.max(1, Math.min(MAX_FORMS, counts[at++])));
  return {
    tags: header.tags.map((tag) => ({ ...tag, forms: formsOf(tag.lemmas) })),
    exceptions: header.exceptions.map((columns) => ({
      form: columns[0],
      upos: columns[1],
      lemma: columns[2],
      feats: columns[3],
    })),
    weights: scaled(vectors[`${prefix}.weights`], header.scale),
    scale: header.scale,
  };
}

function scaled(bytes: Vector, scale: number): Float32Array {
  const weights = new Float32Array(bytes.length);
  for (let k = 0; k < bytes.length; k++) weights[k] = bytes[k] * scale;
  return weights;
}

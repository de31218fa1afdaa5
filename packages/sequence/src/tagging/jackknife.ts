import type { Sentence } from "@arcwise/core";
import { createTagger, type TaggerProgress, type TaggerTrainOptions, trainTagger } from "./tagger.ts";

/** Options of jackknifing. */
export interface JackknifeOptions extends Omit<TaggerTrainOptions, "onProgress" | "epochs"> {
  /** Number of epochs of each tagger. Default: 5. */
  readonly epochs?: number;
  /** Number of parts that the sentences are cut into. Default: 10. */
  readonly parts?: number;
  readonly onProgress?: (progress: TaggerProgress & { readonly part: number }) => void;
}

/**
 * Returns the sentences with predicted tags, for training parsers on realistic tags (jackknifing): the
 * sentences are cut into contiguous parts, and each part is tagged by a tagger trained on the others.
 *
 * Cost: that of `parts` trainings, each on all parts but one.
 *
 * @throws RangeError when `parts` is not an integer from 2 to the number of sentences, or as `trainTagger`
 */
export async function jackknifeTags(
  sentences: readonly Sentence[],
  options: JackknifeOptions = {},
): Promise<Sentence[]> {
  const { parts = 10, epochs = 5, onProgress, ...rest } = options;
  if (!Number.isInteger(parts) || parts < 2 || parts > sentences.length) {
    throw new RangeError(
      `expected 2 to ${sentences.length} parts, as many as sentences at most, got ${parts}`,
    );
  }
  const tagged: Sentence[] = [];
  for (let part = 0; part < parts; part++) {
    const from = Math.floor((part * sentences.length) / parts);
    const end = Math.floor(((part + 1) * sentences.length) / parts);
    const others = [...sentences.slice(0, from), ...sentences.slice(end)];
    const model = await trainTagger(others, {
      ...rest,
      epochs,
      ...(onProgress && { onProgress: (at: TaggerProgress) => onProgress({ ...at, part: part + 1 }) }),
    });
    const tagger = createTagger(model);
    for (const sentence of sentences.slice(from, end)) tagged.push(tagger.tag(sentence));
  }
  return tagged;
}

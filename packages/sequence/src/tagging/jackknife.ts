import type { Sentence } from "@arcwise/core";
import { type TrainingProgress, TrainingReporter } from "@arcwise/core/training";
import { createTagger, type TaggerTrainOptions, trainTagger } from "./tagger.ts";

/** Options of jackknifing. */
export interface JackknifeOptions extends Omit<TaggerTrainOptions, "dev" | "onWarning" | "epochs"> {
  /** Number of epochs of each tagger. Default: 5. */
  readonly epochs?: number | undefined;
  /** Number of parts that the sentences are cut into. Default: 10. */
  readonly parts?: number | undefined;
}

/** What jackknifed taggers are trained on, and how. Plain data. */
export interface JackknifeWork {
  readonly sentences: readonly Sentence[];
  readonly parts: number;
  readonly options: Pick<TaggerTrainOptions, "columns" | "epochs" | "seed">;
}

/**
 * Returns the sentences with predicted tags, for training parsers on realistic tags (jackknifing): the
 * sentences are cut into contiguous parts, and each part is tagged by a tagger trained on the others.
 *
 * Cost: `parts` trainings, each on all parts but one.
 *
 * @throws RangeError when `parts` is not an integer from 2 to the number of sentences, or as `trainTagger`
 */
export async function jackknifeTags(
  sentences: readonly Sentence[],
  options: JackknifeOptions = {},
): Promise<Sentence[]> {
  const work = jackknifeWork(sentences, options);
  const { onProgress, signal } = options;
  const report = partReports(work.parts, onProgress);
  const tagged: Sentence[] = [];
  for (let part = 1; part <= work.parts; part++) {
    tagged.push(...(await tagPart(work, part, { onProgress: (at) => report(part, at), signal })));
  }
  return tagged;
}

/**
 * Returns the work of `jackknifeTags`, whose parts can be tagged on several threads or machines.
 *
 * @throws RangeError when `parts` is not an integer from 2 to the number of sentences
 */
export function jackknifeWork(
  sentences: readonly Sentence[],
  { parts = 10, epochs = 5, columns, seed }: JackknifeOptions,
): JackknifeWork {
  if (!Number.isInteger(parts) || parts < 2 || parts > sentences.length) {
    throw new RangeError(
      `expected 2 to ${sentences.length} parts, as many as sentences at most, got ${parts}`,
    );
  }
  return {
    sentences,
    parts,
    options: { epochs, columns, seed },
  };
}

/** Returns the sentences of a part, tagged by a tagger of the others. @param part from 1 */
export async function tagPart(
  { sentences, parts, options }: JackknifeWork,
  part: number,
  run: Pick<TaggerTrainOptions, "onProgress" | "signal"> = {},
): Promise<Sentence[]> {
  const from = Math.floor(((part - 1) * sentences.length) / parts);
  const end = Math.floor((part * sentences.length) / parts);
  const others = [...sentences.slice(0, from), ...sentences.slice(end)];
  const { tag } = createTagger(await trainTagger(others, { ...options, ...run }));
  return sentences.slice(from, end).map((sentence) => tag(sentence));
}

/** Returns a function that takes the progress of the tagger of a part, and reports the progress of all parts. */
export function partReports(
  parts: number,
  onProgress: ((progress: TrainingProgress) => void) | undefined,
): (part: number, at: TrainingProgress) => void {
  const shares = new Float64Array(parts);
  const reporter = new TrainingReporter<"jackknife">({ jackknife: 1 }, onProgress);
  return (part, at) => {
    shares[part - 1] = at.share;
    const share = shares.reduce((sum, one) => sum + one, 0) / parts;
    reporter.report("jackknife", { ...at, step: "jackknife", part, share });
  };
}

/** Estimated microseconds per word and epoch of the column of a tagger. */
const COLUMN = 6;

/** Returns the estimated work of training a tagger, in microseconds: see `trainingWork` of the parser. */
export function taggingWork(
  sentences: readonly Sentence[],
  { columns, epochs = 8 }: Pick<TaggerTrainOptions, "columns" | "epochs">,
): number {
  const words = sentences.reduce((sum, { length }) => sum + length, 0);
  return words * epochs * COLUMN * (columns?.length ?? 4);
}

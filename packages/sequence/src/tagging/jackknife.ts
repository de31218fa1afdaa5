import type { Sentence } from "@arcwise/core";
import { invalidArgument } from "@arcwise/core/errors";
import { checkArgument, integer } from "@arcwise/core/options";
import { jobReports, type TrainingProgress, TrainingReporter } from "@arcwise/core/training";
import { doAll, here, share } from "@arcwise/jobs";
import { tagPartJob } from "./tagger-jobs.ts";
import { SENTENCES, type TaggerTrainOptions } from "./train-tagger.ts";

/** Options of jackknifing. */
export interface JackknifeOptions
  extends Omit<TaggerTrainOptions, "dev" | "onWarning" | "epochs" | "gazetteers"> {
  /** Number of epochs of each tagger. Default: 5. */
  readonly epochs?: number | undefined;
  /** Number of parts that the sentences are cut into. Default: 10. */
  readonly parts?: number | undefined;
}

/**
 * Returns the sentences with predicted tags, for training parsers on realistic tags (jackknifing): the
 * sentences are cut into contiguous parts, and each part is tagged by a tagger trained on the others.
 *
 * Cost: `parts` trainings, each on all parts but one, as many at a time as the place does.
 *
 * @throws ArcwiseError `invalid-argument` unless `parts` is an integer from 2 to the number of sentences; as `trainTagger`
 */
export async function jackknifeTags(
  sentences: readonly Sentence[],
  { parts = 10, epochs = 5, seed = 1, columns, onProgress, signal, place = here() }: JackknifeOptions = {},
): Promise<Sentence[]> {
  checkArgument(SENTENCES, sentences, "jackknifeTags: sentences");
  checkArgument(integer(2), parts, "jackknifeTags: parts");
  if (parts > sentences.length) {
    const expected = `at most as many parts as sentences, ${sentences.length}`;
    throw invalidArgument("jackknifeTags: parts", expected, String(parts));
  }
  const reporter = new TrainingReporter<"jackknife">({ jackknife: 1 }, onProgress);
  const report = jobReports(parts, (at) => reporter.report("jackknife", at));
  const work = { sentences: share(sentences), parts, learning: { columns, epochs, seed } };
  const jobs = Array.from({ length: parts }, (_, k) => ({ ...work, part: k + 1 }));
  const tagged = await doAll(place, tagPartJob, jobs, {
    onProgress: (k, at: TrainingProgress) => report(k, { ...at, step: "jackknife", part: k + 1 }),
    signal,
  });
  return tagged.flat();
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

import type { EncodedSentence } from "@arcwise/core/features";
import { jobReports, type StepProgress } from "@arcwise/core/training";
import { doAll, type Place, share } from "@arcwise/jobs";
import { yieldToEventLoop } from "@arcwise/learn";
import type { FoldJob } from "./prune-jobs.ts";

/** Number of folds: the sentences of each fold are pruned by a pruner that is trained on the others. */
const FOLDS = 4;
/** The data and the run of a cross-fitting. */
export interface CrossFit<Gold, Configuration extends object, Fold> {
  readonly job: FoldJob<Gold, Configuration, Fold>;
  readonly sentences: readonly EncodedSentence[];
  readonly golds: readonly Gold[];
  readonly configuration: Configuration;
  readonly seed: number;
  readonly place: Place;
  readonly onProgress: (at: StepProgress) => void;
  readonly signal: AbortSignal | undefined;
}

/**
 * Trains a pruner for each fold of the sentences, on the others, and one on all, as jobs. Sentence i is in fold
 * i % folds. Cost: (folds + 1) · epochs · n² templates per sentence.
 */
export async function crossFit<Gold, Configuration extends object, Fold>({
  job,
  sentences,
  golds,
  configuration,
  seed,
  place,
  onProgress,
  signal,
}: CrossFit<Gold, Configuration, Fold>): Promise<{
  readonly folds: readonly Fold[];
  readonly whole: Fold;
}> {
  const folds = Math.min(FOLDS, sentences.length);
  const shared = { sentences: share(sentences), golds: share(golds), configuration: share(configuration) };
  const work = { ...shared, seed, folds };
  const inputs = Array.from({ length: folds + 1 }, (_, fold) => ({ ...work, fold }));
  const report = jobReports(inputs.length, onProgress);
  const trained = await doAll(place, job, inputs, { onProgress: report, signal });
  return { folds: trained.slice(0, -1), whole: trained.at(-1)! };
}

/**
 * Visits the sentences with the pruner of the fold of each, which was not trained on it. Returns the number of words, at
 * least 1.
 */
export async function eachSentence<Pruner>(
  { sentences, signal }: Pick<CrossFit<never, never, never>, "sentences" | "signal">,
  pruners: readonly Pruner[],
  visit: (pruner: Pruner, sentence: EncodedSentence, index: number) => void,
): Promise<number> {
  const pause = yieldToEventLoop(signal);
  let words = 0;
  for (const [index, sentence] of sentences.entries()) {
    visit(pruners[index % pruners.length], sentence, index);
    words += sentence.n;
    await pause();
  }
  return Math.max(1, words);
}

/** Returns histograms of all candidates and of the gold ones by bins of their scores, the likeliest first. */
export function candidateHistogram(bins: number) {
  const [all, gold] = [new Float64Array(bins), new Float64Array(bins)];
  return {
    /** Counts a candidate. */
    add(bin: number, isGold: boolean): void {
      const at = Math.max(0, Math.min(bins - 1, bin));
      all[at]++;
      if (isGold) gold[at]++;
    },
    /** Returns the first bin that, with those before it, keeps a share of the gold candidates, or `most` candidates. */
    choose(share: number, most: number): { bin: number; gold: number; total: number; all: number } {
      const total = gold.reduce((sum, count) => sum + count, 0);
      const kept = { all: 0, gold: 0 };
      for (let bin = 0; ; bin++) {
        kept.all += all[bin];
        kept.gold += gold[bin];
        if (kept.gold >= share * total || kept.all >= most || bin === bins - 1)
          return { bin, total, ...kept };
      }
    },
  };
}

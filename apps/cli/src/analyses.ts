import { arcIndex } from "@arcwise/core";
import type { Parse, Reading, ReadingOptions } from "@arcwise/parser";

/** The output for each sentence. */
export interface AnalysisSettings {
  /** The k best analyses, each as a sentence; undefined: only the best one. */
  readonly kBest?: number | undefined;
  /** Whether to write the probability of each arc to MISC. */
  readonly marginals: boolean;
  /** Whether to add comments with the status of each tree. */
  readonly report?: boolean | undefined;
}

/** An analysis, and the probabilities of its heads (n + 1 entries) if requested. */
export interface Analysis {
  readonly parse: Parse;
  readonly probabilities: Float64Array | undefined;
}

/** Returns the analyses of a sentence according to the settings. */
export function analyses(
  reading: Reading,
  { kBest, marginals }: AnalysisSettings,
  options: ReadingOptions = {},
): Analysis[] {
  if (!marginals) {
    const parses = kBest === undefined ? [reading.best(options)] : reading.kBest(kBest, options);
    return parses.map((parse) => ({ parse, probabilities: undefined }));
  }
  const sums = reading.marginals(options);
  if (kBest === undefined) return [{ parse: sums, probabilities: sums.headProbabilities }];
  return reading.kBest(kBest, options).map((parse) => ({
    parse,
    probabilities: Float64Array.from(parse.heads, (h, m) =>
      m === 0 ? 0 : sums.arcProbabilities[arcIndex(sums.arcs, h, m)]!,
    ),
  }));
}

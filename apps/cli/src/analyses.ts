import { arcIndex, type Sentence } from "@arcwise/core";
import type { Parse, ParseOptions, Parser } from "@arcwise/parser";

/** What is written of each sentence. */
export interface AnalysisSettings {
  /** The k best analyses, each as a sentence of its own; undefined: the best one alone. */
  readonly kBest?: number | undefined;
  /** Whether the probability of each arc is written to MISC. */
  readonly marginals: boolean;
  /** Whether comments tell how each tree was found. */
  readonly report?: boolean | undefined;
}

/** An analysis, and the probabilities of its heads (n + 1 entries) if they were asked for. */
export interface Analysis {
  readonly parse: Parse;
  readonly probabilities: Float64Array | undefined;
}

/** The analyses of a sentence that the settings ask for. */
export function analyses(
  parser: Parser,
  words: Sentence,
  { kBest, marginals }: AnalysisSettings,
  options: ParseOptions = {},
): Analysis[] {
  if (!marginals) {
    const parses = kBest === undefined ? [parser.parse(words, options)] : parser.kBest(words, kBest, options);
    return parses.map((parse) => ({ parse, probabilities: undefined }));
  }
  const sums = parser.marginals(words, options);
  if (kBest === undefined) return [{ parse: sums, probabilities: sums.headProbabilities }];
  return parser.kBest(words, kBest, options).map((parse) => ({
    parse,
    probabilities: Float64Array.from(parse.heads, (h, m) =>
      m === 0 ? 0 : sums.arcProbabilities[arcIndex(sums.arcs, h, m)]!,
    ),
  }));
}

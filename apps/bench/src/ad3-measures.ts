import {
  type Ad3DecoderOptions,
  ad3Decoder,
  type Decomposition,
  mplp,
  parsingGraph,
  subgradient,
} from "@arcwise/decode-ad3";
import { decodeAll, rightHeads, type ScoredSentence, spreadEvenly, wordsIn } from "./scored-sentences.ts";
import { mean, processorTime } from "./timing.ts";

/** Mean and 99th percentile over sentences. */
export interface Spread {
  readonly mean: number;
  readonly high: number;
}

/** Results of one setting of the decoder over all sentences. */
export interface SettingResult {
  readonly setting: string;
  /** Share of sentences whose tree is certified optimal. */
  readonly certified: number;
  /** Iterations of the dual ascent, and of AD3 after it. */
  readonly ascent: Spread;
  readonly iterations: Spread;
  readonly nodes: Spread;
  readonly milliseconds: Spread;
  readonly wordsPerSecond: number;
  readonly score: number;
  readonly uas: number;
}

/** Mean gap of the bound to the best score after some time. */
export interface BoundPoint {
  readonly method: string;
  readonly iterations: number;
  readonly milliseconds: number;
  readonly gap: number;
}

export interface Ad3Result {
  readonly treebank: string;
  readonly kinds: readonly string[];
  readonly sentences: number;
  readonly words: number;
  readonly settings: readonly SettingResult[];
  /** Number of sentences, evenly spaced, over which the bounds are averaged. */
  readonly boundSentences: number;
  readonly bounds: readonly BoundPoint[];
}

export interface Ad3MeasureOptions {
  /** Maximal number of sentences, evenly spaced, for bounds against time. */
  readonly boundSentences: number;
  /** Number of interleaved runs per method and number of iterations, of which the minimal time counts. */
  readonly passes: number;
  /** Time limit of branch and bound per sentence, in milliseconds. */
  readonly limit: number;
  readonly onPass?: (name: string) => void;
}

const PAIRWISE: Decomposition = { grandparent: "pairwise", sides: "apart", triSibling: "apart" };

/** Returns the settings that are compared on all sentences. */
function settings(limit: number): readonly (readonly [string, Ad3DecoderOptions])[] {
  return [
    ["one automaton a head", {}],
    ["one automaton a side", { decomposition: { sides: "apart" } }],
    ["tri-siblings apart", { decomposition: { triSibling: "apart" } }],
    ["pairwise grandparents, sides and tri-siblings apart", { decomposition: PAIRWISE }],
    ["ascent alone", { maxIterations: 0 }],
    ["AD3 alone", { ascent: 0, maxIterations: 200 }],
    ["longer: 1000 iterations of each", { ascent: 1000, maxIterations: 1000, residualThreshold: 1e-6 }],
    ["branch and bound", { exact: { milliseconds: limit } }],
  ];
}

const ITERATIONS = [10, 20, 50, 100, 200];

/**
 * Measures AD3 with several decompositions and settings, and other methods on the same bounds. @throws
 * WrongAnswer
 */
export function measureAd3(
  treebank: string,
  sentences: readonly ScoredSentence[],
  options: Ad3MeasureOptions,
): Ad3Result {
  const { boundSentences, limit, onPass } = options;
  const results = settings(limit).map(([setting, options]) => {
    onPass?.(setting);
    return measureSetting(setting, options, sentences);
  });
  const sample = spreadEvenly(sentences, boundSentences);
  return {
    treebank,
    kinds: sentences[0]?.problem.parts.map(({ kind }) => kind) ?? [],
    sentences: sentences.length,
    words: wordsIn(sentences),
    settings: results,
    boundSentences: sample.length,
    bounds: measureBounds(sample, options),
  };
}

function measureSetting(
  setting: string,
  options: Ad3DecoderOptions,
  sentences: readonly ScoredSentence[],
): SettingResult {
  const decoder = ad3Decoder(options);
  const timed = decodeAll(setting, decoder.decodeWithReport, sentences);
  const words = wordsIn(sentences);
  const times = timed.map(({ milliseconds }) => milliseconds);
  const reports = timed.map(({ decoding }) => decoding);
  const right = reports.reduce((sum, { heads }, i) => sum + rightHeads(heads, sentences[i]!.gold), 0);
  return {
    setting,
    certified: mean(reports.map(({ status }) => (status === "optimal" ? 1 : 0))),
    ascent: spread(reports.map(({ ascentIterations }) => ascentIterations)),
    iterations: spread(reports.map(({ iterations }) => iterations)),
    nodes: spread(reports.map(({ nodes }) => nodes)),
    milliseconds: spread(times),
    wordsPerSecond: words / (times.reduce((sum, time) => sum + time, 0) / 1000),
    score: mean(reports.map(({ score }) => score)),
    uas: right / words,
  };
}

/** Returns the bound after numbers of iterations of each method, on the same factors. */
function measureBounds(
  sentences: readonly ScoredSentence[],
  { passes, limit, onPass }: Ad3MeasureOptions,
): BoundPoint[] {
  const exact = ad3Decoder({ exact: { milliseconds: limit } });
  const best = sentences.map(({ problem }) => exact.decode(problem).score);
  const methods: Record<string, (iterations: number) => (sentence: ScoredSentence) => number> = {
    "dual ascent": (ascent) => {
      const decoder = ad3Decoder({ ascent, maxIterations: 0 });
      return ({ problem }) => decoder.decode(problem).bound;
    },
    AD3: (maxIterations) => {
      const decoder = ad3Decoder({ ascent: 0, maxIterations, residualThreshold: 1e-6 });
      return ({ problem }) => decoder.decode(problem).bound;
    },
    subgradient:
      (maxIterations) =>
      ({ problem }) =>
        subgradient(parsingGraph(problem), { maxIterations }).bound,
    MPLP:
      (maxIterations) =>
      ({ problem }) =>
        mplp(parsingGraph(problem), { maxIterations }).bound,
  };
  return Object.entries(methods).flatMap(([method, make]) => {
    onPass?.(`bounds by ${method}`);
    const points = ITERATIONS.map(
      (iterations): BoundPoint => ({ method, iterations, milliseconds: Infinity, gap: 0 }),
    );
    for (let pass = 0; pass < passes; pass++) {
      for (const [i, point] of points.entries()) {
        const bound = make(point.iterations);
        const from = processorTime();
        const gap = mean(sentences.map((sentence, j) => Math.max(0, bound(sentence) - best[j]!)));
        const milliseconds = (processorTime() - from) / sentences.length;
        points[i] = { ...point, gap, milliseconds: Math.min(point.milliseconds, milliseconds) };
      }
    }
    return points;
  });
}

function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return { mean: mean(values), high: sorted[Math.min(sorted.length - 1, Math.floor(0.99 * sorted.length))]! };
}

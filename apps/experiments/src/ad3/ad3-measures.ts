import { spreadEvenly } from "@arcwise/bench/data";
import {
  decodeAll,
  dualDecoder,
  mean,
  processorTime,
  rightHeads,
  type ScoredSentence,
  wordsIn,
} from "@arcwise/bench/measures";
import type { Decoder } from "@arcwise/core";
import {
  type Ad3DecoderOptions,
  ad3Decoder,
  type Decomposition,
  mplp,
  subgradient,
} from "@arcwise/decode-ad3";
import { hillclimbDecoder } from "@arcwise/decode-hillclimb";
import type { Step } from "../options.ts";

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

/** Mean distances of the bound and of the score from the best score, after some time. */
export interface BoundPoint {
  readonly method: string;
  readonly iterations: number;
  readonly milliseconds: number;
  /** The bound above the best score; Infinity for methods without a bound. */
  readonly gap: number;
  /** The score of the tree below the best score. */
  readonly short: number;
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

export interface Ad3Options {
  /** Maximal number of sentences, evenly spaced, for bounds against time. */
  readonly boundSentences: number;
  /** Number of interleaved runs per method and number of iterations, of which the minimal time counts. */
  readonly passes: number;
  /** Time limit of branch and bound per sentence, in milliseconds. */
  readonly limit: number;
  /** Decides the starts of climbs. */
  readonly seed: number;
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

/** Measures AD3 with several decompositions and settings, and other methods on the same bounds. */
export async function measureAd3(
  treebank: string,
  sentences: readonly ScoredSentence[],
  options: Ad3Options,
  step: Step,
): Promise<Ad3Result> {
  const results: SettingResult[] = [];
  for (const [setting, own] of settings(options.limit))
    results.push(await step(setting, () => measureSetting(setting, own, sentences)));
  const sample = spreadEvenly(sentences, options.boundSentences);
  return {
    treebank,
    kinds: sentences[0]?.problem.parts.map(({ kind }) => kind) ?? [],
    sentences: sentences.length,
    words: wordsIn(sentences),
    settings: results,
    boundSentences: sample.length,
    bounds: await measureBounds(sample, options, step),
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

/** The decoders whose score and bound are measured after numbers of iterations, on the same factors. */
const ANYTIME: Readonly<Record<string, (iterations: number, seed: number) => Decoder>> = {
  "dual ascent": (ascent) => ad3Decoder({ ascent, maxIterations: 0 }),
  AD3: (maxIterations) => ad3Decoder({ ascent: 0, maxIterations, residualThreshold: 1e-6 }),
  subgradient: (maxIterations) =>
    dualDecoder("subgradient", (graph) => subgradient(graph, { maxIterations })),
  MPLP: (maxIterations) => dualDecoder("mplp", (graph) => mplp(graph, { maxIterations })),
  "hill climbing": (restarts, seed) => hillclimbDecoder({ restarts, seed }),
};

/** Returns score and bound after numbers of iterations of each method; climbs, of hill climbing. */
async function measureBounds(
  sentences: readonly ScoredSentence[],
  { limit, passes, seed }: Ad3Options,
  step: Step,
): Promise<BoundPoint[]> {
  const exact = ad3Decoder({ exact: { milliseconds: limit } });
  const best = await step("best scores", () => sentences.map(({ problem }) => exact.decode(problem).score));
  const points: BoundPoint[] = [];
  for (const [method, make] of Object.entries(ANYTIME)) {
    const decoderOf = (iterations: number) => make(iterations, seed);
    points.push(
      ...(await step(`score and bound by ${method}`, () =>
        boundsOf(method, decoderOf, { sentences, best }, passes),
      )),
    );
  }
  return points;
}

/** Returns score and bound of one method, of which the fastest pass counts. */
function boundsOf(
  method: string,
  make: (iterations: number) => Decoder,
  { sentences, best }: { readonly sentences: readonly ScoredSentence[]; readonly best: readonly number[] },
  passes: number,
): BoundPoint[] {
  const points = ITERATIONS.map(
    (iterations): BoundPoint => ({ method, iterations, milliseconds: Infinity, gap: 0, short: 0 }),
  );
  for (let pass = 0; pass < passes; pass++) {
    for (const [i, point] of points.entries()) {
      const decoder = make(point.iterations);
      const from = processorTime();
      const found = sentences.map(({ problem }) => decoder.decode(problem));
      const milliseconds = (processorTime() - from) / sentences.length;
      points[i] = {
        ...point,
        gap: mean(found.map(({ bound }, j) => Math.max(0, bound - best[j]!))),
        short: mean(found.map(({ score }, j) => Math.max(0, best[j]! - score))),
        milliseconds: Math.min(point.milliseconds, milliseconds),
      };
    }
  }
  return points;
}

function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return { mean: mean(values), high: sorted[Math.min(sorted.length - 1, Math.floor(0.99 * sorted.length))]! };
}

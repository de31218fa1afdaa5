import {
  formatInteger,
  formatPercent,
  formatTime,
  share,
  threeDigits,
  words as wordsPerSecond,
} from "@arcwise/bench/command";
import { curvePlot, type Figure, table } from "@arcwise/bench/report";
import { defineOptions } from "@arcwise/core/options";
import { type BoundPoint, measureAd3, type Spread } from "../ad3/ad3-measures.ts";
import { experiment } from "../experiment.ts";
import { eachModel, MODELS, natural, SEED } from "../options.ts";

/** Lower limit of the gaps in plots. */
const MIN_GAP = 1e-5;

export const ad3 = experiment({
  name: "ad3",
  claim: "certificates, iterations, times and bounds of AD3 on the scores of trained models",
  options: defineOptions({
    ...MODELS,
    boundSentences: {
      ...natural("--bound-sentences <n>", "sentences for bounds against time, spread evenly over all"),
      default: 100,
    },
    passes: { ...natural("--passes <n>", "passes over them, of which the fastest counts"), default: 3 },
    limit: { ...natural("--limit <ms>", "time of branch and bound for a sentence"), default: 10_000 },
    seed: { ...SEED, help: "random seed of the starts of climbs" },
  }),
  quick: { sentences: 40, boundSentences: 10, passes: 1, limit: 500 },
  measure: (options, run) =>
    eachModel(options, run, (name, sentences, step) => measureAd3(name, sentences, options, step)),
  title: (_rows, { split }) => `AD3 on the scores of trained models, ${split} split`,
  sections: (rows) =>
    rows.map(({ treebank, sentences, words, kinds, settings, bounds, boundSentences }) => ({
      title: treebank,
      text:
        `${formatInteger(sentences)} sentences of ${formatInteger(words)} words; parts: ${kinds.join(", ")}. ` +
        "Certified: the share of sentences whose tree is proved to be the best over all trees, projective " +
        "or not. Iterations, parts of the search space and times are means over sentences, with the 99th " +
        "percentile below. The ascent stops after 100 iterations and AD3 after 50 unless the setting says " +
        "otherwise.",
      figures: [boundFigure(bounds, boundSentences)],
      tables: [
        table("Settings", settings, {
          setting: ({ setting }) => setting,
          "certified %": ({ certified }) => formatPercent(certified),
          ascent: ({ ascent }) => spread(ascent, threeDigits),
          AD3: ({ iterations }) => spread(iterations, threeDigits),
          searched: ({ nodes }) => spread(nodes, threeDigits),
          time: ({ milliseconds }) => spread(milliseconds, formatTime),
          "words/s": (setting) => formatInteger(setting.wordsPerSecond),
          score: ({ score }) => score.toFixed(4),
          UAS: ({ uas }) => formatPercent(uas),
        }),
        table("Score and bound after some iterations", bounds, {
          method: ({ method }) => method,
          iterations: ({ iterations }) => `${iterations}`,
          time: ({ milliseconds }) => formatTime(milliseconds),
          "bound above the best": ({ gap }) => (Number.isFinite(gap) ? gap.toFixed(4) : ""),
          "score below it": ({ short }) => short.toFixed(4),
        }),
      ],
    })),
  contestants: (rows, { split }) =>
    rows.flatMap(({ treebank, settings }) =>
      settings.map(({ setting, uas, certified, score, wordsPerSecond: speed }) => ({
        group: `${treebank}, ${split}`,
        name: setting,
        measures: {
          UAS: share(uas),
          certified: share(certified),
          score: { value: score, unit: "score", better: "higher" },
          "words/s": wordsPerSecond(speed),
        },
      })),
    ),
});

function boundFigure(bounds: readonly BoundPoint[], sentences: number): Figure {
  const points = bounds
    .filter(({ gap }) => Number.isFinite(gap))
    .map(({ method, iterations, milliseconds, gap }) => ({
      series: method,
      x: milliseconds,
      y: gap,
      title: `${method}, ${iterations} iterations, ${formatTime(milliseconds)}: ${gap.toFixed(4)}`,
    }));
  return {
    title: "Bounds against time",
    note:
      "Mean distance of the bound from the score of the best tree, after 10, 20, 50, 100 and 200 " +
      `iterations, by mean milliseconds per sentence; ${formatInteger(sentences)} of the ` +
      "sentences, spread evenly. Both scales are logarithmic; what is below 0.00001 is drawn there.",
    drawing: curvePlot(points, {
      x: "milliseconds per sentence",
      y: "bound above the best score",
      scales: { y: "log" },
      floor: MIN_GAP,
    }),
  };
}

function spread({ mean, high }: Spread, format: (value: number) => string): string {
  return `${format(mean)}\n${format(high)}`;
}

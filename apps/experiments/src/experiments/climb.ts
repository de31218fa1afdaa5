import {
  type Contestant,
  formatInteger,
  formatPercent,
  share,
  threeDigits,
  words as wordsPerSecond,
} from "@arcwise/bench/command";
import { curvePlot, type Figure, table } from "@arcwise/bench/report";
import { defineOptions, list, positive } from "@arcwise/core/options";
import { type ClimbPass, type ClimbResult, measureClimb, type Pass } from "../climbing/climb-measures.ts";
import { experiment } from "../experiment.ts";
import { eachModel, MODELS, natural, naturals, SEED } from "../options.ts";

export const climb = experiment({
  name: "climb",
  claim: "compare hill climbing with exact decoders on the scores of models, by restarts and by time",
  options: defineOptions({
    ...MODELS,
    restarts: {
      ...naturals("--restarts <n...>", "climbs per sentence"),
      default: [1, 2, 5, 10, 20, 50, 100, 200, 300],
    },
    milliseconds: {
      check: list(positive),
      help: "time per sentence",
      default: [0.05, 0.1, 0.2, 0.5, 1, 2, 5],
      flag: "--milliseconds <ms...>",
    },
    firstOrderRestarts: {
      ...natural("--first-order-restarts <n>", "climbs per sentence on arc scores alone"),
      default: 100,
    },
    seed: { ...SEED, help: "random seed of the starts" },
  }),
  quick: { sentences: 40, restarts: [1, 10], milliseconds: [0.1, 1], firstOrderRestarts: 10 },
  measure: (options, run) =>
    eachModel(options, run, (name, sentences, step) => measureClimb(name, sentences, options, step)),
  // Without the scores of single sentences.
  results: (rows) => JSON.parse(JSON.stringify(rows, (key, value) => (key === "scores" ? undefined : value))),
  title: (_rows, { split }) => `Hill climbing on the scores of trained models, ${split} split`,
  sections: (rows) => [
    {
      title: "By restarts",
      text:
        "Short of the best: how much the score of a sentence's tree is, on average, below the best tree " +
        "that any run found. Reached: the share of sentences whose tree scores at least as much as the tree of " +
        "the exact projective decoder; exceeded: more, which trees with crossing arcs may. Times are CPU " +
        "time of one pass over all sentences.",
      figures: curves(
        rows.flatMap(({ treebank, byRestarts }) =>
          byRestarts.map((pass) => ({ series: treebank, x: pass.restarts, ...pass })),
        ),
        "climbs per sentence",
      ),
      tables: rows.map((result) =>
        passTable(result, "climbs", [
          ...result.byRestarts.map((pass) => ({ name: formatInteger(pass.restarts), ...pass })),
          ...(result.exact === undefined ? [] : [{ name: "exact, projective", ...result.exact }]),
        ]),
      ),
    },
    {
      title: "By time",
      text: "No climb begins once a sentence has had its time; the first one always runs to its end.",
      figures: curves(
        rows.flatMap(({ treebank, byTime }) =>
          byTime.map((pass) => ({ series: treebank, x: pass.milliseconds, ...pass })),
        ),
        "milliseconds per sentence",
      ),
      tables: rows.map((result) =>
        passTable(
          result,
          "ms per sentence",
          result.byTime.map((pass) => ({ name: `${pass.milliseconds}`, ...pass })),
        ),
      ),
    },
    {
      title: "Arc scores alone",
      text:
        "Climbs from random starts, without the maximum arborescence as a start: drawn in proportion " +
        "to the exponential of arc scores, or uniformly. Equal: the share of sentences whose tree " +
        "scores as much as the maximum arborescence.",
      figures: [],
      tables: [firstOrderTable(rows)],
    },
  ],
  contestants: (rows, { split }) => rows.flatMap((result) => contestants(result, split)),
});

function curves(points: readonly (ClimbPass & { series: string; x: number })[], x: string): Figure[] {
  if (points.length === 0) return [];
  const figure = (title: string, y: string, of: (pass: ClimbPass) => number): Figure => ({
    title,
    drawing: curvePlot(
      points.map((point) => ({
        series: point.series,
        x: point.x,
        y: of(point),
        title: `${point.series}, ${point.x}: ${of(point).toFixed(4)}`,
      })),
      { x, y },
    ),
  });
  return [
    figure(`Score, by ${x}`, "short of the best score", ({ short }) => -short),
    figure(`Accuracy, by ${x}`, "UAS (%)", ({ uas }) => 100 * uas),
  ];
}

type NamedPass = Pass & Partial<ClimbPass> & { readonly name: string };

function passTable(
  { treebank, kinds, sentences, words, candidates }: ClimbResult,
  label: string,
  passes: readonly NamedPass[],
) {
  const percent = (value: number | undefined) => (value === undefined ? "" : `${formatPercent(value)} %`);
  return table(
    `${treebank}: ${formatInteger(sentences)} sentences, ${formatInteger(words)} words, ` +
      `${threeDigits(candidates)} candidate heads per word; ${kinds.length === 0 ? "arcs alone" : kinds.join(", ")}`,
    passes,
    {
      [label]: ({ name }) => name,
      "µs per word": ({ time }) => threeDigits(time),
      "words/s": (pass) => formatInteger(pass.wordsPerSecond),
      "mean score": ({ score }) => score.toFixed(4),
      "short of the best": ({ short }) => short?.toFixed(4) ?? "",
      reached: ({ reached }) => percent(reached),
      exceeded: ({ exceeded }) => percent(exceeded),
      UAS: ({ uas }) => formatPercent(uas),
    },
  );
}

function firstOrderTable(results: readonly ClimbResult[]) {
  const rows = results.flatMap(({ treebank, arborescence, firstOrder }) => [
    ...firstOrder.map((pass) => ({ treebank, ...pass })),
    { treebank, start: "(the arborescence itself)", reached: undefined, ...arborescence },
  ]);
  return table(
    "Equal to the maximum arborescence",
    rows,
    {
      treebank: ({ treebank }) => treebank,
      starts: ({ start }) => start,
      equal: ({ reached }) => (reached === undefined ? "" : `${formatPercent(reached)} %`),
      "µs per word": ({ time }) => threeDigits(time),
      UAS: ({ uas }) => formatPercent(uas),
    },
    { labels: 2 },
  );
}

/** Returns the passes of hill climbing on one treebank, and the exact decoders, as contestants. */
function contestants(result: ClimbResult, split: string): Contestant[] {
  const { treebank, exact, byRestarts, byTime, arborescence, firstOrder } = result;
  const all: NamedPass[] = [
    ...(exact ? [{ name: "exact, projective", ...exact }] : []),
    ...byRestarts.map((pass) => ({ name: `${pass.restarts} climbs`, ...pass })),
    ...byTime.map((pass) => ({ name: `${pass.milliseconds} ms`, ...pass })),
    { name: "arcs alone, maximum arborescence", ...arborescence },
    ...firstOrder.map((pass) => ({ name: `arcs alone, start ${pass.start}`, ...pass })),
  ];
  return all.map(({ name, uas, score, reached, wordsPerSecond: speed }) => ({
    group: `${treebank}, ${split}`,
    name,
    measures: {
      UAS: share(uas),
      score: { value: score, unit: "score", better: "higher" },
      ...(reached !== undefined && { reached: share(reached) }),
      "words/s": wordsPerSecond(speed),
    },
  }));
}

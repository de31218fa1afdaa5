import { formatInteger, formatPercent, formatTime, threeDigits } from "@arcwise/bench/command";
import type { SeriesPoint } from "@arcwise/bench/report";
import { curvePlot, type Figure, left, right, type Section, type Table } from "@arcwise/bench/report";
import type { Ad3Result, BoundPoint, SettingResult, Spread } from "./ad3-measures.ts";
import { type AnytimePoint, anytimePlot } from "./anytime-plot.ts";

const READING =
  "Certified: the share of sentences whose tree is proved to be the best over all trees, projective " +
  "or not. Iterations, parts of the search space and times are means over sentences, with the 99th " +
  "percentile below. The ascent stops after 100 iterations and AD3 after 50 unless the setting says " +
  "otherwise.";

/** Lower limit of the gaps in plots. */
const MIN_GAP = 1e-5;

/** A section for each treebank: settings of AD3, and bounds against time. */
export function ad3Sections(results: readonly Ad3Result[]): Section[] {
  return results.map((result) => ({
    title: result.treebank,
    text:
      `${formatInteger(result.sentences)} sentences of ${formatInteger(result.words)} words; parts: ` +
      `${result.kinds.join(", ")}. ${READING}`,
    figures: [
      {
        title: "Bounds against time",
        note:
          "Mean distance of the bound from the score of the best tree, after 10, 20, 50, 100 and 200 " +
          `iterations, by mean milliseconds per sentence; ${formatInteger(result.boundSentences)} of the ` +
          "sentences, spread evenly. Both scales are logarithmic; what is below 0.00001 is drawn there.",
        drawing: boundPlot(result.bounds),
      },
      anytimeFigure(result.bounds),
    ],
    tables: [settingTable(result.settings), boundTable(result.bounds)],
  }));
}

function settingTable(settings: readonly SettingResult[]): Table {
  return {
    title: "Settings",
    columns: [
      left("setting"),
      ...["certified %", "ascent", "AD3", "searched", "time", "words/s", "score", "UAS"].map((name) =>
        right(name),
      ),
    ],
    rows: settings.map((one) => [
      one.setting,
      formatPercent(one.certified),
      spread(one.ascent, threeDigits),
      spread(one.iterations, threeDigits),
      spread(one.nodes, threeDigits),
      spread(one.milliseconds, formatTime),
      formatInteger(one.wordsPerSecond),
      one.score.toFixed(4),
      formatPercent(one.uas),
    ]),
  };
}

function boundTable(bounds: readonly BoundPoint[]): Table {
  return {
    title: "Score and bound after some iterations",
    columns: [
      left("method"),
      right("iterations"),
      right("time"),
      right("bound above the best"),
      right("score below it"),
    ],
    rows: bounds.map(({ method, iterations, milliseconds, gap, short }) => [
      method,
      `${iterations}`,
      formatTime(milliseconds),
      Number.isFinite(gap) ? gap.toFixed(4) : "",
      short.toFixed(4),
    ]),
  };
}

function boundPlot(bounds: readonly BoundPoint[]): string {
  const points = bounds
    .filter(({ gap }) => Number.isFinite(gap))
    .map(
      ({ method, iterations, milliseconds, gap }): SeriesPoint => ({
        series: method,
        x: milliseconds,
        y: gap,
        title: `${method}, ${iterations} iterations, ${formatTime(milliseconds)}: ${gap.toFixed(4)}`,
      }),
    );
  return curvePlot(points, {
    x: "milliseconds per sentence",
    y: "bound above the best score",
    scales: { y: "log" },
    floor: MIN_GAP,
  });
}

/** Returns the curves of score and bound against time: both meet at the best score. */
function anytimeFigure(bounds: readonly BoundPoint[]): Figure {
  const points = bounds.map(
    ({ method, iterations, milliseconds, gap, short }): AnytimePoint => ({
      series: method,
      x: milliseconds,
      score: -short,
      bound: Number.isFinite(gap) ? gap : undefined,
      title: `${method}, ${iterations} iterations, ${formatTime(milliseconds)}`,
    }),
  );
  return {
    title: "Score and bound against time",
    note:
      "Lines and symbols below 0: the score of the tree that is returned. Thin dashed lines above 0: the " +
      "bound. Both are means, less the best score.",
    drawing: anytimePlot(points, { x: "milliseconds per sentence", y: "difference from the best score" }),
  };
}

function spread({ mean, high }: Spread, format: (value: number) => string): string {
  return `${format(mean)}\n${format(high)}`;
}

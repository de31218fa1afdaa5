import { formatInteger, formatPercent, threeDigits } from "@arcwise/bench/command";
import type { SeriesPoint } from "@arcwise/bench/report";
import {
  type Column,
  curvePlot,
  type Figure,
  left,
  right,
  type Section,
  type Table,
} from "@arcwise/bench/report";
import type { ClimbPass, ClimbResult, Pass } from "./climb-measures.ts";

const READING =
  "Short of the best: how much the score of a sentence's tree is, on average, below the best tree " +
  "that any run found. Reached: the share of sentences whose tree scores at least as much as the tree of " +
  "the exact projective decoder; exceeded: more, which trees with crossing arcs may. Times are CPU " +
  "time of one pass over all sentences.";

/** Returns tables and curves of searches by restarts and by time, and of searches by arc scores alone. */
export function climbSections(results: readonly ClimbResult[]): Section[] {
  const byRestarts = results.flatMap(({ treebank, byRestarts: passes }) =>
    passes.map((pass) => ({ series: treebank, x: pass.restarts, ...pass })),
  );
  const byTime = results.flatMap(({ treebank, byTime: passes }) =>
    passes.map((pass) => ({ series: treebank, x: pass.milliseconds, ...pass })),
  );
  return [
    {
      title: "By restarts",
      text: READING,
      figures: curves(byRestarts, "climbs per sentence"),
      tables: results.map((result) => restartTable(result)),
    },
    {
      title: "By time",
      text: "No climb begins once a sentence has had its time; the first one always runs to its end.",
      figures: curves(byTime, "milliseconds per sentence"),
      tables: results.map((result) => timeTable(result)),
    },
    {
      title: "Arc scores alone",
      text:
        "Climbs from random starts, without the maximum arborescence as a start: drawn in proportion " +
        "to the exponential of arc scores, or uniformly. Equal: the share of sentences whose tree " +
        "scores as much as the maximum arborescence.",
      figures: [],
      tables: [firstOrderTable(results)],
    },
  ];
}

function curves(points: readonly (ClimbPass & { series: string; x: number })[], x: string): Figure[] {
  if (points.length === 0) return [];
  const figure = (title: string, y: string, of: (pass: ClimbPass) => number): Figure => ({
    title,
    drawing: curvePlot(
      points.map((point): SeriesPoint => {
        const value = of(point);
        return {
          series: point.series,
          x: point.x,
          y: value,
          title: `${point.series}, ${point.x}: ${value.toFixed(4)}`,
        };
      }),
      { x, y },
    ),
  });
  return [
    figure(`Score, by ${x}`, "short of the best score", ({ short }) => -short),
    figure(`Accuracy, by ${x}`, "UAS (%)", ({ uas }) => 100 * uas),
  ];
}

const COLUMNS: readonly Column[] = [
  right("µs per word"),
  right("words/s"),
  right("mean score"),
  right("short of the best"),
  right("reached"),
  right("exceeded"),
  right("UAS"),
];

function cells(pass: Pass & Partial<ClimbPass>): string[] {
  const share = (value: number | undefined) => (value === undefined ? "" : `${formatPercent(value)} %`);
  return [
    threeDigits(pass.time),
    formatInteger(pass.wordsPerSecond),
    pass.score.toFixed(4),
    pass.short === undefined ? "" : pass.short.toFixed(4),
    share(pass.reached),
    share(pass.exceeded),
    formatPercent(pass.uas),
  ];
}

function titleOf({ treebank, kinds, sentences, words, candidates }: ClimbResult): string {
  const parts = kinds.length === 0 ? "arcs alone" : kinds.join(", ");
  return (
    `${treebank}: ${formatInteger(sentences)} sentences, ${formatInteger(words)} words, ` +
    `${threeDigits(candidates)} candidate heads per word; ${parts}`
  );
}

function restartTable(result: ClimbResult): Table {
  const { exact, byRestarts } = result;
  return {
    title: titleOf(result),
    columns: [left("climbs"), ...COLUMNS],
    rows: [
      ...byRestarts.map((pass) => [formatInteger(pass.restarts), ...cells(pass)]),
      ...(exact === undefined ? [] : [["exact, projective", ...cells(exact)]]),
    ],
  };
}

function timeTable(result: ClimbResult): Table {
  return {
    title: titleOf(result),
    columns: [left("ms per sentence"), ...COLUMNS],
    rows: result.byTime.map((pass) => [`${pass.milliseconds}`, ...cells(pass)]),
  };
}

function firstOrderTable(results: readonly ClimbResult[]): Table {
  return {
    title: "Equal to the maximum arborescence",
    columns: [left("treebank"), left("starts"), right("equal"), right("µs per word"), right("UAS")],
    rows: results.flatMap(({ treebank, arborescence, firstOrder }) => [
      ...firstOrder.map((pass) => [
        treebank,
        pass.start,
        `${formatPercent(pass.reached!)} %`,
        threeDigits(pass.time),
        formatPercent(pass.uas),
      ]),
      [
        treebank,
        "(the arborescence itself)",
        "",
        threeDigits(arborescence.time),
        formatPercent(arborescence.uas),
      ],
    ]),
  };
}

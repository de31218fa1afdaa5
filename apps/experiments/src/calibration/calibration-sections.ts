import { formatInteger, formatPercent, threeDigits } from "@arcwise/bench/command";
import { left, reliabilityPlot, right, type Section, type Table } from "@arcwise/bench/report";
import type { Reliability } from "@arcwise/evaluate";
import type { ParserModel } from "@arcwise/parser";
import type { Calibration } from "./calibration.ts";

/** Returns reliability tables and diagrams of predicted heads and of all candidate arcs. */
export function calibrationSections(
  treebank: string,
  { description }: ParserModel,
  results: readonly Calibration[],
): Section[] {
  const { accuracy, recall } = results[0]!;
  const about =
    `First-order model (${description.decoder}, ${description.learner}), test split of ${treebank}: ` +
    `${formatPercent(accuracy)} % of the chosen heads are right; ${formatPercent(recall)} % of the ` +
    "gold arcs are candidates, and only candidates have a probability.";
  return [
    section("Heads that the parser chooses", about, results, ({ chosen }) => chosen, "heads"),
    section(
      "All candidate arcs",
      "Every arc that is left after pruning, chosen or not.",
      results,
      ({ candidates }) => candidates,
      "arcs",
    ),
  ];
}

function nameOf({ temperature }: Calibration): string {
  return temperature === 1 ? "scores as they are" : `scores divided by ${threeDigits(temperature)}`;
}

function section(
  title: string,
  text: string,
  results: readonly Calibration[],
  pick: (result: Calibration) => Reliability,
  what: string,
): Section {
  const points = results.flatMap((result) =>
    pick(result)
      .bins.filter(({ count }) => count > 0)
      .map((bin) => ({ series: nameOf(result), ...bin })),
  );
  return {
    title,
    text,
    figures: [
      {
        title: "Reliability",
        note:
          "Below the diagonal the model is too sure of itself. The size of a point is the number of " +
          "arcs.",
        drawing: reliabilityPlot(points),
      },
    ],
    tables: results.map((result) => reliabilityTable(result, pick(result), what)),
  };
}

function reliabilityTable(result: Calibration, { bins, count, error }: Reliability, what: string): Table {
  const name = nameOf(result);
  const fitted = result.temperature === 1 ? "" : " The divisor is fitted to the gold trees of the dev split.";
  const share = (value: number): string => (Number.isNaN(value) ? "" : formatPercent(value));
  return {
    title: `${name[0]!.toUpperCase()}${name.slice(1)}: expected calibration error ${formatPercent(error)} %`,
    columns: [left("probability"), right(what), right("mean probability %"), right("correct %")],
    rows: bins.map((bin) => [
      `${bin.from.toFixed(1)}–${bin.to.toFixed(1)}`,
      formatInteger(bin.count),
      share(bin.predicted),
      share(bin.observed),
    ]),
    note: `${formatInteger(count)} ${what}.${fitted}`,
  };
}

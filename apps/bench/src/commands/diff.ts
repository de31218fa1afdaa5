import { integer } from "@arcwise/cli/command";
import { Command } from "commander";
import { type CommandFactory, type Io, type OutputOptions, publish, withOutputs } from "../command/io.ts";
import { diffResults, type MeasureDifference, type ResultDifference } from "../measures/diff-results.ts";
import { left, right, type Section } from "../report/report.ts";
import { formatInteger, formatP, formatPercent, threeDigits } from "../results/format.ts";
import { type ResultFile, readResultFile } from "../results/results.ts";

interface DiffArguments extends OutputOptions {
  readonly seed: number;
}

/** `arcwise-bench diff A B`: what changed between two files of results. */
export const diffCommand: CommandFactory = (io) =>
  withOutputs(
    new Command("diff")
      .description("compare two files of --json: ratios, and which differences are more than noise")
      .argument("<first>", "results before a change")
      .argument("<second>", "results after it")
      .option("--seed <n>", "decides the bootstrap samples", integer(0), 1),
  ).action((first: string, second: string, options: DiffArguments) => diff(io, [first, second], options));

async function diff(io: Io, [a, b]: readonly [string, string], options: DiffArguments): Promise<void> {
  const [first, second] = [readResultFile(a), readResultFile(b)];
  const results = diffResults(first, second, options.seed);
  await publish(io, options, {
    title: `${b} against ${a}`,
    sections: [diffSection(results, first, second)],
    seed: options.seed,
    results,
  });
}

function diffSection(found: ResultDifference, first: ResultFile, second: ResultFile): Section {
  const counts = (verdict: MeasureDifference["verdict"]): number =>
    found.rows.filter((row) => row.verdict === verdict).length;
  const only = (which: string, names: readonly string[]): string =>
    names.length === 0 ? "" : ` Only in the ${which}: ${names.join("; ")}.`;
  return {
    title: "Second against first",
    finding:
      `Of ${found.rows.length} measures in both files, ${counts("better")} are better in the second, ` +
      `${counts("worse")} are worse, ${counts("same")} are the same.`,
    text:
      `First: ${originOf(first)}. Second: ${originOf(second)}.` +
      only("first", found.onlyFirst) +
      only("second", found.onlySecond),
    figures: [],
    tables: [
      {
        title: "Measures in both files",
        columns: [
          left("measured on"),
          left("name"),
          left("measure"),
          right("first"),
          right("second"),
          right("ratio", "Second over first."),
          right(
            "p",
            "Paired bootstrap test over sentences, where both files have the same ones; corrected by Holm over all tests.",
          ),
          left(
            "verdict",
            "Times and speeds differ where their ranges do not overlap; other figures have no verdict.",
          ),
        ],
        rows: found.rows.map((row) => [
          row.group,
          row.name,
          row.measure,
          formatValue(row.first, row.unit),
          formatValue(row.second, row.unit),
          Number.isFinite(row.ratio) ? row.ratio.toFixed(3) : "",
          row.p === undefined ? "" : formatP(row.p),
          row.verdict === "unknown" ? "" : row.verdict,
        ]),
      },
    ],
  };
}

function originOf({ environment }: ResultFile): string {
  const { date, cpu, node, arcwise, commit } = environment;
  return `${commit ?? arcwise}, Node ${node}, ${cpu}, ${date.slice(0, 16).replace("T", " ")}`;
}

function formatValue(value: number, unit: MeasureDifference["unit"]): string {
  if (unit === "share") return `${formatPercent(value)} %`;
  if (unit === "score") return value.toFixed(4);
  if (unit === "words/s" || unit === "count" || unit === "bytes") return formatInteger(value);
  return `${threeDigits(value)} ${unit}`;
}

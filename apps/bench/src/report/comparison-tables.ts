import type { BootstrapResult } from "@arcwise/evaluate";
import { deviation, mean } from "../measures/timing.ts";
import { formatInteger, formatP, formatPercent, formatPoints } from "../results/format.ts";
import { left, right, type Table } from "./report.ts";

interface Spread {
  readonly uas: readonly number[];
  readonly las: readonly number[];
  readonly optimal?: readonly number[];
  readonly certified?: readonly number[];
}

/** Formats the mean of shares with their standard deviation: `87.44 ± 0.21`. */
export function formatSpread(shares: readonly number[]): string {
  return `${formatPercent(mean(shares))} ± ${formatPercent(deviation(shares))}`;
}

/** Returns mean scores over models with their standard deviations. */
export function spreadTable<Row extends Spread>(
  { title, note }: Pick<Table, "title" | "note">,
  [label, nameOf]: readonly [string, (row: Row) => string],
  over: string,
  rows: readonly Row[],
): Table {
  const hint = `Mean over the ${over}, and standard deviation.`;
  const hasShares = rows.some(({ optimal }) => optimal !== undefined);
  return {
    title,
    columns: [
      left(label),
      right("UAS", hint),
      right("LAS", hint),
      right("lowest LAS"),
      right("highest LAS"),
      ...(hasShares
        ? [
            right(
              "optimal %",
              `Percentage of sentences whose tree has the best score that is known. ${hint}`,
            ),
            right("certified %", `Percentage of sentences whose tree is proved optimal. ${hint}`),
          ]
        : []),
    ],
    rows: rows.map((row) => [
      nameOf(row),
      ...[row.uas, row.las].map(formatSpread),
      ...[Math.min(...row.las), Math.max(...row.las)].map((las) => formatPercent(las)),
      ...[row.optimal ?? [], row.certified ?? []].filter(() => hasShares).map(formatSpread),
    ]),
    note,
  };
}

interface Pair {
  readonly first: string;
  readonly second: string;
  readonly uas?: BootstrapResult;
  readonly las: BootstrapResult;
  readonly correctedP?: number | undefined;
}

/** Returns the differences of pairs, with corrected p-values if all have one; no table without pairs. */
export function differenceTable(title: string, pairs: readonly Pair[], isDetail = false): Table[] {
  const [one] = pairs;
  if (one === undefined) return [];
  const metrics = (["uas", "las"] as const).filter((metric) => one[metric] !== undefined);
  const isCorrected = !isDetail && pairs.every(({ correctedP }) => correctedP !== undefined);
  return [
    {
      title,
      isDetail,
      columns: [
        left("first"),
        left("second"),
        ...metrics.flatMap((metric) => [right(metric.toUpperCase()), right("95 % interval"), right("p")]),
        ...(isCorrected ? [right("corrected p", "Corrected by Holm over the rows of the table.")] : []),
      ],
      rows: pairs.map((pair) => [
        pair.first,
        pair.second,
        ...metrics.flatMap((metric) => {
          const { difference, interval, pValue } = pair[metric]!;
          const ends = interval.map((end) => formatPoints(end)).join(" to ");
          return [formatPoints(difference), ends, formatP(pValue)];
        }),
        ...(isCorrected ? [formatP(pair.correctedP!)] : []),
      ]),
      note:
        "Percentage points, second minus first; paired bootstrap over sentences, " +
        `${formatInteger(one.las.samples)} samples, two-sided.`,
    },
  ];
}

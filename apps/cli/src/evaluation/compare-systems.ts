import type { ConlluSentence } from "@arcwise/conllu";
import {
  type BootstrapResult,
  evaluateConllu,
  type MetricScore,
  pairedBootstrap,
  sentenceMetrics,
  type UdEvaluation,
  type UdMetric,
  type WordMetric,
} from "@arcwise/evaluate";
import { columnsOf, percent, type Table } from "./error-tables.ts";

/** A system and what is known of it. */
export interface ComparedSystem {
  /** The name of its file. */
  readonly system: string;
  /** Scores by metric. */
  readonly metrics: Readonly<Record<string, Pick<MetricScore, "precision" | "recall" | "f1">>>;
  /** Differences from the first system, by metric; absent for the first one. */
  readonly comparison?: Readonly<Record<string, BootstrapResult>> | undefined;
}

/** A file of a system. */
export interface SystemFile {
  readonly name: string;
  readonly sentences: readonly ConlluSentence[];
}

/** How systems are compared. */
export interface ComparisonOptions {
  readonly singleRoot: boolean;
  /** The metrics whose differences are tested. */
  readonly metrics: readonly WordMetric[];
  /** Turns an error about a system into one that names its file. */
  errorOf(error: unknown, system: SystemFile): unknown;
}

/**
 * Evaluates systems on the same gold sentences, and tests the differences of the others from the first one by a paired
 * bootstrap over gold sentences. The systems may have found other words than each other.
 */
export function compareSystems(
  gold: readonly ConlluSentence[],
  systems: readonly SystemFile[],
  { singleRoot, metrics, errorOf }: ComparisonOptions,
): (ComparedSystem & UdEvaluation)[] {
  const evaluated = systems.map((system) => {
    try {
      const { metrics: scores } = evaluateConllu(gold, system.sentences, { singleRoot });
      return { system, scores, counts: sentenceMetrics(gold, system.sentences, { singleRoot }) };
    } catch (error) {
      throw errorOf(error, system);
    }
  });
  const [first] = evaluated;
  return evaluated.map(({ system, scores, counts }, i) => {
    const tested = metrics.map((name) => [
      name,
      pairedBootstrap({ a: first!.counts[name], b: counts[name] }),
    ]);
    return {
      system: system.name,
      metrics: scores,
      comparison: i === 0 ? undefined : (Object.fromEntries(tested) as ComparedSystem["comparison"]),
    };
  });
}

/** Metrics of the table of scores of trees, as most papers report them. */
const SHOWN: readonly UdMetric[] = [
  ...(["Sentences", "Words", "UPOS", "UFeats", "Lemmas"] as const),
  ...(["UAS", "LAS", "CLAS", "MLAS", "BLEX"] as const),
];

/** Returns a table of the scores of all systems, and one of the differences. @param names the metrics of the first table */
export function comparisonTables(
  systems: readonly ComparedSystem[],
  names: readonly string[] = SHOWN,
  note = "Metrics of the CoNLL 2018 shared task.",
): Table[] {
  const f1 = ({ metrics }: ComparedSystem, name: string) => metrics[name]?.f1 ?? 0;
  const shown = names.filter((name) => systems.some((system) => f1(system, name) > 0));
  const scores: Table = {
    title: "F1 in per cent",
    note,
    columns: columnsOf(["system"], shown),
    rows: systems.map((one) => [one.system, ...shown.map((name) => percent(f1(one, name)))]),
  };
  return [scores, differenceTable(systems)];
}

/** Returns one table with a row per system and metric, in fractions. */
export function comparisonRows(systems: readonly ComparedSystem[]): Table {
  const numbers = ["precision", "recall", "f1", "difference", "from", "to", "p"];
  return {
    title: "F1 and differences",
    columns: columnsOf(["system", "metric"], numbers),
    rows: systems.flatMap(({ system, metrics, comparison = {} }) =>
      Object.entries(metrics).map(([metric, { precision, recall, f1 }]) => {
        const test = comparison[metric];
        const tested = test && [test.difference, ...test.interval, test.pValue];
        const cells = [precision, recall, f1, ...(tested ?? [])].map((value) => value.toFixed(6));
        return [system, metric, ...cells, ...(tested ? [] : ["", "", "", ""])];
      }),
    ),
  };
}

function differenceTable(systems: readonly ComparedSystem[]): Table {
  const [first] = systems;
  const samples = Object.values(systems[1]?.comparison ?? {})[0]?.samples;
  return {
    title: `Differences from ${first!.system}`,
    note: `In points, with an interval of 95 %; p by a paired bootstrap over sentences, ${samples} samples.`,
    columns: columnsOf(["system", "metric"], ["difference", "from", "to", "p"]),
    rows: systems.flatMap(({ system, comparison = {} }) =>
      Object.entries(comparison).map(([metric, { difference, interval, pValue }]) => [
        system,
        metric,
        ...[difference, ...interval].map(points),
        pValue.toFixed(4),
      ]),
    ),
  };
}

function points(difference: number): string {
  const text = (100 * difference).toFixed(2);
  return difference > 0 && text !== "0.00" ? `+${text}` : text.replace(/^-(0\.00)$/, "$1");
}

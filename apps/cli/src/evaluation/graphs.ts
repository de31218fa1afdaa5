import { type ConlluSentence, collapseEmptyNodes, type SdpSentence } from "@arcwise/conllu";
import {
  enhancedPairs,
  evaluateConllu,
  type GraphClasses,
  type GraphScores,
  graphClasses,
  graphCounts,
  graphScores,
  type MetricScore,
  pairedBootstrap,
  sdpPairs,
} from "@arcwise/evaluate";
import { type GraphFormat, type GraphSentence, openGraphs } from "../analysis/graph-sentences.ts";
import { checkInterrupt, UsageError } from "../errors.ts";
import { readBytes } from "../files/input.ts";
import { displayName, type Io } from "../files/io.ts";
import { jsonText } from "../files/output.ts";
import { inFileOf, requireSome } from "../files/sentences.ts";
import { type ComparedSystem, comparisonRows, comparisonTables } from "./compare-systems.ts";
import { columnsOf, percent, type Table } from "./error-tables.ts";
import { evaluationError } from "./evaluation-error.ts";
import { formatTables, type TableFormat } from "./table-formats.ts";

interface GraphReportOptions {
  readonly format: TableFormat | "json";
  /** Whether precision and recall by class are written as well. */
  readonly classes: boolean;
}

/**
 * Evaluates the graphs of systems: of SDP files, or of DEPS of CoNLL-U files. Returns the text of their scores; of several
 * systems with their differences from the first one.
 */
export async function evaluateGraphs(
  io: Io,
  gold: string,
  systems: readonly string[],
  { format, classes }: GraphReportOptions,
): Promise<string> {
  const reports = await graphReports(io, gold, systems);
  const [first, ...others] = reports.map((report, s) => ({ system: displayName(systems[s]!), ...report }));
  if (others.length === 0)
    return format === "json" ? jsonText(reports[0]) : formatTables(graphTables(reports[0]!, classes), format);
  if (format === "json") return jsonText({ systems: [first, ...others] });
  const compared = [first!, ...others].map(comparedGraphs);
  const names = Object.keys(compared[0]!.metrics);
  if (format === "csv") return formatTables([comparisonRows(compared)], format);
  return formatTables(
    comparisonTables(compared, names, "Edges, and what the graphs have with them."),
    format,
  );
}

/** Returns the scores of the graphs of each system, and differences from the first one. */
async function graphReports(io: Io, gold: string, systems: readonly string[]) {
  const known = await readGraphs(io, gold);
  const evaluated: Awaited<ReturnType<typeof evaluateSystem>>[] = [];
  for (const system of systems) evaluated.push(await evaluateSystem(io, known, { gold, system }));
  return evaluated.map(({ pairs, ...report }, s) => {
    const difference = (metric: "labelled" | "unlabelled") =>
      pairedBootstrap({ a: graphCounts(evaluated[0]!.pairs, metric), b: graphCounts(pairs, metric) });
    if (s === 0) return { ...report, comparison: undefined };
    return {
      ...report,
      comparison: { labelled: difference("labelled"), unlabelled: difference("unlabelled") },
    };
  });
}

type GraphReport = Awaited<ReturnType<typeof graphReports>>[number];

async function evaluateSystem(io: Io, gold: Graphs, files: Readonly<Record<"gold" | "system", string>>) {
  const system = await readGraphs(io, files.system);
  if (system.format !== gold.format) {
    const names = [files.gold, files.system].map(displayName).join(", ");
    throw new UsageError(`expected files of one format, got ${names}`);
  }
  try {
    const { pairs, ELAS, EULAS } = pairsOf(gold, system);
    return {
      pairs,
      scores: graphScores(pairs),
      withTops: graphScores(pairs, { tops: true }),
      withSenses: graphScores(pairs, { senses: true }),
      withTopsAndSenses: graphScores(pairs, { tops: true, senses: true }),
      ELAS,
      EULAS,
      classes: graphClasses(pairs),
    };
  } catch (error) {
    throw evaluationError(error, files);
  }
}

interface Graphs {
  readonly format: GraphFormat;
  readonly sentences: readonly GraphSentence[];
}

async function readGraphs(io: Io, path: string): Promise<Graphs> {
  const file = displayName(path);
  const { format, sentences: source } = await openGraphs(readBytes(io, path), file);
  const sentences: GraphSentence[] = [];
  for await (const sentence of source) {
    checkInterrupt(io);
    sentences.push("version" in sentence ? sentence : inFileOf(file, () => collapsed(sentence)));
  }
  requireSome(sentences, path, "to evaluate");
  return { format, sentences };
}

/**
 * Returns a sentence with the paths through empty nodes as labels of DEPS. The empty nodes stay, so that errors of later
 * steps have the right lines.
 */
function collapsed(sentence: ConlluSentence): ConlluSentence {
  const words = collapseEmptyNodes(sentence).rows.filter((row) => row.kind === "word");
  let next = 0;
  return { ...sentence, rows: sentence.rows.map((row) => (row.kind === "word" ? words[next++]! : row)) };
}

/** Returns the pairs of two files of one format, with the metrics of the IWPT shared tasks of CoNLL-U files. */
function pairsOf({ format, sentences: gold }: Graphs, { sentences: system }: Graphs) {
  if (format === "sdp") {
    const pairs = sdpPairs(gold as SdpSentence[], system as SdpSentence[]);
    return { pairs, ELAS: undefined, EULAS: undefined };
  }
  const [a, b] = [gold as ConlluSentence[], system as ConlluSentence[]];
  const { ELAS, EULAS } = evaluateConllu(a, b, { singleRoot: false }).metrics;
  return { pairs: enhancedPairs(a, b), ELAS, EULAS };
}

type Score = GraphScores["tops"] | GraphScores["labelled"] | MetricScore;

/** Returns the scores of a system by their names; of tops and senses if there are any. */
function scoresOf(report: GraphReport): Readonly<Record<string, Score>> {
  const { scores, withTops, withSenses, withTopsAndSenses, ELAS, EULAS } = report;
  const { tops, predicates, senses } = scores;
  const hasTops = tops.gold + tops.predicted > 0;
  const hasPredicates = predicates.gold + predicates.predicted > 0;
  const edges = (what: string, { labelled, unlabelled }: GraphScores) => ({
    [`Labelled${what}`]: labelled,
    [`Unlabelled${what}`]: unlabelled,
  });
  return {
    ...edges("", scores),
    ...(hasTops && edges(" + tops", withTops)),
    ...(hasPredicates && edges(" + senses", withSenses)),
    ...(hasTops && hasPredicates && edges(" + both", withTopsAndSenses)),
    ...(hasTops && { Tops: tops }),
    ...(hasPredicates && { Predicates: predicates, Senses: senses }),
    ...(ELAS && EULAS && { ELAS, EULAS }),
  };
}

function comparedGraphs(report: GraphReport & { readonly system: string }): ComparedSystem {
  const { system, comparison } = report;
  const { labelled: Labelled, unlabelled: Unlabelled } = comparison ?? {};
  return {
    system,
    metrics: scoresOf(report),
    comparison: Labelled && Unlabelled && { Labelled, Unlabelled },
  };
}

/** Returns the tables of a system, in per cent. @param classes whether precision and recall by class are among them */
function graphTables(report: GraphReport, classes: boolean): Table[] {
  const { scores } = report;
  const scored: Table = {
    title: "Graphs",
    note:
      scores.predicates.gold + scores.predicates.predicted > 0
        ? `sense accuracy of the predicates found: ${percent(scores.senseAccuracy)}`
        : undefined,
    columns: columnsOf(["Items"], ["Precision", "Recall", "F1 Score", "Exact"]),
    rows: Object.entries(scoresOf(report)).map(([name, score]) => [
      name,
      ...[score.precision, score.recall, score.f1].map(percent),
      "exactMatch" in score ? percent(score.exactMatch) : "",
    ]),
  };
  return classes ? [scored, ...Object.entries(report.classes).map(classTable)] : [scored];
}

function classTable([name, rows]: [string, GraphClasses["label"]]): Table {
  return {
    title: `By ${name}`,
    columns: columnsOf([name], ["Gold", "Predicted", "Precision", "Recall", "F1 Score", "Unlab. F1"]),
    rows: rows.map(({ key, gold, predicted, labelled, unlabelled }) => {
      const shares = [labelled.precision, labelled.recall, labelled.f1, unlabelled.f1].map(percent);
      return [key, `${gold}`, `${predicted}`, ...shares];
    }),
  };
}

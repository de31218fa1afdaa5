import { ConlluError, type ConlluSentence } from "@arcwise/conllu";
import { counted } from "@arcwise/core/errors";
import {
  type AttachmentScores,
  attachmentScores,
  evaluateConllu,
  headReliability,
  type MetricScore,
  type Reliability,
  SentenceMismatch,
  treePairs,
  type UdEvaluation,
  WORD_METRICS,
  type WordMetric,
} from "@arcwise/evaluate";
import { Command, InvalidArgumentError, Option } from "commander";
import { type CommandFactory, integer, refuse } from "../command/options.ts";
import { DataError, UsageError } from "../errors.ts";
import {
  compareSystems,
  comparisonRows,
  comparisonTables,
  type SystemFile,
} from "../evaluation/compare-systems.ts";
import { columnsOf, errorTables, percent as percentOf, type Table } from "../evaluation/error-tables.ts";
import { evaluationError } from "../evaluation/evaluation-error.ts";
import { formatTables, TABLE_FORMATS, tableText } from "../evaluation/table-formats.ts";
import { type ComparedFiles, type TreeErrors, treeErrors } from "../evaluation/tree-errors.ts";
import { given, planFiles } from "../files/file-plan.ts";
import { displayName, type Io } from "../files/io.ts";
import { jsonText, printOutput, writeOutput } from "../files/output.ts";
import { evaluatedSentences } from "../files/sentences.ts";

const FORMATS = [...TABLE_FORMATS, "json"] as const;

interface EvaluateArguments {
  readonly format?: (typeof FORMATS)[number] | undefined;
  readonly json?: boolean | undefined;
  readonly metrics?: readonly WordMetric[] | undefined;
  readonly multipleRoots?: boolean | undefined;
  readonly errors?: boolean | undefined;
  readonly html?: string | undefined;
  readonly worst?: number | undefined;
  readonly graphs?: boolean | undefined;
}

/** Number of worst sentences that are listed and drawn. */
const WORST = 10;

/** `arcwise evaluate GOLD SYSTEM... [--errors] [--html FILE] [--format F]` */
export const evaluateCommand: CommandFactory = (io) =>
  new Command("evaluate")
    .description(
      "compare parsed files with their gold standard, as the CoNLL 2018 shared task does; graphs with --graphs",
    )
    .argument("<gold>", "the gold standard, CoNLL-U; SDP for graphs")
    .argument("<systems...>", "what parsers made of the same text; several are compared with the first")
    .option(
      "--graphs",
      "compare graphs of the same words: of SDP files, for which it is the default, or DEPS of CoNLL-U files",
    )
    .addOption(
      new Option("--format <name>", "text (the default); tables for documents; json: all counts").choices(
        FORMATS,
      ),
    )
    .option("--json", "the same as --format json")
    .option(
      "--metrics <names>",
      "metrics of several systems whose differences are tested, separated by commas (UAS,LAS)",
      metricNames,
    )
    .option(
      "--errors",
      "also print confusions, accuracy by class, and the worst sentences: both files must have the same words; of graphs " +
        "precision and recall by label and by distance",
    )
    .option(
      "--html <file>",
      "write a page with the errors and the worst sentences, gold and predicted trees drawn",
    )
    .addOption(new Option("--worst <n>", `number of worst sentences (${WORST})`).argParser(integer(0)))
    .option("--multiple-roots", "accept sentences with several roots, which the shared task refuses")
    .action((gold: string, systems: string[], options: EvaluateArguments) => {
      if (options.graphs || /\.sdp(?:\.gz)?$/.test(gold)) return evaluateFiles(io, gold, systems, options);
      return systems.length === 1
        ? evaluate(io, gold, systems[0]!, options)
        : compare(io, gold, systems, options);
    });

/** A parser of option values: names of metrics over words. */
function metricNames(text: string): WordMetric[] {
  return text.split(",").map((name) => {
    const metric = WORD_METRICS.find((one) => one.toLowerCase() === name.trim().toLowerCase());
    if (metric === undefined) throw new InvalidArgumentError(`Expected names of ${WORD_METRICS.join(", ")}.`);
    return metric;
  });
}

function formatOf({ format, json }: EvaluateArguments): (typeof FORMATS)[number] {
  if (json === true && format !== undefined && format !== "json")
    throw new UsageError(`--json is --format json: leave out one of both, found --format ${format}`);
  return json === true ? "json" : (format ?? "text");
}

/** Evaluates the graphs of one or several systems. */
async function evaluateFiles(
  io: Io,
  gold: string,
  systems: readonly string[],
  options: EvaluateArguments,
): Promise<void> {
  refuse(options, ["metrics", "html", "worst", "multipleRoots"], "is for trees, found graphs");
  const format = formatOf(options);
  await planSystems(io, gold, systems, options);
  const { evaluateGraphs } = await import("../evaluation/graphs.ts");
  const text = await evaluateGraphs(io, gold, systems, { format, classes: options.errors === true });
  await printOutput(io, text);
}

async function planSystems(
  io: Io,
  gold: string,
  systems: readonly string[],
  options: EvaluateArguments,
): Promise<void> {
  if (systems.length > 1)
    refuse(options, ["errors", "html", "worst"], `takes one system, found ${systems.length}`);
  const inputs = given({ "the gold standard": gold, "the system": systems });
  await planFiles(io, { inputs, outputs: {} });
}

async function compare(
  io: Io,
  gold: string,
  paths: readonly string[],
  options: EvaluateArguments,
): Promise<void> {
  const format = formatOf(options);
  await planSystems(io, gold, paths, options);
  const goldSentences = await evaluatedSentences(io, gold);
  const systems: (SystemFile & { readonly path: string })[] = [];
  for (const path of paths)
    systems.push({ path, name: displayName(path), sentences: await evaluatedSentences(io, path) });
  const compared = compareSystems(goldSentences, systems, {
    singleRoot: options.multipleRoots !== true,
    metrics: options.metrics ?? ["UAS", "LAS"],
    errorOf: (error, system) =>
      evaluationError(error, { gold, system: (system as (typeof systems)[number]).path }),
  });
  const text =
    format === "json"
      ? jsonText({ systems: compared })
      : formatTables(format === "csv" ? [comparisonRows(compared)] : comparisonTables(compared), format);
  await printOutput(io, text);
}

async function evaluate(io: Io, gold: string, system: string, options: EvaluateArguments): Promise<void> {
  if (options.html === "-") throw new UsageError("--html requires the name of a file, got -");
  if (options.worst !== undefined && !wantsErrors(options))
    throw new UsageError("--worst requires --errors or --html FILE");
  if (options.metrics !== undefined)
    throw new UsageError("--metrics are for the differences of several systems, found one");
  const format = formatOf(options);
  const inputs = given({ "the gold standard": gold, "the system": system });
  const outputs = options.html === undefined ? {} : { "--html": options.html };
  const { "--html": page } = await planFiles<string>(io, { inputs, outputs });
  const goldSentences = await evaluatedSentences(io, gold);
  const systemSentences = await evaluatedSentences(io, system);
  let evaluation: UdEvaluation;
  try {
    evaluation = evaluateConllu(goldSentences, systemSentences, {
      singleRoot: options.multipleRoots !== true,
    });
  } catch (error) {
    throw evaluationError(error, { gold, system });
  }
  const names = { gold: displayName(gold), system: displayName(system) };
  const compared = comparedFiles(goldSentences, systemSentences, names, options);
  const attachment = compared?.attachment;
  const errors =
    compared !== undefined && wantsErrors(options) ? treeErrors(compared, options.worst ?? WORST) : undefined;
  const reliability = attachment && headReliability(goldSentences, systemSentences);
  if (page !== undefined && compared !== undefined && errors !== undefined) {
    const { errorPage } = await import("../evaluation/error-page.ts");
    await writeOutput(io, page, errorPage({ files: compared, names, errors }));
  }
  const listed = options.errors === true ? errors : undefined;
  const report = { ...evaluation, attachment, reliability };
  await printOutput(io, reportText(report, listed, format));
}

interface Report extends UdEvaluation {
  readonly attachment: AttachmentScores | undefined;
  readonly reliability: Reliability | undefined;
}

function reportText(
  report: Report,
  errors: TreeErrors | undefined,
  format: (typeof FORMATS)[number],
): string {
  if (format === "json")
    return jsonText({ ...report, errors: errors && { ...errors.analysis, worst: errors.worst } });
  const { attachment, reliability } = report;
  if (format !== "text") {
    const tables = [metricTable(report), ...(reliability ? [reliabilityTable(reliability)] : [])];
    return formatTables([...tables, ...(errors ? errorTables(errors) : [])], format);
  }
  return (
    table(report) +
    (attachment ? fullLabels(report, attachment) : "") +
    (reliability ? tableText([reliabilityTable(reliability)]) : "") +
    (errors ? tableText(errorTables(errors)) : "")
  );
}

function wantsErrors({ errors, html }: EvaluateArguments): boolean {
  return errors === true || html !== undefined;
}

/**
 * Returns the pairs of both files and their scores with full labels, subtypes included; undefined where the files
 * have other words or no trees.
 */
function comparedFiles(
  gold: readonly ConlluSentence[],
  system: readonly ConlluSentence[],
  names: Readonly<Record<"gold" | "system", string>>,
  options: EvaluateArguments,
): ComparedFiles | undefined {
  try {
    const pairs = treePairs(gold, system);
    return { gold, system, pairs, attachment: attachmentScores(pairs) };
  } catch (error) {
    if (!(error instanceof SentenceMismatch || error instanceof ConlluError)) throw error;
    if (!wantsErrors(options)) return undefined;
    const message = `--errors and --html require files with the same words: ${error.message}`;
    const advice =
      error instanceof SentenceMismatch
        ? `; to parse the words of the gold file: arcwise parse MODEL ${names.gold} --tags predicted`
        : "";
    throw new DataError(`${names.gold} and ${names.system}: ${message}${advice}`, { cause: error });
  }
}

/** One line that names both scores of labels. */
function fullLabels({ metrics }: UdEvaluation, { uas, las, words }: AttachmentScores): string {
  const [stripped, unlabelled, labelled] = [metrics.LAS.f1, uas, las].map(percentOf);
  return (
    `\n${counted(words, "word")}: UAS ${unlabelled}; LAS ${labelled} for labels with their subtypes, which --errors counts, ` +
    `${stripped} without\n`
  );
}

/** Words with a probability of their head, by bins that have any. */
function reliabilityTable({ bins, count, error }: Reliability): Table {
  return {
    title: `ArcP of ${counted(count, "word")}`,
    note: `Expected calibration error ${percentOf(error)}.`,
    columns: columnsOf(["Probability"], ["Words", "Mean", "Correct"]),
    rows: bins
      .filter((bin) => bin.count > 0)
      .map(({ from, to, count: words, predicted, observed }) => [
        `${from.toFixed(1)}-${to.toFixed(1)}`,
        `${words}`,
        ...[predicted, observed].map(percentOf),
      ]),
  };
}

/** The metrics in per cent that both files have counts of, for documents. */
function metricTable({ metrics }: UdEvaluation): Table {
  return {
    title: "Metrics of the CoNLL 2018 shared task",
    columns: columnsOf(["Metric"], ["Precision", "Recall", "F1", "Aligned"]),
    rows: countedMetrics(metrics).map(([name, { precision, recall, f1, alignedAccuracy }]) => [
      name,
      ...[precision, recall, f1].map(percentOf),
      alignedAccuracy === undefined ? "" : percentOf(alignedAccuracy),
    ]),
  };
}

function countedMetrics(metrics: UdEvaluation["metrics"]): [string, MetricScore][] {
  return Object.entries(metrics).filter(([, { gold, system }]) => gold > 0 && system > 0);
}

/** Precision, recall, F1 and aligned accuracy in percent, one line per metric that both files have counts of. */
function table({ metrics }: UdEvaluation): string {
  const head = "Metric     | Precision |    Recall |  F1 Score | AligndAcc";
  const rule = "-----------+-----------+-----------+-----------+-----------";
  const rows = countedMetrics(metrics).map(([name, metric]) => {
    const cells = [metric.precision, metric.recall, metric.f1, metric.alignedAccuracy].map(percent);
    return [name.padEnd(10), ...cells].join(" | ");
  });
  return `${[head, rule, ...rows].join("\n")}\n`;
}

/** A share in percent; empty without a share. */
function percent(share: number | undefined): string {
  return (share === undefined ? "" : (100 * share).toFixed(2)).padStart(9);
}

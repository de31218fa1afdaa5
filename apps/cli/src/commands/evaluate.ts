import { ConlluError, type ConlluSentence } from "@arcwise/conllu";
import {
  type AttachmentScores,
  attachmentScores,
  evaluateConllu,
  headReliability,
  InvalidSentence,
  type Reliability,
  SentenceMismatch,
  type Side,
  TextMismatch,
  treePairs,
  type UdEvaluation,
} from "@arcwise/evaluate";
import { Command, Option } from "commander";
import { DataError, UsageError } from "../command/errors.ts";
import { type CommandFactory, integer } from "../command/options.ts";
import { errorTables } from "../evaluation/error-tables.ts";
import { tableText } from "../evaluation/error-text.ts";
import { type ComparedFiles, treeErrors } from "../evaluation/tree-errors.ts";
import { given, type PlannedOutput, planFiles, STANDARD_OUTPUT } from "../files/file-plan.ts";
import { displayName, type Io } from "../files/io.ts";
import { writeOutput } from "../files/output.ts";
import { evaluatedSentences } from "../files/sentences.ts";

interface EvaluateArguments {
  readonly json?: boolean | undefined;
  readonly multipleRoots?: boolean | undefined;
  readonly errors?: boolean | undefined;
  readonly html?: string | undefined;
  readonly worst?: number | undefined;
}

/** Number of worst sentences that are listed and drawn. */
const WORST = 10;

/** `arcwise evaluate GOLD SYSTEM [--errors] [--html FILE] [--json]` */
export const evaluateCommand: CommandFactory = (io) =>
  new Command("evaluate")
    .description("compare a parsed file with its gold standard, as the CoNLL 2018 shared task does")
    .argument("<gold>", "the gold standard, CoNLL-U")
    .argument("<system>", "what a parser made of the same text, CoNLL-U")
    .option("--json", "print all counts as JSON")
    .option(
      "--errors",
      "also print confusions, accuracy by class, and the worst sentences: both files must have the same words",
    )
    .option(
      "--html <file>",
      "write a page with the errors and the worst sentences, gold and predicted trees drawn",
    )
    .addOption(new Option("--worst <n>", `number of worst sentences (${WORST})`).argParser(integer(0)))
    .option("--multiple-roots", "accept sentences with several roots, which the shared task refuses")
    .action((gold: string, system: string, options: EvaluateArguments) =>
      evaluate(io, gold, system, options),
    );

async function evaluate(io: Io, gold: string, system: string, options: EvaluateArguments): Promise<void> {
  if (options.html === "-") throw new UsageError("--html requires the name of a file, got -");
  if (options.worst !== undefined && !wantsErrors(options))
    throw new UsageError("--worst requires --errors or --html FILE");
  const page = await pageOutput(io, { gold, system }, options);
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
  await writeOutput(
    io,
    STANDARD_OUTPUT,
    options.json === true
      ? `${JSON.stringify({ ...evaluation, attachment, reliability, errors: listed && { ...listed.analysis, worst: listed.worst } }, undefined, 2)}\n`
      : table(evaluation) +
          (attachment ? fullLabels(attachment) : "") +
          (reliability ? reliabilityTable(reliability) : "") +
          (listed ? tableText(errorTables(listed)) : ""),
  );
}

/** Plans the files. Returns the output of `--html`, if there is one. */
async function pageOutput(
  io: Io,
  { gold, system }: Readonly<Record<Side, string>>,
  { html }: EvaluateArguments,
): Promise<PlannedOutput | undefined> {
  const inputs = given({ "the gold standard": gold, "the system": system });
  if (html !== undefined) return (await planFiles(io, { inputs, outputs: { "--html": html } }))["--html"];
  await planFiles(io, { inputs, outputs: {} });
  return undefined;
}

function wantsErrors({ errors, html }: EvaluateArguments): boolean {
  return errors === true || html !== undefined;
}

/**
 * Returns the pairs of both files and their scores with full labels, subtypes included; undefined where the files
 * have other words or no trees.
 *
 * @throws DataError instead where errors of trees are wanted
 */
function comparedFiles(
  gold: readonly ConlluSentence[],
  system: readonly ConlluSentence[],
  names: Readonly<Record<Side, string>>,
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

function fullLabels({ uas, las, words }: AttachmentScores): string {
  const [unlabelled, labelled] = [uas, las].map((share) => (100 * share).toFixed(2));
  return `\n${words} words, labels with their subtypes: UAS ${unlabelled}, LAS ${labelled}\n`;
}

/** A line for all words with a probability of their head, and one for each bin that has any. */
function reliabilityTable({ bins, count, error }: Reliability): string {
  const percents = (shares: readonly number[]) => shares.map((share) => (100 * share).toFixed(2).padStart(9));
  const rows = bins
    .filter((bin) => bin.count > 0)
    .map(({ from, to, count: words, predicted, observed }) => {
      const range = `${from.toFixed(1)}-${to.toFixed(1)}`;
      return `${[range.padEnd(11), String(words).padStart(9), ...percents([predicted, observed])].join(" | ")}\n`;
    });
  const [calibration] = percents([error]);
  return (
    `\nArcP of ${count} words: expected calibration error ${calibration!.trim()}\n` +
    `Probability |     Words |      Mean |   Correct\n${rows.join("")}`
  );
}

/** Returns an error of the evaluation, which speaks of gold and system, with the names of these files. */
export function evaluationError(error: unknown, files: Readonly<Record<Side, string>>): unknown {
  if (error instanceof InvalidSentence) {
    return new DataError(`${displayName(files[error.side])}:${error.line}: ${error.message}`, {
      cause: error,
    });
  }
  if (!(error instanceof TextMismatch)) return error;
  const { gold, system } = error;
  const places = `${displayName(files.gold)}:${gold.line} and ${displayName(files.system)}:${system.line}`;
  return new DataError(`${places}: ${error.message}`, { cause: error });
}

/** Precision, recall, F1 and aligned accuracy in percent, one line per metric that both files have counts of. */
function table({ metrics }: UdEvaluation): string {
  const head = "Metric     | Precision |    Recall |  F1 Score | AligndAcc";
  const rule = "-----------+-----------+-----------+-----------+-----------";
  const counted = Object.entries(metrics).filter(([, { gold, system }]) => gold > 0 && system > 0);
  const rows = counted.map(([name, metric]) => {
    const cells = [metric.precision, metric.recall, metric.f1, metric.alignedAccuracy].map(percent);
    return [name.padEnd(10), ...cells].join(" | ");
  });
  return `${[head, rule, ...rows].join("\n")}\n`;
}

/** Empty where a metric has none. */
function percent(share: number | undefined): string {
  return (share === undefined ? "" : (100 * share).toFixed(2)).padStart(9);
}

import { type ConlluSentence, collapseEmptyNodes, readSdp, type SdpSentence } from "@arcwise/conllu";
import {
  type BootstrapResult,
  enhancedPairs,
  evaluateConllu,
  type GraphPair,
  graphClasses,
  graphCounts,
  graphScores,
  type MetricScore,
  pairedBootstrap,
  SentenceMismatch,
  sdpPairs,
  type UdEvaluation,
} from "@arcwise/evaluate";
import { Command } from "commander";
import { type GraphFormat, graphFormat, graphFormatOption } from "../analysis/graph-files.ts";
import { DataError } from "../command/errors.ts";
import type { CommandFactory } from "../command/options.ts";
import { given, planFiles, STANDARD_OUTPUT } from "../files/file-plan.ts";
import { displayName, type Io } from "../files/io.ts";
import { writeOutput } from "../files/output.ts";
import { printableLines } from "../files/printable.ts";
import { mapSentences, requireSome, sentencesBy } from "../files/sentences.ts";
import { graphReport } from "../training/graph-report.ts";
import { evaluationError } from "./evaluate.ts";

interface EvaluateArguments {
  readonly format?: GraphFormat | undefined;
  readonly baseline?: string | undefined;
  readonly classes?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** `arcwise graph evaluate GOLD SYSTEM [--baseline OTHER] [--classes] [--json]` */
export const evaluateGraphsCommand: CommandFactory = (io) =>
  new Command("evaluate")
    .description("compare graphs with their gold standard: SDP files, or DEPS of CoNLL-U files")
    .argument("<gold>", "the gold standard")
    .argument("<system>", "what a parser made of the same sentences")
    .addOption(graphFormatOption())
    .option("--baseline <file>", "what another parser made: is the system better than it?")
    .option("--classes", "also print precision and recall by label and by distance")
    .option("--json", "print all counts as JSON")
    .action((gold: string, system: string, options: EvaluateArguments) =>
      evaluate(io, { gold, system, baseline: options.baseline }, options),
    );

/** The files of an evaluation. */
interface Files {
  readonly gold: string;
  readonly system: string;
  readonly baseline?: string | undefined;
}

/** The pairs and scores of a system file. */
interface Evaluation {
  readonly pairs: readonly GraphPair[];
  /** ELAS and EULAS, of CoNLL-U files. */
  readonly enhanced?: Readonly<Record<"ELAS" | "EULAS", MetricScore>> | undefined;
}

async function evaluate(io: Io, files: Files, options: EvaluateArguments): Promise<void> {
  const { gold, system: first, baseline: other } = files;
  const inputs = given({ "the gold standard": gold, "the system": first, "--baseline": other });
  await planFiles(io, { inputs, outputs: {} });
  const format = options.format ?? graphFormat(inputs.map(({ path }) => path));
  const read = format === "sdp" ? readSdpFiles : readEnhancedFiles;
  const { system, baseline } = await read(io, files);
  const comparison = baseline === undefined ? undefined : compare(baseline.pairs, system.pairs);
  const report = {
    scores: graphScores(system.pairs),
    withTops: graphScores(system.pairs, { tops: true }),
    withSenses: graphScores(system.pairs, { senses: true }),
    withTopsAndSenses: graphScores(system.pairs, { tops: true, senses: true }),
    ...system.enhanced,
    classes: graphClasses(system.pairs),
    comparison,
  };
  const json = () => `${JSON.stringify(report, undefined, 2)}\n`;
  const text = options.json ? json() : graphReport(report, options.classes === true);
  // Labels come from the files.
  await writeOutput(io, STANDARD_OUTPUT, printableLines(text));
}

/** Labelled and unlabelled F1 of two systems. */
function compare(
  a: readonly GraphPair[],
  b: readonly GraphPair[],
): Readonly<Record<"labelled" | "unlabelled", BootstrapResult>> {
  const of = (metric: "labelled" | "unlabelled") =>
    pairedBootstrap({ a: graphCounts(a, metric), b: graphCounts(b, metric) });
  return { labelled: of("labelled"), unlabelled: of("unlabelled") };
}

interface Evaluations {
  readonly system: Evaluation;
  readonly baseline: Evaluation | undefined;
}

async function readSdpFiles(io: Io, files: Files): Promise<Evaluations> {
  const gold = await sdpSentences(io, files.gold);
  const pairsOf = async (file: string): Promise<Evaluation> => {
    const sentences = await sdpSentences(io, file);
    return { pairs: inFiles(files.gold, file, () => sdpPairs(gold, sentences)) };
  };
  const system = await pairsOf(files.system);
  return { system, baseline: files.baseline === undefined ? undefined : await pairsOf(files.baseline) };
}

async function sdpSentences(io: Io, path: string): Promise<SdpSentence[]> {
  const sentences: SdpSentence[] = [];
  for await (const { sentence } of sentencesBy(io, [path], readSdp)) sentences.push(sentence);
  requireSome(sentences, path, "to evaluate");
  return sentences;
}

async function readEnhancedFiles(io: Io, files: Files): Promise<Evaluations> {
  const gold = await collapsedSentences(io, files.gold);
  const evaluationOf = async (file: string): Promise<Evaluation> => {
    const sentences = await collapsedSentences(io, file);
    const { ELAS, EULAS } = metricsOf(gold, sentences, { gold: files.gold, system: file });
    return {
      pairs: inFiles(files.gold, file, () => enhancedPairs(gold, sentences)),
      enhanced: { ELAS, EULAS },
    };
  };
  const system = await evaluationOf(files.system);
  return { system, baseline: files.baseline === undefined ? undefined : await evaluationOf(files.baseline) };
}

function metricsOf(
  gold: readonly ConlluSentence[],
  system: readonly ConlluSentence[],
  files: Readonly<Record<"gold" | "system", string>>,
): UdEvaluation["metrics"] {
  try {
    return evaluateConllu(gold, system, { singleRoot: false }).metrics;
  } catch (error) {
    throw evaluationError(error, files);
  }
}

/**
 * Returns the sentences of a file with the paths through empty nodes as labels of DEPS. The empty nodes stay,
 * so that errors of later steps have the right lines.
 */
async function collapsedSentences(io: Io, path: string): Promise<ConlluSentence[]> {
  const sentences = await mapSentences(io, path, (sentence) => {
    const words = collapseEmptyNodes(sentence).rows.filter((row) => row.kind === "word");
    let next = 0;
    const rows = sentence.rows.map((row) => (row.kind === "word" ? words[next++]! : row));
    return { ...sentence, rows };
  });
  requireSome(sentences, path, "to evaluate");
  return sentences;
}

/** Names the files whose sentences do not match. */
function inFiles<T>(gold: string, system: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof SentenceMismatch)) throw error;
    const names = `${displayName(gold)} and ${displayName(system)}`;
    throw new DataError(`${names}: ${error.message}`, { cause: error });
  }
}

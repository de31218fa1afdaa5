import { existsSync, statSync } from "node:fs";
import { DataError, integer, integers, UsageError } from "@arcwise/cli/command";
import { hasCode } from "@arcwise/core/errors";
import type { TreeFeatures } from "@arcwise/parser";
import { loadTreeFeatures } from "@arcwise/parser/node";
import { readModelPart } from "@arcwise/pipeline/node";
import { Command } from "commander";
import { type CommandFactory, type Io, type OutputOptions, withOutputs } from "../command/io.ts";
import { checkModelSeries, type TimingArguments, withModels, withTiming } from "../command/options.ts";
import { Run } from "../command/run.ts";
import { StepProgress } from "../command/step-progress.ts";
import { readGraphExamples } from "../data/graph-examples.ts";
import {
  checkFiles,
  checkTreebanks,
  ENGLISH,
  EWT,
  fileStamp,
  readSplit,
  type Split,
  treebankName,
  treebanksStamp,
} from "../data/treebanks.ts";
import type { CompareOptions } from "../measures/compare-decoders.ts";
import { compareGraphs } from "../measures/compare-graphs.ts";
import { type ComparisonResult, compareTrees } from "../measures/compare-trees.ts";
import { parserReader } from "../measures/readers.ts";
import { decoderReliability } from "../measures/reliability.ts";
import { joinTrainings } from "../measures/trainings.ts";
import { decodersNamed } from "../registry/decoders.ts";
import { otherDecoders, withOthers } from "../registry/other-decoders.ts";
import { type AnyComparison, comparedDecoders, compareSections } from "../report/compare-sections.ts";
import { frontData, writeFront } from "../report/front.ts";
import { environment } from "../results/environment.ts";
import type { Contestant } from "../results/results.ts";

interface CompareArguments extends OutputOptions, TimingArguments {
  readonly model: readonly string[];
  readonly treebank: readonly string[];
  readonly split: Split;
  readonly sentences?: number | undefined;
  readonly restarts?: readonly number[] | undefined;
  readonly limit: number;
  readonly global?: string | undefined;
  readonly decoder?: readonly string[] | undefined;
  readonly with?: readonly string[] | undefined;
  readonly seed: number;
  readonly front?: boolean | undefined;
}

/** Climbs per sentence. */
const RESTARTS = [1, 10, 50];
const QUICK = { restarts: [1, 10], limit: 200, sentences: 50 };

/** `arcwise-bench compare ...`: decoders on the same scores of trained models. */
export const compareCommand: CommandFactory = (io) =>
  withOutputs(
    withTiming(withModels(withOthers(new Command("compare")), { model: ENGLISH, treebank: EWT }), QUICK)
      .description("decoders on the same scores of trained models: accuracy, score, speed")
      .option("--decoder <name...>", "only these decoders")
      .option("--global <module>", "the module of features of whole trees that the models were trained with")
      .option("--restarts <n...>", `climbs per sentence (${RESTARTS.join(" ")})`, integers(1))
      .option("--limit <ms>", "time of branch and bound per sentence", integer(1), 10_000)
      .option("--front", "also write the table and the picture of the README of apps/bench")
      .option("--seed <n>", "random seed of the starts of climbs and of the bootstrap samples", integer(0), 1)
      .addHelpText(
        "after",
        "\nSeveral models for each treebank, such as parsers --seeds N --models DIR writes: mean and deviation.\n" +
          "A file in place of a treebank, SDP or CoNLL-U: all decoders of graphs, on the scores of a model of graphs.",
      ),
  ).action((options: CompareArguments) => compare(io, options));

async function compare(io: Io, options: CompareArguments): Promise<void> {
  const { model, treebank, split, seed, restarts = RESTARTS } = options;
  const [graphs, trees] = [treebank.filter(isFile), treebank.filter((path) => !isFile(path))];
  checkFront(options, graphs);
  const entries = [...decodersNamed(options.decoder), ...(await otherDecoders(options.with))];
  checkModelSeries(model, treebank);
  checkTreebanks(trees, [split]);
  checkFiles(model);
  const global = options.global === undefined ? undefined : await loadTreeFeatures(options.global);
  const modules = [...(options.with ?? []), options.global ?? ""].filter((path) => existsSync(path));
  const stamp = [...treebanksStamp(trees), ...[...graphs, ...model, ...modules].map(fileStamp)];
  const run = new Run(io, options, stamp);
  const results: AnyComparison[] = [];
  const contestants: Contestant[] = [];
  const series = model.length / treebank.length;
  for (const [i, data] of treebank.entries()) {
    const name = treebankName(data);
    const files = model.slice(i * series, (i + 1) * series);
    const compareModel = isFile(data) ? graphsOf : treesOf;
    const comparisons: AnyComparison[] = [];
    for (const [k, file] of files.entries()) {
      const own: ModelOptions = {
        ...{ ...options, restarts, entries, global, first: comparisons[0] },
        ...shownProgress(io, series === 1 ? name : `${name}, model ${k + 1} of ${series}`),
      };
      comparisons.push(await run.once(`${i} ${k} ${data}`, () => compareModel(file, data, own)));
    }
    const found = isFile(data)
      ? comparisons
      : [joinTrainings(files, comparisons as ComparisonResult[], seed)];
    results.push(...found);
    const group = isFile(data) ? name : `${name}, ${split}`;
    contestants.push(...found.flatMap((result) => comparedDecoders(group, result)));
  }
  await run.publish({
    title: `Decoders on the same scores${trees.length === 0 ? "" : `, ${split} split`}`,
    ...{ seed, results, contestants, sections: compareSections(results) },
  });
  if (options.front) await writeFront(frontData(results as ComparisonResult[], environment()));
}

interface ModelOptions extends CompareOptions {
  readonly split: Split;
  readonly global: TreeFeatures | undefined;
  /** The comparison of the first model of the same sentences. */
  readonly first: AnyComparison | undefined;
}

async function treesOf(file: string, folder: string, own: ModelOptions): Promise<AnyComparison> {
  const { global, first, split } = own;
  const model = await readModelPart(file, "parser");
  const golds = readSplit(folder, split).filter(({ sentence }) => sentence.length > 0);
  try {
    return compareTrees(treebankName(folder), parserReader(model, global), golds, {
      ...own,
      // The first model gives speeds and probabilities.
      speeds: first?.decoders.map(({ speed }) => speed),
      reliability: first ? undefined : (used) => decoderReliability(model, used, global),
    });
  } catch (error) {
    // The model has other features of whole trees.
    if (!hasCode(error, "invalid-tree-features")) throw error;
    throw new DataError(`${file}: ${error.message}`, { cause: error });
  }
}

async function graphsOf(file: string, path: string, own: ModelOptions): Promise<AnyComparison> {
  const model = await readModelPart(file, "graphs");
  return compareGraphs(treebankName(path), model, readGraphExamples(path, model), own);
}

/** Whether decoders of graphs are compared: treebanks are folders. */
function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

function checkFront({ front, quick, sentences }: CompareArguments, graphs: readonly string[]): void {
  if (!front || !(graphs.length > 0 || quick || sentences !== undefined)) return;
  throw new UsageError("--front is for whole splits of treebanks: leave out files, --quick and --sentences");
}

/** Shows what a comparison does: each pass, and on terminals each turn of timing. */
function shownProgress(io: Io, name: string): Pick<CompareOptions, "onPass" | "onStep"> {
  const decoding = new StepProgress(io, `${name}, decoding`);
  const timing = new StepProgress(io, `${name}, timing`);
  return {
    onPass: (pass, step, steps) => decoding.show(pass, step, steps),
    onStep: (text, step, steps) => {
      if (io.stderr.isTTY === true || step === 1) timing.show(text, step, steps);
    },
  };
}

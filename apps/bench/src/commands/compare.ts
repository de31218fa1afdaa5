import { existsSync } from "node:fs";
import { DataError, integer, integers, UsageError } from "@arcwise/cli/command";
import { hasCode } from "@arcwise/core/errors";
import { loadTreeFeatures, readGraphParserFile } from "@arcwise/parser/node";
import { readModelPart } from "@arcwise/pipeline/node";
import { Command } from "commander";
import { type CommandFactory, type Io, type OutputOptions, publish, withOutputs } from "../command/io.ts";
import {
  checkModelSeries,
  checkModels,
  type TimingArguments,
  timingOf,
  withModels,
  withTiming,
} from "../command/options.ts";
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
import { type CompareOptions, type ComparisonResult, compareDecoders } from "../measures/compare-decoders.ts";
import type { GraphComparison } from "../measures/compare-graph-decoders.ts";
import { compareGraphModel } from "../measures/compare-graph-model.ts";
import { parserReader } from "../measures/readers.ts";
import { decoderReliability } from "../measures/reliability.ts";
import { spreadEvenly } from "../measures/scored-sentences.ts";
import { joinTrainings } from "../measures/trainings.ts";
import { decodersNamed } from "../registry/decoders.ts";
import { otherDecoders, withOthers } from "../registry/other-decoders.ts";
import { compareSections } from "../report/compare-sections.ts";
import { frontData } from "../report/front.ts";
import { graphSection } from "../report/graph-sections.ts";
import { comparedDecoders, comparedGraphDecoders } from "../results/contestants.ts";
import { environment } from "../results/environment.ts";
import { writeFront } from "../results/front-files.ts";
import type { GoldSentence } from "../results/results.ts";

interface CompareArguments extends OutputOptions, TimingArguments {
  readonly model: readonly string[];
  readonly treebank: readonly string[];
  readonly split: Split;
  readonly sentences?: number | undefined;
  readonly restarts?: readonly number[] | undefined;
  readonly limit?: number | undefined;
  readonly global?: string | undefined;
  readonly decoder?: readonly string[] | undefined;
  readonly with?: readonly string[] | undefined;
  readonly seed: number;
  readonly graphs?: boolean | undefined;
  readonly front?: boolean | undefined;
}

/** Climbs per sentence and milliseconds of branch and bound per sentence, unless they are given. */
const THOROUGH = { restarts: [1, 10, 50], limit: 10_000, sentences: undefined };
const QUICK = { restarts: [1, 10], limit: 200, sentences: 50 };

/** `arcwise-bench compare ...`: decoders on the same scores of trained models. */
export const compareCommand: CommandFactory = (io) =>
  withOutputs(
    withTiming(withModels(withOthers(new Command("compare")), { model: ENGLISH, treebank: EWT }))
      .description("decoders on the same scores of trained models: accuracy, score, speed")
      .option("--decoder <name...>", "only these decoders")
      .option("--global <module>", "the module of features of whole trees that the models were trained with")
      .option("--restarts <n...>", `climbs per sentence (${THOROUGH.restarts.join(" ")})`, integers(1))
      .option("--limit <ms>", `time of branch and bound per sentence (${THOROUGH.limit})`, integer(1))
      .option(
        "--graphs",
        "models of graphs, and SDP or CoNLL-U files in place of treebanks: all decoders of graphs",
      )
      .option("--front", "also write the table and the picture of the README of apps/bench")
      .option("--seed <n>", "random seed of the starts of climbs and of the bootstrap samples", integer(0), 1)
      .addHelpText(
        "after",
        "\nSeveral models for each treebank, such as parsers --seeds N --models DIR writes: mean and deviation.",
      ),
  ).action((options: CompareArguments) => compare(io, options));

async function compare(io: Io, options: CompareArguments): Promise<void> {
  const { model, treebank, split, seed } = options;
  const defaults = options.quick ? QUICK : THOROUGH;
  const { sentences = defaults.sentences, restarts = defaults.restarts, limit = defaults.limit } = options;
  checkFront(options);
  if (options.graphs) {
    await compareGraphs(io, options);
    return;
  }
  const entries = [...decodersNamed(options.decoder), ...(await otherDecoders(options.with))];
  checkModelSeries(model, treebank);
  checkTreebanks(treebank, [split]);
  checkFiles(model);
  const global = options.global === undefined ? undefined : await loadTreeFeatures(options.global);
  const modules = [...(options.with ?? []), options.global ?? ""].filter((path) => existsSync(path));
  const stamp = [...treebanksStamp(treebank), ...[...model, ...modules].map(fileStamp)];
  const run = new Run(io, options, stamp);
  const results: ComparisonResult[] = [];
  const series = model.length / treebank.length;
  for (const [i, folder] of treebank.entries()) {
    const files = model.slice(i * series, (i + 1) * series);
    const comparisons: ComparisonResult[] = [];
    for (const [k, file] of files.entries()) {
      const name = treebankName(folder);
      const [first] = comparisons;
      const measure = async (): Promise<ComparisonResult> => {
        const known = await readModelPart(file, "parser");
        return compareDecoders(name, parserReader(known, global), nonEmpty(folder, split), {
          restarts,
          limit,
          seed,
          entries,
          ...timingOf(options),
          sentences,
          // The first model gives speeds and probabilities.
          speeds: first?.decoders.map(({ speed }) => speed),
          reliability: first ? undefined : (golds) => decoderReliability(known, golds, global),
          ...shownProgress(io, series === 1 ? name : `${name}, model ${k + 1} of ${series}`),
        });
      };
      const named = () => measure().catch((error: unknown) => Promise.reject(inModel(file, error)));
      comparisons.push(await run.once(`${i} ${k} ${folder}`, named));
    }
    results.push(joinTrainings(files, comparisons, seed));
  }
  await run.publish({
    title: `Decoders on the same scores, ${split} split`,
    sections: compareSections(results),
    seed,
    results,
    contestants: results.flatMap((result) => comparedDecoders(result, split)),
  });
  if (options.front) await writeFront(frontData(results, environment()));
}

/** @throws UsageError when the front page would not have whole splits */
function checkFront({ front, graphs, quick, sentences }: CompareArguments): void {
  if (!front || !(graphs || quick || sentences !== undefined)) return;
  throw new UsageError(
    "--front is for whole splits of treebanks: leave out --graphs, --quick and --sentences",
  );
}

/** Returns the error with the file of the model, where the model has other features of whole trees. */
function inModel(file: string, error: unknown): unknown {
  if (!hasCode(error, "invalid-tree-features")) return error;
  return new DataError(`${file}: ${error.message}`, { cause: error });
}

function nonEmpty(folder: string, split: Split): GoldSentence[] {
  return readSplit(folder, split).filter(({ sentence }) => sentence.length > 0);
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

/** Compares all decoders of graphs on the scores of graph models. */
async function compareGraphs(io: Io, options: CompareArguments): Promise<void> {
  const { model, treebank, seed } = options;
  checkModels(model, treebank);
  const { sentences = options.quick ? QUICK.sentences : undefined } = options;
  checkFiles([...model, ...treebank]);
  const results: GraphComparison[] = [];
  for (const [i, path] of treebank.entries()) {
    const known = await readGraphParserFile(model[i]!);
    const examples = spreadEvenly(readGraphExamples(path, known), sentences ?? Infinity);
    if (examples.length === 0) throw new DataError(`${path}: expected sentences with graphs, found none`);
    results.push(
      compareGraphModel(known, examples, { ...timingOf(options), ...shownProgress(io, treebankName(path)) }),
    );
  }
  await publish(io, options, {
    title: "Decoders of graphs on the same scores",
    sections: results.map((result, i) => graphSection(treebankName(treebank[i]!), result)),
    seed,
    results,
    contestants: results.flatMap((result, i) => comparedGraphDecoders(treebankName(treebank[i]!), result)),
  });
}

import {
  type CommandFactory,
  type Io,
  type OutputOptions,
  Run,
  status,
  withOutputs,
  withQuick,
} from "@arcwise/bench/command";
import { dataFolder, planFile } from "@arcwise/bench/data";
import { integer, positive, writeWith } from "@arcwise/cli/command";
import type { MaxentMethod } from "@arcwise/learn/maxent";
import { Command, Option } from "commander";
import { trainedMaxent } from "../contestants.ts";
import { chunkingContexts, taggingContexts } from "../maxent/contexts.ts";
import { CORPORA, type CorpusName, readCorpus } from "../maxent/corpora.ts";
import { designLines } from "../maxent/design-lines.ts";
import { markovDesign } from "../maxent/markov.ts";
import { maxentReference } from "../maxent/maxent-reference.ts";
import { type MaxentResults, maxentSections } from "../maxent/maxent-sections.ts";
import { type MaxentCourse, measureMaxent } from "../maxent/measure-maxent.ts";

interface MaxentArguments extends OutputOptions {
  readonly corpus: readonly CorpusName[];
  readonly method: readonly MaxentMethod[];
  readonly sentences?: number | undefined;
  readonly test?: number | undefined;
  readonly cutoff: number;
  readonly variance: number;
  readonly seconds: number;
  readonly iterations: number;
  readonly seed: number;
  readonly export?: string | undefined;
  readonly reference?: number | undefined;
}

const CORPUS_TITLES: Readonly<Record<CorpusName, string>> = {
  brown: "tagging, Brown corpus",
  conll2000: "chunking, CoNLL-2000",
  ewt: "tagging, UD_English-EWT",
};

const METHODS: readonly MaxentMethod[] = ["cd", "exact-cd", "scgis", "gis", "iis", "lbfgs"];

/**
 * `arcwise-bench maxent ...`: compares iterative scaling, coordinate descent and L-BFGS for maximum entropy
 * models.
 */
export const maxentCommand: CommandFactory = (io) =>
  withOutputs(
    withQuick(new Command("maxent"), { sentences: 300, test: 100, seconds: 3, iterations: 20 })
      .description("compare training methods of maximum entropy models: value and accuracy against time")
      .addOption(
        new Option("--corpus <name...>", "what to label").choices(CORPORA).default(["brown", "conll2000"]),
      )
      .addOption(new Option("--method <name...>", "only these methods").choices(METHODS).default(METHODS))
      .option("--sentences <n>", "train on the first sentences only", integer(1))
      .option("--test <n>", "test on the first sentences only", integer(1))
      .option("--cutoff <n>", "leave out features of fewer events", integer(1), 1)
      .option("--variance <x>", "of the Gaussian prior", positive, 10)
      .option("--seconds <n>", "processor time of each method", integer(1), 60)
      .option("--iterations <n>", "most iterations of each method", integer(1), 1000)
      .option("--seed <n>", "decides what sentences of Brown are for testing", integer(0), 1)
      .option(
        "--reference <n>",
        "find the minimum to compare with, in this processor time at most",
        integer(1),
      )
      .option("--export <dir>", "write the training events for other programs, and end"),
  ).action((options: MaxentArguments) => maxent(io, options));

async function maxent(io: Io, options: MaxentArguments): Promise<void> {
  if (options.export !== undefined) {
    for (const name of options.corpus) await exportCorpus(io, name, options.export, options);
    return;
  }
  const run = new Run(io, options, dataFolder(io.env));
  const results: MaxentResults[] = [];
  for (const name of options.corpus)
    results.push(await run.once(name, () => measureCorpus(io, name, options, run)));
  await run.publish({
    title: "Maximum entropy: training methods",
    sections: results.flatMap(maxentSections),
    seed: options.seed,
    results,
    contestants: results.flatMap(trainedMaxent),
  });
}

/**
 * Returns the first sentences of a corpus, their contexts, and the design matrix of the training sentences.
 */
function prepare(io: Io, name: CorpusName, options: MaxentArguments) {
  const corpus = readCorpus(name, io.env, options.seed);
  const train = corpus.train.slice(0, options.sentences);
  const sentences = corpus.test.slice(0, options.test);
  const contexts = name === "conll2000" ? chunkingContexts() : taggingContexts(train);
  status(io, `${name}: the design matrix of ${train.length} sentences`);
  return { train, sentences, contexts, design: markovDesign(train, contexts, options.cutoff) };
}

async function exportCorpus(
  io: Io,
  name: CorpusName,
  folder: string,
  options: MaxentArguments,
): Promise<void> {
  const planned = await planFile(folder, `${name}.svm`);
  const { design } = prepare(io, name, options);
  await writeWith(process, planned, async (output) => {
    for (const lines of designLines(design)) await output.write(lines);
  });
  status(io, `wrote ${planned.path}`);
}

async function measureCorpus(
  io: Io,
  name: CorpusName,
  options: MaxentArguments,
  run: Run,
): Promise<MaxentResults> {
  const keep = run.under(name);
  const { variance, seconds, iterations, reference: most } = options;
  const { train, sentences, contexts, design } = prepare(io, name, options);
  const metric = name === "conll2000" ? "F1" : "accuracy";
  if (most !== undefined) status(io, `${name}: the minimum`);
  const reference =
    most === undefined ? undefined : await keep("the minimum", () => maxentReference(design, variance, most));
  const courses: MaxentCourse[] = [];
  for (const method of options.method) {
    const measure = (): MaxentCourse =>
      measureMaxent(
        design,
        method,
        { sentences, contexts, metric },
        {
          variance,
          seconds,
          iterations,
          onPoint: (_method, point) =>
            status(
              io,
              `${name}: ${method} ${point.iteration}, ${point.seconds.toFixed(1)} s, ` +
                `value ${point.value.toFixed(1)}` +
                (point.score === undefined ? "" : `, test ${(100 * point.score).toFixed(2)} %`),
            ),
        },
      );
    courses.push(await keep(`method ${method}`, measure));
  }
  return {
    corpus: CORPUS_TITLES[name],
    measure: metric,
    sentences: train.length,
    testSentences: sentences.length,
    variance,
    size: {
      events: design.events,
      classes: design.classes.length,
      features: design.features.length,
      dimension: design.dimension,
      nonZeros: design.nonZeros,
    },
    courses,
    reference,
  };
}

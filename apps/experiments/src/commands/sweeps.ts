import {
  type CommandFactory,
  formatInteger,
  type Io,
  type Keep,
  type OutputOptions,
  Run,
  status,
  threeDigits,
  withOutputs,
  withQuick,
} from "@arcwise/bench/command";
import { dataFolder } from "@arcwise/bench/data";
import { left, right, type Section, type Table } from "@arcwise/bench/report";
import { integer } from "@arcwise/cli/command";
import { type MaxentMethod, trainMaxent } from "@arcwise/learn/maxent";
import { Command, Option } from "commander";
import { chunkingContexts, taggingContexts } from "../maxent/contexts.ts";
import { CORPORA, type CorpusName, readCorpus } from "../maxent/corpora.ts";
import { countOperations, type Operations } from "../maxent/count-operations.ts";
import { markovDesign } from "../maxent/markov.ts";
import { METHOD_NAMES } from "../maxent/maxent-sections.ts";

interface SweepsArguments extends OutputOptions {
  readonly corpus: readonly CorpusName[];
  readonly sentences?: number | undefined;
  readonly iterations: number;
  readonly operations?: boolean | undefined;
  readonly seed: number;
}

const METHODS = ["exact-cd", "cd", "scgis", "iis", "gis"] as const satisfies readonly MaxentMethod[];
/** Methods whose operations are counted. */
const COUNTED = [...METHODS, "lbfgs"] as const;
/** Iterations of SCGIS after which the methods are compared, and iterations whose operations are shown. */
const POINTS = [1, 2, 5, 10, 20, 50, 100];
/** Number of iterations whose operations are counted. */
const MOST_COUNTED = 20;

/** How much one iteration of each method lowers the value from the same weights. */
interface Sweep {
  readonly iteration: number;
  readonly value: number;
  /** In the order of `METHODS`. */
  readonly decrease: readonly number[];
}

interface SweepResult {
  readonly corpus: CorpusName;
  readonly sentences: number;
  readonly sweeps: readonly Sweep[];
  readonly operations: readonly MethodOperations[];
}

interface MethodOperations {
  readonly method: (typeof COUNTED)[number];
  readonly iterations: readonly Operations[];
}

/** `arcwise-experiments sweeps ...`: what one iteration of each method of maximum entropy gains. */
export const sweepsCommand: CommandFactory = (io) =>
  withOutputs(
    withQuick(new Command("sweeps"), { corpus: ["conll2000"], sentences: 30, iterations: 5 })
      .description(
        "compare the decrease of the value by one iteration of each method of maximum entropy models",
      )
      .addOption(
        new Option("--corpus <name...>", "what to label").choices(CORPORA).default(["brown", "conll2000"]),
      )
      .option("--sentences <n>", "train on the first sentences only", integer(1), 300)
      .option("--iterations <n>", "iterations of SCGIS, whose weights are the starts", integer(1), 100)
      .option("--operations", "also count what iterations of each method read, which takes long")
      .option("--seed <n>", "decides what sentences of Brown are for testing", integer(0), 1),
  ).action((options: SweepsArguments) => sweeps(io, options));

async function sweeps(io: Io, options: SweepsArguments): Promise<void> {
  const { corpus: corpora, seed } = options;
  const run = new Run(io, options, dataFolder(io.env));
  const results: SweepResult[] = [];
  for (const corpus of corpora) {
    results.push(await run.once(corpus, () => measureSweeps(io, corpus, options, run.under(corpus))));
  }
  await run.publish({
    title: "One iteration of methods of maximum entropy",
    sections: results.map(section),
    seed,
    results,
    contestants: results.flatMap(({ corpus, sweeps: all }) =>
      METHODS.map((method, k) => ({
        group: corpus,
        name: METHOD_NAMES[method],
        measures: Object.fromEntries(
          all.map(({ iteration, decrease }) => [
            `decrease after ${iteration}`,
            { value: decrease[k]!, unit: "score" as const, better: "higher" as const },
          ]),
        ),
      })),
    ),
  });
}

/** Measures each point as an entry of the journal, with the weights from which the next point goes on. */
async function measureSweeps(
  io: Io,
  corpus: CorpusName,
  { seed, sentences, iterations: most, operations = false }: SweepsArguments,
  keep: Keep,
): Promise<SweepResult> {
  const train = readCorpus(corpus, io.env, seed).train.slice(0, sentences);
  const design = markovDesign(train, corpus === "conll2000" ? chunkingContexts() : taggingContexts(train), 1);
  const found: Sweep[] = [];
  let initial: Float64Array | undefined;
  for (const iteration of POINTS.filter((point) => point <= most)) {
    const iterations = iteration - (found.at(-1)?.iteration ?? 0);
    const point = await keep(`after ${iteration}`, () => {
      status(io, `${corpus}: scgis to ${iteration}`);
      const start = trainMaxent(design, { method: "scgis", iterations, tolerance: 0, initial });
      const decrease = METHODS.map((method) => {
        status(io, `${corpus}: ${method} after ${iteration}`);
        const { value } = trainMaxent(design, {
          method,
          iterations: 1,
          tolerance: 0,
          initial: start.weights,
        });
        return start.value - value;
      });
      return { sweep: { iteration, value: start.value, decrease }, weights: start.weights };
    });
    found.push(point.sweep);
    initial = point.weights;
  }
  const counted: MethodOperations[] = [];
  for (const method of operations ? COUNTED : []) {
    const iterations = await keep(`operations of ${method}`, () => {
      status(io, `${corpus}: operations of ${method}`);
      return countOperations(design, method, Math.min(most, MOST_COUNTED));
    });
    counted.push({ method, iterations });
  }
  return { corpus, sentences: train.length, sweeps: found, operations: counted };
}

function section({ corpus, sentences, sweeps: all, operations }: SweepResult): Section {
  return {
    title: `${corpus}, ${formatInteger(sentences)} training sentences`,
    text: "All methods start from the weights that SCGIS has after the same number of iterations.",
    figures: [],
    tables: [
      {
        title: "Decrease of the value by one iteration",
        columns: [left("after"), right("value"), ...METHODS.map((method) => right(METHOD_NAMES[method]))],
        rows: all.map(({ iteration, value, decrease }) => [
          formatInteger(iteration),
          value.toFixed(1),
          ...decrease.map(threeDigits),
        ]),
      },
      ...(operations.length > 0 ? [operationsTable(operations)] : []),
    ],
  };
}

function operationsTable(operations: readonly MethodOperations[]): Table {
  return {
    title: "Passes over the non-zeros by one iteration",
    columns: [
      left("method"),
      right("iteration"),
      right("passes"),
      right("in steps"),
      right("trials per direction"),
    ],
    rows: operations.flatMap(({ method, iterations }) =>
      iterations
        .filter(({ iteration }) => POINTS.includes(iteration))
        .map(({ iteration, passes, inSteps, trials }) => [
          METHOD_NAMES[method],
          formatInteger(iteration),
          passes.toFixed(3),
          inSteps?.toFixed(3) ?? "",
          trials?.toFixed(4) ?? "",
        ]),
    ),
    note:
      "Each method starts from weights of 0. Reads of non-zeros, as a multiple of their number: in steps on " +
      "single weights, and in scores of classes. The first iteration of L-BFGS includes the evaluation of the " +
      "first weights.",
  };
}

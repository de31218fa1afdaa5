import {
  type CommandFactory,
  type Contestant,
  formatInteger,
  formatPercent,
  type Io,
  type Measure,
  type OutputOptions,
  Run,
  status,
  withOutputs,
  withQuick,
} from "@arcwise/bench/command";
import { right, type Section } from "@arcwise/bench/report";
import { integer, integers, seedOption } from "@arcwise/cli/command";
import { Command } from "commander";
import { type GeneralisationRow, simulateGeneralisation } from "../perceptrons/generalisation.ts";

interface GeneralisationArguments extends OutputOptions {
  readonly examples?: readonly number[] | undefined;
  readonly samples: number;
  readonly tested: number;
  readonly seed: number;
}

const EXAMPLES = [10, 30, 100, 300, 1000];
/** Noise of the distributions, whose other members are the same. */
const NOISES = [0, 0.05, 0.1];
const DISTRIBUTION = { dimension: 10, margin: 0.3 };

/** `arcwise-experiments generalisation ...`: simulates the bound of the voted perceptron's error. */
export const generalisationCommand: CommandFactory = (io) =>
  withOutputs(
    withQuick(new Command("generalisation"), { examples: [10, 50], samples: 10, tested: 50 })
      .description("simulate the bound of the voted perceptron's error on new examples")
      .option("--examples <n...>", "numbers of training examples (10 30 100 300 1000)", integers(1))
      .option("--samples <n>", "training sets of each number", integer(1), 50)
      .option("--tested <n>", "new examples for each training set", integer(1), 200)
      .addOption(seedOption("random seed of the examples")),
  ).action((options: GeneralisationArguments) => generalisation(io, options));

async function generalisation(io: Io, options: GeneralisationArguments): Promise<void> {
  const { examples = EXAMPLES, seed } = options;
  const run = new Run(io, options, "simulated");
  const rows: GeneralisationRow[] = [];
  for (const noise of NOISES) {
    for (const n of examples) {
      const measure = (): Promise<GeneralisationRow> => {
        status(io, `simulating: noise ${noise} with ${n} examples`);
        return simulateGeneralisation({ ...DISTRIBUTION, noise }, n, options);
      };
      rows.push(await run.once(`noise ${noise}, ${n}`, measure));
    }
  }
  await run.publish({
    title: "Generalisation of the voted perceptron",
    sections: [section(rows)],
    seed,
    results: rows,
    contestants: rows.flatMap(contestants),
  });
}

function contestants({ noise, examples, voted, averaged, last }: GeneralisationRow): Contestant[] {
  const error = (value: number): Measure => ({ value, unit: "share", better: "lower" });
  return Object.entries({ voted, averaged, last }).map(([name, value]) => ({
    group: `noise ${noise}, ${examples} examples`,
    name,
    measures: { error: error(value) },
  }));
}

function section(rows: readonly GeneralisationRow[]): Section {
  const names = ["noise", "examples", "voted %", "averaged %", "last %", "mistakes bound %", "theorem 3 %"];
  return {
    title: "Errors after one epoch, and their bounds",
    text:
      `Examples of length 1 in ${DISTRIBUTION.dimension} dimensions, at least ${DISTRIBUTION.margin} from a ` +
      "plane; noise is the probability of the wrong class. Mistakes bound: 2 / (n + 1) times the mistakes on " +
      "n + 1 examples. Theorem 3: 2 / (n + 1) times the least (R + D)² / γ². Bounds are of the vote.",
    figures: [],
    tables: [
      {
        title: "Means over training sets",
        columns: names.map((name) => right(name)),
        rows: rows.map(({ noise, examples, voted, averaged, last, mistakes, bound }) => [
          `${noise}`,
          formatInteger(examples),
          ...[voted, averaged, last, mistakes, bound].map((value) => formatPercent(value)),
        ]),
      },
    ],
  };
}

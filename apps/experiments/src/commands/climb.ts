import { type CommandFactory, type Io, withModels, withOutputs, withQuick } from "@arcwise/bench/command";
import { integer, integers, positives } from "@arcwise/cli/command";
import { Command } from "commander";
import { type ClimbResult, measureClimb } from "../climbing/climb-measures.ts";
import { climbSections } from "../climbing/climb-sections.ts";
import { climbPasses } from "../contestants.ts";
import { type ModelsArguments, measureModels } from "./measure-models.ts";

interface ClimbArguments extends ModelsArguments {
  readonly restarts?: readonly number[] | undefined;
  readonly milliseconds?: readonly number[] | undefined;
  readonly firstOrderRestarts: number;
  readonly seed: number;
}

const RESTARTS = [1, 2, 5, 10, 20, 50, 100, 200, 300];
const MILLISECONDS = [0.05, 0.1, 0.2, 0.5, 1, 2, 5];

/** With `--quick`. */
const FEW = { sentences: 40, restarts: [1, 10], milliseconds: [0.1, 1], firstOrderRestarts: 10 };

/** `arcwise-bench climb ...`: accuracy and speed of hill climbing on the scores of trained models. */
export const climbCommand: CommandFactory = (io) =>
  withOutputs(
    withQuick(withModels(new Command("climb")), FEW)
      .description(
        "compare hill climbing with exact decoders on the scores of models, by restarts and by time",
      )
      .option("--restarts <n...>", "climbs per sentence (1 2 5 10 20 50 100 200 300)", integers(1))
      .option("--milliseconds <ms...>", "time per sentence (0.05 0.1 0.2 0.5 1 2 5)", positives)
      .option("--first-order-restarts <n>", "climbs per sentence on arc scores alone", integer(1), 100)
      .option("--seed <n>", "random seed of the starts", integer(0), 1),
  ).action((options: ClimbArguments) => climb(io, options));

async function climb(io: Io, options: ClimbArguments): Promise<void> {
  const { split, restarts = RESTARTS, milliseconds = MILLISECONDS, firstOrderRestarts, seed } = options;
  await measureModels(
    io,
    options,
    ({ name, sentences, onPass, keep }) =>
      measureClimb(name, sentences, { restarts, milliseconds, firstOrderRestarts, seed, onPass, keep }),
    (results) => ({
      title: `Hill climbing on the scores of trained models, ${split} split`,
      sections: climbSections(results),
      seed,
      results: results.map(withoutScores),
      contestants: results.flatMap((result) => climbPasses(result, split)),
    }),
  );
}

/** Returns results for output, without the scores of single sentences. */
function withoutScores(result: ClimbResult): unknown {
  return JSON.parse(JSON.stringify(result, (key, value) => (key === "scores" ? undefined : value)));
}

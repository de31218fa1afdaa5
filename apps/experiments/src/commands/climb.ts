import {
  type CommandFactory,
  checkSources,
  clearStatus,
  type Io,
  journalOf,
  type OutputOptions,
  publish,
  status,
  withModels,
  withOutputs,
  withQuick,
} from "@arcwise/bench/command";
import { fileStamp, type Split, treebankName, treebanksStamp } from "@arcwise/bench/data";
import { scoredBy } from "@arcwise/bench/measures";
import { integer, integers, positives } from "@arcwise/cli/command";
import { Command } from "commander";
import { type ClimbResult, measureClimb } from "../climbing/climb-measures.ts";
import { climbSections } from "../climbing/climb-sections.ts";
import { climbPasses } from "../contestants.ts";

interface ClimbArguments extends OutputOptions {
  readonly model: readonly string[];
  readonly treebank: readonly string[];
  readonly split: Split;
  readonly sentences?: number | undefined;
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
      .option("--milliseconds <ms...>", "time a sentence (0.05 0.1 0.2 0.5 1 2 5)", positives)
      .option("--first-order-restarts <n>", "climbs per sentence on arc scores alone", integer(1), 100)
      .option("--seed <n>", "random seed of the starts", integer(0), 1),
  ).action((options: ClimbArguments) => climb(io, options));

async function climb(io: Io, options: ClimbArguments): Promise<void> {
  const { model, treebank, firstOrderRestarts, seed } = options;
  const { restarts = RESTARTS, milliseconds = MILLISECONDS } = options;
  checkSources(model, treebank, options.split);
  const journal = journalOf(options, [...treebanksStamp(treebank), ...model.map(fileStamp)]);
  const results: ClimbResult[] = [];
  for (const [i, folder] of treebank.entries()) {
    const name = treebankName(folder);
    const keep = journal.under(`${i} ${folder}`);
    const measure = async (): Promise<ClimbResult> => {
      status(io, `${name}: scoring`);
      const sentences = await scoredBy(model[i]!, folder, options.split, options.sentences);
      const onPass = (pass: string) => status(io, `${name}: ${pass}`);
      const settings = { restarts, milliseconds, firstOrderRestarts, seed, onPass, keep };
      return measureClimb(name, sentences, settings);
    };
    results.push(await keep("all", measure));
  }
  clearStatus(io);
  await publish(io, options, {
    title: `Hill climbing on the scores of trained models, ${options.split} split`,
    sections: climbSections(results),
    seed,
    results: results.map(withoutScores),
    contestants: results.flatMap((result) => climbPasses(result, options.split)),
  });
  journal.end();
}

/** Returns results for output, without the scores of single sentences. */
function withoutScores(result: ClimbResult): unknown {
  return JSON.parse(JSON.stringify(result, (key, value) => (key === "scores" ? undefined : value)));
}

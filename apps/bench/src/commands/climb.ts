import { integer, integers, positives } from "@arcwise/cli/command";
import { createParser } from "@arcwise/parser";
import { readModel } from "@arcwise/parser/node";
import { Command } from "commander";
import { type ClimbResult, measureClimb, type ScoredSentence } from "../climb-measures.ts";
import {
  type CommandFactory,
  clearStatus,
  type Io,
  type OutputOptions,
  publish,
  status,
  withOutputs,
} from "../io.ts";
import { checkSources, withModels } from "../options.ts";
import { climbSections } from "../report/climb-sections.ts";
import { spreadEvenly } from "../scored-sentences.ts";
import { readSplit, type Split, treebankName } from "../treebanks.ts";

interface ClimbArguments extends OutputOptions {
  readonly model: readonly string[];
  readonly treebank: readonly string[];
  readonly split: Split;
  readonly sentences?: number;
  readonly restarts?: readonly number[];
  readonly milliseconds?: readonly number[];
  readonly firstOrderRestarts: number;
  readonly seed: number;
}

const RESTARTS = [1, 2, 5, 10, 20, 50, 100, 200, 300];
const MILLISECONDS = [0.05, 0.1, 0.2, 0.5, 1, 2, 5];

/** `arcwise-bench climb ...`: accuracy and speed of hill climbing on the scores of trained models. */
export const climbCommand: CommandFactory = (io) =>
  withOutputs(
    withModels(new Command("climb"))
      .description(
        "compare hill climbing with exact decoders on the scores of models, by restarts and by time",
      )
      .option("--restarts <n...>", "climbs a sentence (1 2 5 10 20 50 100 200 300)", integers(1))
      .option("--milliseconds <ms...>", "time a sentence (0.05 0.1 0.2 0.5 1 2 5)", positives)
      .option("--first-order-restarts <n>", "climbs a sentence on arc scores alone", integer(1), 100)
      .option("--seed <n>", "decides the starts", integer(0), 1),
  ).action((options: ClimbArguments) => climb(io, options));

async function climb(io: Io, options: ClimbArguments): Promise<void> {
  const { model, treebank, firstOrderRestarts, seed } = options;
  const { restarts = RESTARTS, milliseconds = MILLISECONDS } = options;
  checkSources(model, treebank, options.split);
  const results: ClimbResult[] = [];
  for (const [i, folder] of treebank.entries()) {
    const name = treebankName(folder);
    status(io, `${name}: scoring`);
    const sentences = await scored(model[i]!, folder, options);
    const onPass = (pass: string) => status(io, `${name}: ${pass}`);
    results.push(measureClimb(name, sentences, { restarts, milliseconds, firstOrderRestarts, seed, onPass }));
  }
  clearStatus(io);
  await publish(io, options, {
    title: `Hill climbing on the scores of trained models, ${options.split} split`,
    sections: climbSections(results),
    seed,
    results: results.map(withoutScores),
  });
}

async function scored(
  model: string,
  folder: string,
  { split, sentences }: ClimbArguments,
): Promise<ScoredSentence[]> {
  const parser = createParser(await readModel(model));
  return spreadEvenly(
    readSplit(folder, split).filter(({ sentence }) => sentence.length > 0),
    sentences ?? Infinity,
  ).map(({ sentence, tree }) => ({ problem: parser.problem(sentence), gold: tree.heads }));
}

/** Returns results for output, without the scores of single sentences. */
function withoutScores(result: ClimbResult): unknown {
  return JSON.parse(JSON.stringify(result, (key, value) => (key === "scores" ? undefined : value)));
}

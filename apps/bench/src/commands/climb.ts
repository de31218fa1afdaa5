import { createParser } from "@arcwise/parser";
import { readModel } from "@arcwise/parser/node";
import { Command, InvalidArgumentError, Option } from "commander";
import { type ClimbResult, measureClimb, type ScoredSentence } from "../climb-measures.ts";
import { UsageError } from "../errors.ts";
import {
  type CommandFactory,
  clearStatus,
  type Io,
  integer,
  integers,
  type OutputOptions,
  publish,
  status,
  withOutputs,
} from "../io.ts";
import { climbSections } from "../report/climb-sections.ts";
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

/** `arcwise-bench climb ...`: how good hill climbing is on the scores of trained models, and how fast. */
export const climbCommand: CommandFactory = (io) =>
  withOutputs(
    new Command("climb")
      .description(
        "compare hill climbing with exact decoders on the scores of models, by restarts and by time",
      )
      .requiredOption("--model <file...>", "a model for each treebank")
      .requiredOption("--treebank <dir...>", "folders with files *train.conllu, *dev.conllu, *test.conllu")
      .addOption(
        new Option("--split <name>", "which sentences").choices(["train", "dev", "test"]).default("test"),
      )
      .option("--sentences <n>", "only the first n sentences", integer(1))
      .option("--restarts <n...>", "climbs a sentence (1 2 5 10 20 50 100 200 300)", integers(1))
      .option("--milliseconds <ms...>", "time a sentence (0.05 0.1 0.2 0.5 1 2 5)", times)
      .option("--first-order-restarts <n>", "climbs a sentence on arc scores alone", integer(1), 100)
      .option("--seed <n>", "decides the starts", integer(0), 1),
  ).action((options: ClimbArguments) => climb(io, options));

/** A list of times above 0; commander gives one at a time. */
function times(text: string, before: readonly number[] = []): readonly number[] {
  const value = Number(text);
  if (!(value > 0) || value === Infinity)
    throw new InvalidArgumentError(`expected a time above 0, got "${text}"`);
  return [...before, value];
}

async function climb(io: Io, options: ClimbArguments): Promise<void> {
  const { model, treebank, firstOrderRestarts, seed } = options;
  const { restarts = RESTARTS, milliseconds = MILLISECONDS } = options;
  if (model.length !== treebank.length) {
    throw new UsageError(`expected a model for each treebank, got ${model.length} and ${treebank.length}`);
  }
  const results: ClimbResult[] = [];
  for (const [i, folder] of treebank.entries()) {
    const name = treebankName(folder);
    status(io, `${name}: scoring`);
    const sentences = await scored(model[i]!, folder, options);
    const onPass = (pass: string) => status(io, `${name}: ${pass}`);
    results.push(measureClimb(name, sentences, { restarts, milliseconds, firstOrderRestarts, seed, onPass }));
  }
  clearStatus(io);
  publish(io, options, {
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
  return readSplit(folder, split)
    .filter(({ sentence }) => sentence.length > 0)
    .slice(0, sentences)
    .map(({ sentence, tree }) => ({ problem: parser.problem(sentence), gold: tree.heads }));
}

/** Results as they are written: without a score for every sentence. */
function withoutScores(result: ClimbResult): unknown {
  return JSON.parse(JSON.stringify(result, (key, value) => (key === "scores" ? undefined : value)));
}

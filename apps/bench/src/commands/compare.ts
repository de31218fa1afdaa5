import { integer, integers } from "@arcwise/cli/command";
import { readModel } from "@arcwise/parser/node";
import { Command } from "commander";
import { type ComparisonResult, compareDecoders } from "../compare-decoders.ts";
import {
  type CommandFactory,
  clearStatus,
  type Io,
  type OutputOptions,
  publish,
  status,
  withOutputs,
} from "../io.ts";
import { checkModels, withModels } from "../options.ts";
import { otherDecoders, withOthers } from "../other-decoders.ts";
import { decodersNamed } from "../registry.ts";
import { compareSections } from "../report/compare-sections.ts";
import { readSplit, type Split, treebankName } from "../treebanks.ts";

interface CompareArguments extends OutputOptions {
  readonly model: readonly string[];
  readonly treebank: readonly string[];
  readonly split: Split;
  readonly sentences?: number;
  readonly restarts?: readonly number[];
  readonly limit: number;
  readonly decoder?: readonly string[];
  readonly with?: readonly string[];
  readonly seed: number;
}

const RESTARTS = [1, 10, 50];

/** `arcwise-bench compare ...`: decoders on the same scores of trained models. */
export const compareCommand: CommandFactory = (io) =>
  withOutputs(
    withModels(withOthers(new Command("compare")))
      .description("decoders on the same scores of trained models: accuracy, score, speed")
      .option("--decoder <name...>", "only these decoders")
      .option("--restarts <n...>", `climbs a sentence (${RESTARTS.join(" ")})`, integers(1))
      .option("--limit <ms>", "time of branch and bound for a sentence", integer(1), 10_000)
      .option("--seed <n>", "decides the starts of climbs", integer(0), 1),
  ).action((options: CompareArguments) => compare(io, options));

async function compare(io: Io, options: CompareArguments): Promise<void> {
  const { model, treebank, split, sentences, restarts = RESTARTS, limit, seed } = options;
  checkModels(model, treebank);
  const entries = [...decodersNamed(options.decoder), ...(await otherDecoders(options.with))];
  const results: ComparisonResult[] = [];
  for (const [i, folder] of treebank.entries()) {
    const name = treebankName(folder);
    const examples = readSplit(folder, split)
      .filter(({ sentence }) => sentence.length > 0)
      .slice(0, sentences);
    const onPass = (pass: string) => status(io, `${name}: ${pass}`);
    const known = await readModel(model[i]!);
    results.push(compareDecoders(name, known, examples, { restarts, limit, seed, entries, onPass }));
  }
  clearStatus(io);
  publish(io, options, {
    title: `Decoders on the same scores, ${split} split`,
    sections: compareSections(results),
    seed,
    results,
  });
}

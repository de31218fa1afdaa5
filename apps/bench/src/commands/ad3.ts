import { integer } from "@arcwise/cli/command";
import { createParser } from "@arcwise/parser";
import { readModel } from "@arcwise/parser/node";
import { Command } from "commander";
import { type Ad3Result, measureAd3 } from "../ad3-measures.ts";
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
import { ad3Sections } from "../report/ad3-sections.ts";
import { type ScoredSentence, spreadEvenly } from "../scored-sentences.ts";
import { readSplit, type Split, treebankName } from "../treebanks.ts";

interface Ad3Arguments extends OutputOptions {
  readonly model: readonly string[];
  readonly treebank: readonly string[];
  readonly split: Split;
  readonly sentences?: number;
  readonly boundSentences: number;
  readonly passes: number;
  readonly limit: number;
}

/** `arcwise-bench ad3 ...`: certificates, iterations and times of AD3 on the scores of trained models. */
export const ad3Command: CommandFactory = (io) =>
  withOutputs(
    withModels(new Command("ad3"))
      .description("certificates, iterations, times and bounds of AD3 on the scores of trained models")
      .option(
        "--bound-sentences <n>",
        "sentences for bounds against time, spread evenly over all",
        integer(1),
        100,
      )
      .option("--passes <n>", "passes over them, of which the fastest counts", integer(1), 3)
      .option("--limit <ms>", "time of branch and bound for a sentence", integer(1), 10_000),
  ).action((options: Ad3Arguments) => ad3(io, options));

async function ad3(io: Io, options: Ad3Arguments): Promise<void> {
  const { model, treebank, split, sentences, boundSentences, passes, limit } = options;
  checkSources(model, treebank, split);
  const results: Ad3Result[] = [];
  for (const [i, folder] of treebank.entries()) {
    const name = treebankName(folder);
    status(io, `${name}: scoring`);
    const parser = createParser(await readModel(model[i]!));
    const scored = spreadEvenly(
      readSplit(folder, split).filter(({ sentence }) => sentence.length > 0),
      sentences ?? Infinity,
    ).map(({ sentence, tree }): ScoredSentence => ({ problem: parser.problem(sentence), gold: tree.heads }));
    const onPass = (pass: string) => status(io, `${name}: ${pass}`);
    results.push(measureAd3(name, scored, { boundSentences, passes, limit, onPass }));
  }
  clearStatus(io);
  await publish(io, options, {
    title: `AD3 on the scores of trained models, ${split} split`,
    sections: ad3Sections(results),
    seed: 0,
    results,
  });
}

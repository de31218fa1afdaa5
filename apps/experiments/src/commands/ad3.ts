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
import { integer } from "@arcwise/cli/command";
import { Command } from "commander";
import { type Ad3Result, measureAd3 } from "../ad3/ad3-measures.ts";
import { ad3Sections } from "../ad3/ad3-sections.ts";
import { ad3Settings } from "../contestants.ts";

interface Ad3Arguments extends OutputOptions {
  readonly model: readonly string[];
  readonly treebank: readonly string[];
  readonly split: Split;
  readonly sentences?: number | undefined;
  readonly boundSentences: number;
  readonly passes: number;
  readonly limit: number;
  readonly seed: number;
}

/** With `--quick`. */
const FEW = { sentences: 40, boundSentences: 10, passes: 1, limit: 500 };

/** `arcwise-bench ad3 ...`: certificates, iterations and times of AD3 on the scores of trained models. */
export const ad3Command: CommandFactory = (io) =>
  withOutputs(
    withQuick(withModels(new Command("ad3")), FEW)
      .description("certificates, iterations, times and bounds of AD3 on the scores of trained models")
      .option(
        "--bound-sentences <n>",
        "sentences for bounds against time, spread evenly over all",
        integer(1),
        100,
      )
      .option("--passes <n>", "passes over them, of which the fastest counts", integer(1), 3)
      .option("--limit <ms>", "time of branch and bound for a sentence", integer(1), 10_000)
      .option("--seed <n>", "random seed of the starts of climbs", integer(0), 1),
  ).action((options: Ad3Arguments) => ad3(io, options));

async function ad3(io: Io, options: Ad3Arguments): Promise<void> {
  const { model, treebank, split, sentences, boundSentences, passes, limit, seed } = options;
  checkSources(model, treebank, split);
  const journal = journalOf(options, [...treebanksStamp(treebank), ...model.map(fileStamp)]);
  const results: Ad3Result[] = [];
  for (const [i, folder] of treebank.entries()) {
    const name = treebankName(folder);
    const keep = journal.under(`${i} ${folder}`);
    const measure = async (): Promise<Ad3Result> => {
      status(io, `${name}: scoring`);
      const scored = await scoredBy(model[i]!, folder, split, sentences);
      const onPass = (pass: string) => status(io, `${name}: ${pass}`);
      return measureAd3(name, scored, { boundSentences, passes, limit, seed, onPass, keep });
    };
    results.push(await keep("all", measure));
  }
  clearStatus(io);
  await publish(io, options, {
    title: `AD3 on the scores of trained models, ${split} split`,
    sections: ad3Sections(results),
    seed,
    results,
    contestants: results.flatMap((result) => ad3Settings(result, split)),
  });
  journal.end();
}

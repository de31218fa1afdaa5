import { type CommandFactory, type Io, withModels, withOutputs, withQuick } from "@arcwise/bench/command";
import { integer } from "@arcwise/cli/command";
import { Command } from "commander";
import { measureAd3 } from "../ad3/ad3-measures.ts";
import { ad3Sections } from "../ad3/ad3-sections.ts";
import { ad3Settings } from "../contestants.ts";
import { type ModelsArguments, measureModels } from "./measure-models.ts";

interface Ad3Arguments extends ModelsArguments {
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
  const { split, boundSentences, passes, limit, seed } = options;
  await measureModels(
    io,
    options,
    ({ name, sentences, onPass, keep }) =>
      measureAd3(name, sentences, { boundSentences, passes, limit, seed, onPass, keep }),
    (results) => ({
      title: `AD3 on the scores of trained models, ${split} split`,
      sections: ad3Sections(results),
      seed,
      results,
      contestants: results.flatMap((result) => ad3Settings(result, split)),
    }),
  );
}

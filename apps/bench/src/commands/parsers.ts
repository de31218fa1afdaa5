import { Command, Option } from "commander";
import { compareParsers } from "../compare-parsers.ts";
import {
  type CommandFactory,
  clearStatus,
  type Io,
  integer,
  type OutputOptions,
  publish,
  status,
  withOutputs,
} from "../io.ts";
import type { ParserJob } from "../parser-job.ts";
import { readReference } from "../reference.ts";
import { parserSections } from "../report/parser-sections.ts";
import {
  LABELLERS,
  type Labeller,
  LEARNERS,
  type Learner,
  ORDERS,
  type Order,
  PARSER_DECODERS,
  type ParserDecoder,
} from "../training-options.ts";
import type { Split } from "../treebanks.ts";

interface ParserArguments extends OutputOptions {
  readonly treebank: readonly string[];
  readonly decoder?: readonly ParserDecoder[];
  readonly order?: readonly string[];
  readonly learner: readonly Learner[];
  readonly labeller?: Labeller;
  readonly epochs: number;
  readonly seed: number;
  readonly split: Split;
}

/** What is compared unless something else is asked for. */
const USUAL: readonly { readonly decoder: ParserDecoder; readonly order: Order }[] = [
  { decoder: "mst", order: 1 },
  { decoder: "eisner", order: 1 },
  { decoder: "eisner", order: 2 },
  { decoder: "eisner", order: 3 },
];

/** `arcwise-bench parsers --treebank DIR... ...`: trains and measures whole parsers. */
export const parsersCommand: CommandFactory = (io) =>
  withOutputs(
    new Command("parsers")
      .description("train, evaluate and compare whole parsers, each in a process of its own")
      .requiredOption("--treebank <dir...>", "folders with files *train.conllu, *dev.conllu, *test.conllu")
      .addOption(new Option("--decoder <name...>", "decoders of the parsers").choices(PARSER_DECODERS))
      .addOption(new Option("--order <n...>", "orders of the parsers").choices(ORDERS.map(String)))
      .addOption(
        new Option("--learner <name...>", "how weights are learned").choices(LEARNERS).default(["mira"]),
      )
      .addOption(new Option("--labeller <name>", "how labels are chosen").choices(LABELLERS))
      .option("--epochs <n>", "passes over the training split", integer(1), 10)
      .option("--seed <n>", "decides the order of sentences and the bootstrap samples", integer(0), 1)
      .addOption(new Option("--split <name>", "what to parse").choices(["dev", "test"]).default("test"))
      .addHelpText(
        "after",
        `\nWithout --decoder and --order: ${USUAL.map(({ decoder, order }) => `${decoder} ${order}`).join(", ")}.`,
      ),
  ).action((options: ParserArguments) => parsers(io, options));

async function parsers(io: Io, options: ParserArguments): Promise<void> {
  const { treebank: treebanks, split, learner: learners, labeller, epochs, seed } = options;
  const jobs = treebanks.flatMap((treebank) =>
    learners.flatMap((learner) =>
      combinations(options).map(
        (one): ParserJob => ({
          treebank,
          split,
          options: { ...one, learner, labels: { labeller }, epochs, seed },
        }),
      ),
    ),
  );
  const results = await compareParsers(jobs, io.runParser, seed, (text) => status(io, text));
  clearStatus(io);
  publish(io, options, {
    title: "Parsers: accuracy and speed",
    sections: parserSections(results, readReference(io.env)),
    seed,
    results,
  });
}

/** Every decoder with every order, when one of them is named. */
function combinations({ decoder, order }: ParserArguments): typeof USUAL {
  if (decoder === undefined && order === undefined) return USUAL;
  const orders = (order ?? ["1"]).map((text) => Number(text) as Order);
  return (decoder ?? ["eisner"]).flatMap((name) => orders.map((one) => ({ decoder: name, order: one })));
}

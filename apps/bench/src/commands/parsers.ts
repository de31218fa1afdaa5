import {
  decoderOption,
  epochsOption,
  type Labeller,
  type Learner,
  labellerOption,
  learnerOption,
  type Order,
  orderOption,
  type ParserDecoder,
  seedOption,
} from "@arcwise/cli/command";
import { Command } from "commander";
import { compareParsers } from "../compare-parsers.ts";
import {
  type CommandFactory,
  clearStatus,
  type Io,
  type OutputOptions,
  publish,
  status,
  withOutputs,
} from "../io.ts";
import { splitOption, withTreebanks } from "../options.ts";
import { type OtherDecoder, otherDecoders, withOthers } from "../other-decoders.ts";
import type { ParserJob } from "../parser-job.ts";
import { readReference } from "../reference.ts";
import { parserSections } from "../report/parser-sections.ts";
import type { Split } from "../treebanks.ts";

interface ParserArguments extends OutputOptions {
  readonly treebank: readonly string[];
  readonly decoder?: readonly ParserDecoder[];
  readonly order?: readonly string[];
  readonly with?: readonly string[];
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
    withOthers(withTreebanks(new Command("parsers")))
      .description("train, evaluate and compare whole parsers, each in a process of its own")
      .addOption(decoderOption("several"))
      .addOption(orderOption("several"))
      .addOption(learnerOption("several").default(["mira"]))
      .addOption(labellerOption())
      .addOption(epochsOption(10, "passes over the training split"))
      .addOption(seedOption("decides the order of sentences and the bootstrap samples"))
      .addOption(splitOption("what to parse", ["dev", "test"]))
      .addHelpText(
        "after",
        "\nWithout --decoder and --order: " +
          `${USUAL.map(({ decoder, order }) => `${decoder} ${order}`).join(", ")}.`,
      ),
  ).action((options: ParserArguments) => parsers(io, options));

async function parsers(io: Io, options: ParserArguments): Promise<void> {
  const { treebank: treebanks, split, learner: learners, labeller, epochs, seed } = options;
  const others = await otherDecoders(options.with);
  const jobs = treebanks.flatMap((treebank) =>
    learners.flatMap((learner) =>
      [...combinations(options), ...ofOthers(others, options)].map(
        ({ module, ...one }): ParserJob => ({
          treebank,
          split,
          ...(module !== undefined && { module }),
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

/** A decoder and an order; with a module, the decoder is that of the module. */
interface Combination {
  readonly decoder: string;
  readonly order: Order;
  readonly module?: string;
}

/** The decoders of modules with every order that is asked for, or else with order 1. */
function ofOthers(others: readonly OtherDecoder[], { order = ["1"] }: ParserArguments): Combination[] {
  return others.flatMap(({ name, module }) =>
    order.map((text) => ({ decoder: name, order: Number(text) as Order, module })),
  );
}

/** Every decoder with every order, when one of them is named. */
function combinations({ decoder, order }: ParserArguments): readonly Combination[] {
  if (decoder === undefined && order === undefined) return USUAL;
  const orders = (order ?? ["1"]).map((text) => Number(text) as Order);
  return (decoder ?? ["eisner"]).flatMap((name) => orders.map((one) => ({ decoder: name, order: one })));
}

import {
  epochsOption,
  type Labeller,
  type Learner,
  labellerOption,
  learnerOption,
  type Order,
  orderOption,
  seedOption,
} from "@arcwise/cli/command";
import { KINDS_OF_ORDER, TRAINING_DECODER_NAMES } from "@arcwise/parser";
import { Command, Option } from "commander";
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
import { DECODERS, type DecoderEntry } from "../registry.ts";
import { parserSections } from "../report/parser-sections.ts";
import type { Split } from "../treebanks.ts";

interface ParserArguments extends OutputOptions {
  readonly treebank: readonly string[];
  readonly decoder?: readonly string[];
  readonly order?: readonly string[];
  readonly with?: readonly string[];
  readonly learner: readonly Learner[];
  readonly labeller?: Labeller;
  readonly epochs: number;
  readonly seed: number;
  readonly split: Split;
}

/** Names of the decoders for training parsers. */
const NAMES: readonly string[] = [
  ...new Set([...DECODERS.map(({ name }) => name), ...TRAINING_DECODER_NAMES]),
];

/** `arcwise-bench parsers --treebank DIR... ...`: trains and measures whole parsers. */
export const parsersCommand: CommandFactory = (io) =>
  withOutputs(
    withOthers(withTreebanks(new Command("parsers")))
      .description("train, evaluate and compare whole parsers, each in a process of its own")
      .addOption(new Option("--decoder <name...>", "only these decoders").choices(NAMES))
      .addOption(orderOption("several"))
      .addOption(learnerOption("several").default(["mira"]))
      .addOption(labellerOption())
      .addOption(epochsOption(10, "passes over the training split"))
      .addOption(seedOption("decides the order of sentences and the bootstrap samples"))
      .addOption(splitOption("what to parse", ["dev", "test"]))
      .addHelpText("after", "\nWithout --order, each decoder has the orders whose parts it scores."),
  ).action((options: ParserArguments) => parsers(io, options));

async function parsers(io: Io, options: ParserArguments): Promise<void> {
  const { treebank: treebanks, split, learner: learners, labeller, epochs, seed } = options;
  const others = await otherDecoders(options.with);
  const jobs = treebanks.flatMap((treebank) =>
    learners.flatMap((learner) =>
      combinations(others, options).map(
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
  await publish(io, options, {
    title: "Parsers: accuracy and speed",
    sections: parserSections(results, readReference(io.env)),
    seed,
    results,
  });
}

/** A decoder and an order; with `module`, the decoder of that module. */
interface Combination {
  readonly decoder: string;
  readonly order: Order;
  readonly module?: string;
}

/** Returns every decoder with the requested orders, or else with those whose parts it scores. */
function combinations(others: readonly OtherDecoder[], { decoder, order }: ParserArguments): Combination[] {
  const orders = order?.map((text) => Number(text) as Order);
  const known = DECODERS.filter(({ name }) => decoder?.includes(name) ?? true);
  // Built-in names of decoders of the registry.
  const aliases = (decoder ?? []).filter((name) => !known.some((entry) => entry.name === name));
  return [
    ...known.flatMap((entry) =>
      (orders ?? ordersOf(entry)).map((one) => ({ decoder: entry.name, order: one })),
    ),
    ...aliases.flatMap((name) => (orders ?? [1 as const]).map((one) => ({ decoder: name, order: one }))),
    ...others.flatMap((entry) =>
      (orders ?? ordersOf(entry)).map((one) => ({ decoder: entry.name, order: one, module: entry.module })),
    ),
  ];
}

/** Returns the orders of models whose parts a decoder scores. */
function ordersOf({ kinds }: DecoderEntry): Order[] {
  const orders = Object.entries(KINDS_OF_ORDER).filter(([, needed]) =>
    needed.every((kind) => kinds.includes(kind)),
  );
  return orders.map(([order]) => Number(order) as Order);
}

import {
  epochsOption,
  integer,
  type Labeller,
  type Order,
  parserOption,
  seedOption,
  UsageError,
} from "@arcwise/cli/command";
import { decoderNames } from "@arcwise/parser/decoding";
import { Command, Option } from "commander";
import {
  type CommandFactory,
  type Io,
  type OutputOptions,
  publish,
  status,
  withOutputs,
} from "../command/io.ts";
import {
  sentencesOption,
  splitOption,
  type TimingArguments,
  withTiming,
  withTreebanks,
} from "../command/options.ts";
import { namedFiles, planResults } from "../data/files.ts";
import { checkTreebanks, type Split, treebanksStamp } from "../data/treebanks.ts";
import { compareParsers, type ParserComparison } from "../jobs/compare-parsers.ts";
import { combinedParsers, decodersOf, jobsOf, parsersByOptions, refusedOn } from "../jobs/parser-jobs.ts";
import { readReference } from "../jobs/reference.ts";
import { ParserFailed, type RunParser } from "../jobs/spawn-parser.ts";
import { DECODERS } from "../registry/decoders.ts";
import { otherDecoders, withOthers } from "../registry/other-decoders.ts";
import { comparedParsers, parserSections } from "../report/parser-sections.ts";
import { versions } from "../results/environment.ts";
import { Journal } from "../results/journal.ts";

/** The environment of commands that train parsers. */
export interface BenchIo extends Io {
  readonly runParser: RunParser;
}

interface ParserArguments extends OutputOptions, TimingArguments {
  readonly treebank: readonly string[];
  readonly parser?: readonly string[] | undefined;
  readonly decoder?: readonly string[] | undefined;
  readonly order?: readonly Order[] | undefined;
  readonly with?: readonly string[] | undefined;
  readonly learner: readonly string[];
  readonly labeller?: Labeller | undefined;
  readonly epochs: number;
  readonly sentences?: number | undefined;
  readonly models?: string | undefined;
  readonly seeds: number;
  readonly matrix?: boolean | undefined;
  readonly seed: number;
  readonly split: Split;
}

/** Names of the decoders for training parsers. */
const NAMES: readonly string[] = [
  ...new Set([...DECODERS.map(({ name }) => name), ...decoderNames("trees", "training")]),
];

/** `arcwise-bench parsers --treebank DIR... ...`: trains and measures whole parsers. */
export const parsersCommand: CommandFactory<BenchIo> = (io) =>
  withOutputs(
    withTiming(withOthers(withTreebanks(new Command("parsers"))), { epochs: 2, sentences: 150 })
      .description("train, evaluate and compare whole parsers, each in a separate process")
      .option(
        "--parser <options>",
        'a parser by the options of arcwise train, such as "ad3 --order 3 --epochs 5"; may be repeated',
        (text: string, before: readonly string[] = []) => [...before, text],
      )
      .addOption(new Option("--decoder <name...>", "only these decoders").choices(NAMES))
      .addOption(parserOption("--order <n...>"))
      .addOption(parserOption("--learner <name...>").default(["mira"]))
      .addOption(parserOption("--labeller <name>"))
      .addOption(epochsOption(10, "epochs over the training split"))
      .addOption(sentencesOption("learn from n sentences and parse n, spread evenly over their splits"))
      .option("--models <dir>", "keep the models in this folder")
      .option(
        "--seeds <n>",
        "train each parser with n seeds, from --seed on: mean and deviation",
        integer(1, 100),
        1,
      )
      .option(
        "--matrix",
        "parse with the decoders of all parsers: decoder of training against decoder of parsing",
      )
      .addOption(seedOption("random seed of the order of sentences and of the bootstrap samples"))
      .addOption(splitOption("what to parse", ["dev", "test"]))
      .addHelpText(
        "after",
        "\nWithout --parser and --decoder: every decoder; without --order, with all orders whose parts it " +
          "scores.\nWith --json FILE, finished parsers are kept in FILE.partial: the same command goes on " +
          "there.",
      ),
  ).action((options: ParserArguments) => parsers(io, options));

async function parsers(io: BenchIo, options: ParserArguments): Promise<void> {
  const { treebank: treebanks, split, seed, seeds, models, sentences } = options;
  const { timed, rounds, time, warmUp } = options;
  const others = await otherDecoders(options.with);
  const named = await parsersByOptions(options);
  const isNamedOnly = named.length > 0 && others.length === 0 && !options.decoder && !options.order;
  const all = isNamedOnly ? { parsers: [], refused: [] } : await combinedParsers(options, others);
  const chosen = [
    ...named,
    ...all.parsers.filter(({ name }) => !named.some((parser) => parser.name === name)),
  ];
  if (chosen.length === 0) throw new UsageError(all.refused.map(({ reason }) => reason).join("; "));
  checkTreebanks(treebanks, ["train", split]);
  const jobs = jobsOf(treebanks, chosen, {
    split,
    timing: { timed, rounds, time, warmUp },
    sentences,
    models,
    parseWith: options.matrix ? decodersOf(chosen) : undefined,
  });
  const modelFiles = jobs.flatMap(({ modelFile }) => modelFile ?? []);
  const read = namedFiles({ "--treebank": treebanks, "--with": options.with });
  await planResults(read, Object.fromEntries(modelFiles.map((path) => [`--models ${path}`, path])));
  const journal = new Journal(options.journal, { ...versions(), stamp: treebanksStamp(treebanks) });
  const tell = (text: string): void => status(io, text);
  const compared = await compareParsers(jobs, { run: io.runParser, journal, seed, tell, seeds });
  const results: ParserComparison = { ...compared, refused: refusedOn(treebanks, all.refused) };
  await publish(io, options, {
    title: "Parsers: accuracy and speed",
    // Other parsers learned from the whole treebank.
    sections: parserSections(results, sentences === undefined ? readReference(io.env) : undefined),
    seed,
    results,
    contestants: comparedParsers(results.parsers),
  });
  requireAll(results);
  journal.end();
}

/** @throws ParserFailed in one line when some parsers could not be measured */
export function requireAll({ parsers, failed }: ParserComparison): void {
  if (failed.length === 0) return;
  const reasons = failed.map(({ treebank, parser, reason }) => `${treebank}, ${parser}: ${reason}`);
  const count = failed.length + parsers.length;
  throw new ParserFailed(`${failed.length} of ${count} parsers failed: ${reasons.join("; ")}`);
}

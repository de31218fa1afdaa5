import { join } from "node:path";
import { type Labeller, type Order, UsageError } from "@arcwise/cli/command";
import { hasCode } from "@arcwise/core/errors";
import { KINDS_OF_ORDER } from "@arcwise/parser";
import { treebankName } from "../data/treebanks.ts";
import { DECODERS, type DecoderEntry } from "../registry/decoders.ts";
import type { OtherDecoder } from "../registry/other-decoders.ts";
import type { Refusal } from "./compare-parsers.ts";
import { jobSettings, type ParserJob } from "./parser-job.ts";

/** The parsers to train: some by their options, and all combinations of decoders, orders and learners. */
export interface ParserChoice {
  /** Options of `arcwise train`, one text a parser. */
  readonly parser?: readonly string[] | undefined;
  readonly decoder?: readonly string[] | undefined;
  readonly order?: readonly Order[] | undefined;
  readonly learner: readonly string[];
  readonly labeller?: Labeller | undefined;
  readonly epochs: number;
  readonly seed: number;
}

/** Options of one parser, and its name in tables. */
export type NamedOptions = Pick<ParserJob, "name" | "options">;

/** Returns parsers by their options. A text may begin with the name of a decoder instead of an option. */
export async function parsersByOptions({ parser = [], epochs, seed }: ParserChoice): Promise<NamedOptions[]> {
  const found: NamedOptions[] = [];
  for (const text of parser) {
    const words = shellWords(text);
    const given = words[0]?.startsWith("-") === false ? ["--decoder", ...words] : words;
    const options = ["--epochs", `${epochs}`, "--seed", `${seed}`, ...given];
    try {
      await jobSettings(options);
    } catch (error) {
      throw new UsageError(`--parser "${text}": ${(error as Error).message}`, { cause: error });
    }
    const name = nameOf(given);
    if (found.some((one) => one.name === name)) throw new UsageError(`--parser "${text}" is given twice`);
    found.push({ name, options });
  }
  return found;
}

/** Returns the words of a text; quotes keep spaces. */
function shellWords(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|[^\s"']+/g)].map(
    ([word, double, single]) => double ?? single ?? word,
  );
}

/** Returns the name of a parser: its decoder, its order, and its other options without dashes. */
function nameOf(given: readonly string[]): string {
  const words = [...given];
  const take = (flag: string, standard: string): string => {
    const at = words.indexOf(flag);
    return at < 0 ? standard : words.splice(at, 2)[1]!;
  };
  const decoder = take("--decoder", "mst");
  const order = take("--order", "1");
  const others = words.join(" ").replace(/(?:^| )--(?:settings (?:parser\.)?)?/g, ", ");
  return `Arcwise ${decoder} order ${order}${others}`;
}

/**
 * Returns all combinations: every decoder with the requested orders, or else with those whose parts it
 * scores, by every learner. Combinations that do not exist are refused.
 */
export async function combinedParsers(
  choice: ParserChoice,
  others: readonly OtherDecoder[],
): Promise<{ readonly parsers: NamedOptions[]; readonly refused: Omit<Refusal, "treebank">[] }> {
  const { labeller, epochs, seed, learner: learners } = choice;
  const parsers: NamedOptions[] = [];
  const refused: Omit<Refusal, "treebank">[] = [];
  for (const learner of learners) {
    for (const { name: decoder, order, given } of combinations(others, choice)) {
      const learned = learner === "mira" ? "" : `, ${learner}`;
      const labelled = labeller === undefined ? "" : `, ${labeller} labels`;
      const name = `Arcwise ${decoder} order ${order}${learned}${labelled}`;
      const scored = ["--decoder", given, "--order", `${order}`, "--learner", learner];
      const labels = labeller === undefined ? [] : ["--settings", JSON.stringify({ parser: { labeller } })];
      const options = [...scored, ...labels, "--epochs", `${epochs}`, "--seed", `${seed}`];
      try {
        await jobSettings(options);
        parsers.push({ name, options });
      } catch (error) {
        // A combination that does not exist is left out; a module that cannot be loaded is a wrong command line.
        if (!(error instanceof UsageError) || hasCode(error.cause, "invalid-module")) throw error;
        refused.push({ parser: name, reason: error.message });
      }
    }
  }
  return { parsers, refused };
}

interface Combination {
  readonly name: string;
  readonly given: string;
  readonly order: Order;
}

function combinations(
  others: readonly OtherDecoder[],
  { decoder, order: orders }: ParserChoice,
): Combination[] {
  const known = DECODERS.filter(({ name }) => decoder?.includes(name) ?? true);
  // Built-in names of decoders of the registry.
  const aliases = (decoder ?? []).filter((name) => !known.some((entry) => entry.name === name));
  const all: { name: string; given: string; orders: readonly Order[] }[] = [
    ...known.map((entry) => ({ name: entry.name, given: entry.name, orders: ordersOf(entry) })),
    ...aliases.map((name) => ({ name, given: name, orders: [1] as const })),
    ...others.map((entry) => ({ name: entry.name, given: entry.module, orders: ordersOf(entry) })),
  ];
  return all.flatMap(({ name, given, orders: own }) =>
    (orders ?? own).map((one) => ({ name, given, order: one })),
  );
}

function ordersOf({ kinds }: DecoderEntry): Order[] {
  const orders = Object.entries(KINDS_OF_ORDER).filter(([, needed]) =>
    needed.every((kind) => kinds.includes(kind)),
  );
  return orders.map(([order]) => Number(order) as Order);
}

/** Settings of all jobs, and the folder that their models are kept in. */
export type JobSettings = Pick<ParserJob, "split" | "sentences" | "timing" | "parseWith"> & {
  readonly models?: string | undefined;
};

/** Returns the jobs of parsers on treebanks: all parsers of a treebank, then of the next one. */
export function jobsOf(
  treebanks: readonly string[],
  parsers: readonly NamedOptions[],
  { models, ...settings }: JobSettings,
): ParserJob[] {
  return treebanks.flatMap((treebank) =>
    parsers.map((one) => ({
      ...one,
      treebank,
      ...settings,
      modelFile: models !== undefined ? modelPath(models, treebank, one.name) : undefined,
    })),
  );
}

/** Returns the decoders that parsers are trained with, each once, as `--decoder` takes them. */
export function decodersOf(parsers: readonly NamedOptions[]): string[] {
  const names = parsers.map(({ options }) => {
    const at = options.lastIndexOf("--decoder");
    return at < 0 ? "mst" : options[at + 1]!;
  });
  return [...new Set(names)];
}

/** Returns the file in which a parser that is given by its options is kept in a folder of models. */
export function modelFileOf(models: string, treebank: string, parser: string): string {
  return modelPath(models, treebank, nameOf(["--decoder", ...shellWords(parser)]));
}

function modelPath(models: string, treebank: string, name: string): string {
  const file = `${treebankName(treebank)} ${name}`.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return join(models, `${file}.model`);
}

/** Returns what is refused on every treebank. */
export function refusedOn(
  treebanks: readonly string[],
  refused: readonly Omit<Refusal, "treebank">[],
): Refusal[] {
  return treebanks.flatMap((folder) => refused.map((one) => ({ ...one, treebank: treebankName(folder) })));
}

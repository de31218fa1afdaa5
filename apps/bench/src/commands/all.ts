import { rmSync } from "node:fs";
import { join } from "node:path";
import { seedOption } from "@arcwise/cli/command";
import { Command } from "commander";
import {
  type CommandFactory,
  type Content,
  type Io,
  type OutputOptions,
  publish,
  status,
  withOutputs,
} from "../command/io.ts";
import { checkTreebanks, knownTreebanks, REPOSITORY, SAMPLE, trainingSize } from "../data/treebanks.ts";
import { modelFileOf } from "../jobs/parser-jobs.ts";
import { versions } from "../results/environment.ts";
import { Journal } from "../results/journal.ts";
import { compareCommand } from "./compare.ts";
import { decodersCommand } from "./decoders.ts";
import { learnersCommand } from "./learners.ts";
import { type BenchIo, parsersCommand } from "./parsers.ts";

interface AllArguments extends OutputOptions {
  readonly treebank?: readonly string[] | undefined;
  readonly quick?: boolean | undefined;
  readonly seed: number;
}

/** A sub-command with its arguments, as one step of the whole benchmark. */
export interface Step {
  /** Heading of its sections, and name of its results. */
  readonly name: string;
  readonly command: CommandFactory<BenchIo>;
  readonly argv: readonly string[];
}

/** The parser whose model gives the scores that decoders are compared on. */
const SCORED = "ad3 --order 3";

/** `arcwise-bench all`: all sub-commands, with one report. */
export const allCommand: CommandFactory<BenchIo> = (io) =>
  withOutputs(
    new Command("all")
      .description("run all comparisons, and write one report: reports/all.html and reports/all.json")
      .option("--treebank <dir...>", "treebanks in addition to the sample (all of the folder of data)")
      .option("--quick", "small parts of the data and short times: some minutes on two cores")
      .addOption(seedOption("random seed of all comparisons"))
      .addHelpText("after", "\nFinished comparisons are kept: an interrupted command resumes."),
    ({ json = reportFile("all.json"), html = reportFile("all.html") }) => ({ json, html }),
  ).action((options: AllArguments) => all(io, options));

function reportFile(name: string): string {
  return join(REPOSITORY, "reports", name);
}

async function all(io: BenchIo, options: AllArguments): Promise<void> {
  const { seed, quick = false } = options;
  const treebanks = treebanksOf(io, options);
  checkTreebanks(treebanks, ["train", "dev", "test"]);
  // Next to the results, as measurements are: the next steps of an interrupted run need them.
  const models = `${options.json!.path}.models`;
  const journal = new Journal(options.journal, { ...versions(), seed, quick, treebanks });
  const contents: Record<string, Content> = {};
  const steps = allSteps(treebanks, { models, quick, seed });
  for (const [i, step] of steps.entries()) {
    const name = `${step.name}: ${step.argv.join(" ")}`;
    status(io, `${i + 1}/${steps.length} ${step.name}${journal.has(name) ? ": measured before" : ""}`);
    contents[step.name] = await journal.once(name, () => contentOf(io, step));
  }
  await publish(io, options, {
    title: quick ? "Arcwise: all comparisons, small parts of the data" : "Arcwise: all comparisons",
    sections: Object.entries(contents).flatMap(([name, { sections }]) =>
      sections.map((section) => ({ ...section, chapter: name })),
    ),
    seed,
    results: Object.fromEntries(Object.entries(contents).map(([name, { results }]) => [name, results])),
    contestants: Object.entries(contents).flatMap(([name, { contestants = [] }]) =>
      contestants.map((one) => ({ ...one, group: `${name}: ${one.group}` })),
    ),
  });
  journal.end();
  rmSync(models, { recursive: true, force: true });
}

/** Returns the treebanks in addition to the sample; the smallest one for a quick run. */
function treebanksOf(io: Io, { treebank, quick }: AllArguments): readonly string[] {
  if (treebank !== undefined) return treebank;
  const known = knownTreebanks(io.env);
  if (!quick) return known;
  return [...known].sort((a, b) => trainingSize(a) - trainingSize(b)).slice(0, 1);
}

/** Settings of steps other than the treebanks. */
export interface StepOptions {
  /** The folder of models that later steps use. */
  readonly models: string;
  readonly quick: boolean;
  readonly seed: number;
}

/** Returns the sub-commands of the whole benchmark with their arguments. */
export function allSteps(treebanks: readonly string[], { models, quick, seed }: StepOptions): Step[] {
  const random = ["--seed", `${seed}`];
  const few = (argv: readonly string[]): readonly string[] => (quick ? argv : []);
  const folders = [SAMPLE, ...treebanks];
  const step = (name: string, command: CommandFactory<BenchIo>, ...argv: readonly string[]): Step => ({
    name,
    command,
    argv: [...argv, ...random],
  });
  return [
    step("Parsers on the sample", parsersCommand, "--treebank", SAMPLE, ...few(["--quick"])),
    step(
      "Parsers on treebanks",
      parsersCommand,
      ...["--treebank", ...folders, "--models", models, "--parser", "mst", "--parser", SCORED],
      ...few(["--quick"]),
    ),
    step(
      "Decoders on the same scores",
      compareCommand,
      ...["--model", ...folders.map((folder) => modelFileOf(models, folder, SCORED))],
      ...["--treebank", ...folders],
      ...few(["--quick"]),
    ),
    step("Decoders by length", decodersCommand, ...(quick ? [] : ["--full"])),
    step("Learners", learnersCommand, ...few(["--quick"])),
  ];
}

/** Runs a sub-command, and returns what it would publish. */
async function contentOf(io: BenchIo, { command, argv }: Step): Promise<Content> {
  let found: Content | undefined;
  const collect = (content: Content): void => {
    found = content;
  };
  await command({ ...io, argv, collect })
    .exitOverride()
    .parseAsync([...argv], { from: "user" });
  if (found === undefined) throw new Error(`${argv.join(" ")}: published nothing`);
  return kept(found);
}

/** Returns content without the functions that drew its figures, which the journal cannot keep. */
export function kept({ sections, ...content }: Content): Content {
  return { ...content, sections: JSON.parse(JSON.stringify(sections)) as Content["sections"] };
}

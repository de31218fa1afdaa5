import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { integer } from "@arcwise/cli/command";
import { createParser } from "@arcwise/parser";
import { readParserFile } from "@arcwise/parser/node";
import { Command } from "commander";
import {
  type CommandFactory,
  clearStatus,
  type Io,
  type OutputOptions,
  publish,
  status,
  withOutputs,
} from "../command/io.ts";
import { timingOf } from "../command/options.ts";
import { knownTreebanks, REPOSITORY, readSplit, SAMPLE } from "../data/treebanks.ts";
import { compareParsers } from "../jobs/compare-parsers.ts";
import type { ParserJob } from "../jobs/parser-job.ts";
import type { BenchIo } from "../jobs/spawn-parser.ts";
import { realScores } from "../measures/real-scores.ts";
import { drawnScoreSets, type ScoreSet } from "../measures/score-sets.ts";
import { OPERATIONS } from "../measures/sums.ts";
import { DECODERS } from "../registry/decoders.ts";
import { otherDecoders, withOthers } from "../registry/other-decoders.ts";
import { decoderSections } from "../report/decoder-sections.ts";
import { parserSections } from "../report/parser-sections.ts";
import { comparedParsers, timedSeries } from "../results/contestants.ts";
import { Journal, keepNothing } from "../results/journal.ts";
import { measureAll } from "./decoders.ts";
import { requireAll } from "./parsers.ts";

interface SampleArguments extends OutputOptions {
  readonly treebank: string;
  readonly epochs: number;
  readonly time: number;
  readonly length: number;
  readonly with?: readonly string[] | undefined;
  readonly seed: number;
}

const PARSERS = [
  { decoder: "mst", order: 1 },
  { decoder: "eisner", order: 1 },
  { decoder: "eisner", order: 3 },
] as const;

/** Time limit of one call, in milliseconds. */
const LIMIT = 100;
const LENGTHS = [10, 20, 50, 100];

/** `arcwise-bench sample`: a short run of the whole benchmark on the bundled treebank. */
export const sampleCommand: CommandFactory<BenchIo> = (io) =>
  withOutputs(
    withOthers(new Command("sample"))
      .description("compare parsers and decoders on the bundled sample, in half a minute")
      .option("--treebank <dir>", "another small treebank instead of the sample", SAMPLE)
      .option("--epochs <n>", "passes over the sample in training", integer(1), 3)
      .option("--time <ms>", "time of measuring each cell", integer(1), 30)
      .option("--length <n>", "longest drawn sentences", integer(10), LENGTHS.at(-1))
      .option("--seed <n>", "decides the order of sentences and the drawn scores", integer(0), 1),
  ).action((options: SampleArguments) => sample(io, options));

async function sample(io: BenchIo, options: SampleArguments): Promise<void> {
  const { treebank, epochs, seed, time } = options;
  const others = await otherDecoders(options.with);
  const timing = timingOf({ quick: true });
  const entries = [...DECODERS, ...others];
  const folder = mkdtempSync(join(tmpdir(), "arcwise-bench-"));
  try {
    const modelFile = join(folder, "sample.model");
    const training = ["--epochs", `${epochs}`, "--seed", `${seed}`];
    const jobs = [
      ...PARSERS.map(
        ({ decoder, order }): ParserJob => ({
          name: `Arcwise ${decoder} order ${order}`,
          treebank,
          split: "test",
          options: ["--decoder", decoder, "--order", `${order}`, ...training],
          timing,
          // The last one has the highest order: its scores have all parts that are timed below.
          modelFile: order === PARSERS.at(-1)!.order ? modelFile : undefined,
        }),
      ),
      ...others.map(
        ({ name, module }): ParserJob => ({
          name: `Arcwise ${name} order 1`,
          treebank,
          split: "test",
          options: ["--decoder", module, "--order", "1", ...training],
          timing,
        }),
      ),
    ];
    const compared = await compareParsers(jobs, {
      run: io.runParser,
      journal: new Journal(undefined, {}),
      seed,
      tell: (text) => status(io, text),
    });
    const parsers = { ...compared, refused: [] };
    clearStatus(io);
    requireAll(parsers);
    const sets = [
      ...drawnScoreSets(seed).map((set) => upTo(set, options.length)),
      await trainedScores(treebank, modelFile),
    ];
    const rows = [entries, OPERATIONS] as const;
    const measured = await measureAll(io, rows, sets, { time, limit: LIMIT }, keepNothing);
    await publish(
      io,
      { html: join(REPOSITORY, "reports", "sample.html"), ...options },
      {
        title: "Arcwise on its sample treebank",
        sections: [
          ...parserSections(parsers, undefined),
          ...decoderSections(entries, measured.decoders, measured.operations, sets),
        ],
        seed,
        results: { ...parsers, ...measured },
        contestants: [
          ...comparedParsers(parsers.parsers),
          ...timedSeries([...measured.decoders, ...measured.operations]),
        ],
      },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  adviseOnTreebanks(io);
}

function upTo(set: ScoreSet, most: number): ScoreSet {
  return { ...set, lengths: LENGTHS.filter((n) => n <= most) };
}

async function trainedScores(treebank: string, modelFile: string): Promise<ScoreSet> {
  const parser = createParser(await readParserFile(modelFile));
  const sentences = (["train", "dev", "test"] as const)
    .flatMap((split) => readSplit(treebank, split))
    .map(({ sentence }) => sentence);
  return realScores(parser, sentences, "a third-order model on the sentences of its treebank");
}

function adviseOnTreebanks(io: Io): void {
  const [first] = knownTreebanks(io.env);
  const folder = first ?? "DIR";
  io.stdout.write(
    first === undefined
      ? "\nThe sample is small. To compare parsers on a treebank of Universal Dependencies in a folder DIR:\n"
      : "\nThe sample is small. There are treebanks on this machine; to compare parsers on one of them:\n",
  );
  io.stdout.write(`  npm run bench -- parsers --treebank ${folder} --html reports/parsers.html\n`);
}

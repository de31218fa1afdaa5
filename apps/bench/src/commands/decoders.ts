import { existsSync } from "node:fs";
import { join } from "node:path";
import { integer, integers, UsageError } from "@arcwise/cli/command";
import type { Sentence } from "@arcwise/core";
import { createParser, type Parser, trainParser } from "@arcwise/parser";
import { readModelPart } from "@arcwise/pipeline/node";
import { Command } from "commander";
import {
  type CommandFactory,
  clearStatus,
  type Io,
  type OutputOptions,
  status,
  withOutputs,
} from "../command/io.ts";
import { withQuick } from "../command/options.ts";
import { Run } from "../command/run.ts";
import {
  checkTreebanks,
  fileStamp,
  REPOSITORY,
  readSplit,
  SAMPLE,
  treebankName,
  treebanksStamp,
} from "../data/treebanks.ts";
import {
  type MeasureOptions,
  measureDecoder,
  measureOperation,
  type Series,
} from "../measures/measure-decoders.ts";
import { realScores } from "../measures/real-scores.ts";
import { drawnScoreSets, type ScoreSet } from "../measures/score-sets.ts";
import { OPERATIONS, type TreeOperation } from "../measures/sums.ts";
import { type DecoderEntry, decodersNamed } from "../registry/decoders.ts";
import { otherDecoders, withOthers } from "../registry/other-decoders.ts";
import { decoderSections, timedSeries } from "../report/decoder-sections.ts";
import type { Keep } from "../results/journal.ts";

interface DecoderArguments extends OutputOptions {
  readonly decoder?: readonly string[] | undefined;
  readonly with?: readonly string[] | undefined;
  readonly set?: readonly string[] | undefined;
  readonly length?: readonly number[] | undefined;
  readonly model?: string | undefined;
  readonly treebank?: string | undefined;
  readonly operations: boolean;
  readonly time?: number | undefined;
  readonly limit?: number | undefined;
  readonly full?: boolean | undefined;
  readonly seed: number;
}

const REPORT = join(REPOSITORY, "reports", "decoders.html");

const SETS = ["dense", "sparse", "cycles", "real"];
/** Epochs of the model that is trained when none is given. */
const EPOCHS = 3;
/** Times in milliseconds, and lengths; with `--full` the lengths of each set. */
const THOROUGH = { time: 200, limit: 1000, length: undefined };
const SHORT = { time: 20, limit: 50, length: [10, 20, 50] };
const QUICK = { time: 2, limit: 20, length: [10, 20] };

/** `arcwise-bench decoders ...`: times decoders and operations over trees. */
export const decodersCommand: CommandFactory = (io) =>
  withOutputs(
    withQuick(withOthers(new Command("decoders")), QUICK)
      .description(
        "time decoders, marginals, rankings and samplers by sentence length; answers are checked first",
      )
      .option("--decoder <name...>", "only these decoders")
      .option("--set <name...>", `only these score sets (${SETS.join(", ")})`)
      .option("--length <n...>", "these sentence lengths", integers(1))
      .option("--model <file>", "scores of this model in the set real, instead of one trained on the sample")
      .option("--treebank <dir>", "sentences for the set real: the test split, instead of the sample")
      .option("--no-operations", "decoders only")
      .option(
        "--time <ms>",
        `time of measuring each cell (${SHORT.time}; with --full ${THOROUGH.time})`,
        integer(1),
      )
      .option(
        "--limit <ms>",
        `leave out lengths at which one call would take longer (${SHORT.limit}; with --full ${THOROUGH.limit})`,
        integer(1),
      )
      .option("--full", "all lengths, and longer times: minutes instead of seconds")
      .option("--seed <n>", "decides the scores", integer(0), 1),
    // Someone who names no file finds the report as well.
    ({ json, html = json === undefined ? REPORT : undefined }) => ({ json, html }),
  ).action((options: DecoderArguments) => decoders(io, options));

async function decoders(io: Io, options: DecoderArguments): Promise<void> {
  const defaults = options.full ? THOROUGH : SHORT;
  const { time = defaults.time, limit = defaults.limit, length = defaults.length } = options;
  const entries = [...decodersNamed(options.decoder), ...(await otherDecoders(options.with))];
  const wanted = setNames(options.set);
  const { treebank, model } = options;
  if (treebank !== undefined) checkTreebanks([treebank], ["test"]);
  const files = [model, ...(options.with ?? [])].flatMap((path) =>
    path !== undefined && existsSync(path) ? [path] : [],
  );
  const stamp = [...treebanksStamp(treebank === undefined ? [] : [treebank]), ...files.map(fileStamp)];
  const run = new Run(io, options, stamp);
  const sets = drawnScoreSets(options.seed).filter(({ name }) => wanted.includes(name));
  if (wanted.includes("real")) sets.push(await trainedScores(io, options, entries));
  const lengths = length && { lengths: length.toSorted((a, b) => a - b) };
  const rows = [entries, options.operations ? OPERATIONS : []] as const;
  const measured = await measureAll(io, rows, sets, { time, limit, ...lengths }, run.under("row"));
  await run.publish({
    title: "Decoders: speed by sentence length",
    sections: decoderSections(entries, measured.decoders, measured.operations, sets),
    seed: options.seed,
    results: measured,
    contestants: timedSeries([...measured.decoders, ...measured.operations]),
  });
}

function setNames(names: readonly string[] = SETS): readonly string[] {
  for (const name of names) {
    if (!SETS.includes(name))
      throw new UsageError(`expected a score set out of ${SETS.join(", ")}, got "${name}"`);
  }
  return names;
}

async function trainedScores(
  io: Io,
  { model, treebank, seed }: DecoderArguments,
  entries: readonly DecoderEntry[],
): Promise<ScoreSet> {
  const examples =
    treebank === undefined
      ? (["train", "dev", "test"] as const).flatMap((split) => readSplit(SAMPLE, split))
      : readSplit(treebank, "test");
  const sentences = examples.map(({ sentence }): Sentence => sentence);
  const of = treebank === undefined ? "the sample" : treebankName(treebank);
  if (model !== undefined)
    return realScores(createParser(await readModelPart(model, "parser")), sentences, `${model} on ${of}`);
  const order = entries.some(({ kinds }) => kinds.length > 0) ? 3 : 1;
  return realScores(await quickParser(io, order, seed), sentences, `a model trained on the sample, on ${of}`);
}

async function quickParser(io: Io, order: 1 | 3, seed: number): Promise<Parser> {
  const model = await trainParser(readSplit(SAMPLE, "train"), {
    preset: "linear",
    decoder: "eisner",
    order,
    epochs: EPOCHS,
    seed,
    onProgress: ({ step, epoch, epochs, epochDone }) => {
      if (epochDone) status(io, `training on the sample: ${step} ${epoch}/${epochs}`);
    },
  });
  clearStatus(io);
  return createParser(model);
}

/** Measures all decoders and operations on all sets. */
export async function measureAll(
  io: Io,
  [entries, operations]: readonly [readonly DecoderEntry[], readonly TreeOperation[]],
  sets: readonly ScoreSet[],
  options: MeasureOptions,
  keep: Keep,
): Promise<{ readonly decoders: Series[]; readonly operations: Series[] }> {
  const measureOptions: MeasureOptions = {
    ...options,
    onCell: (name, set, n) => {
      if (io.stderr.isTTY === true) status(io, `${set}: ${name}, ${n} words`);
    },
  };
  const over = async <T extends { readonly name: string }>(
    kind: string,
    list: readonly T[],
    measure: (one: T, set: ScoreSet) => Series,
  ): Promise<Series[]> => {
    const rows: Series[] = [];
    for (const set of sets) {
      if (io.stderr.isTTY !== true && list.length > 0) status(io, `timing on the score set "${set.name}"`);
      for (const one of list)
        rows.push(await keep(`${kind} ${one.name}, ${set.name}`, () => measure(one, set)));
    }
    return rows;
  };
  const result = {
    decoders: await over("decoder", entries, (entry, set) => measureDecoder(entry, set, measureOptions)),
    operations: await over("operation", operations, (operation, set) =>
      measureOperation(operation, set, measureOptions),
    ),
  };
  clearStatus(io);
  return result;
}

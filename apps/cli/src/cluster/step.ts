import { readFile } from "node:fs/promises";
import type { ChunkFormat, EvaluationInput, StepOrder, Store } from "@arcwise/cluster";
import { Command, Option } from "commander";
import { DataError, inFile, UsageError } from "../command/errors.ts";
import { type CommandFactory, integer, required } from "../command/options.ts";
import { type PlannedFile, planFiles, STANDARD_OUTPUT } from "../files/file-plan.ts";
import type { Io } from "../files/io.ts";
import { writeOutput } from "../files/output.ts";
import { printLine } from "../files/printable.ts";
import { loadCluster } from "./load.ts";
import { requireStore, type StoreArguments, withStoreOptions } from "./options.ts";

type Cluster = typeof import("@arcwise/cluster");
type Arguments = StoreArguments & Readonly<Record<string, unknown>>;

/** A flag that a step requires, unless it says otherwise. */
interface Flag {
  readonly flags: string;
  readonly help: string;
  /** The least value of an integer. */
  readonly least?: number | undefined;
  readonly choices?: readonly string[] | undefined;
  readonly isOptional?: boolean | undefined;
}

/** A step as a command. */
interface StepFlags {
  readonly help: string;
  readonly flags: readonly Flag[];
  /** Runs it, or says what has run. */
  run(command: {
    readonly io: Io;
    readonly store: Store;
    readonly cluster: Cluster;
    readonly given: Arguments;
  }): Promise<void>;
}

const RUN: Flag = { flags: "--run <hash>", help: "the training" };
const SHARD: Flag = { flags: "--shard <n>", help: "from 0", least: 0 };
const ROUND: Flag = { flags: "--round <n>", help: "from 0", least: 0 };
const MODEL: Flag = { flags: "--model <file>", help: "a model file, or the name that it has in the store" };
const NETWORK: readonly Flag[] = [
  { flags: "--order <hash>", help: "the networks" },
  { flags: "--epoch <n>", help: "from 1", least: 1 },
  { flags: "--rounds <n>", help: "averages per epoch", least: 1 },
  ROUND,
  { flags: "--shards <n>", help: "number of shards", least: 1 },
];

/** The steps. Their flags have the names of their settings. */
const STEPS: Readonly<Record<string, StepFlags>> = {
  "train-shard": {
    help: "train weights on a shard in one round",
    flags: [RUN, ROUND, SHARD],
    run: plainStep("train-shard", ["run", "round", "shard"]),
  },
  mix: {
    help: "mix the weights of all shards of a round",
    flags: [RUN, ROUND],
    run: plainStep("mix", ["run", "round"]),
  },
  "train-network": {
    help: "train networks on a shard in one round",
    flags: [...NETWORK, SHARD],
    run: plainStep("train-network", ["order", "epoch", "rounds", "round", "shards", "shard"]),
  },
  "average-network": {
    help: "average the networks of all shards of a round",
    flags: NETWORK,
    run: plainStep("average-network", ["order", "epoch", "rounds", "round", "shards"]),
  },
  "train-part": {
    help: "train a tokeniser or a tagger, or tag a part of a treebank by a tagger of the others",
    flags: [
      { flags: "--step <name>", help: "what is trained", choices: ["tokenizer", "tagger", "tag-part"] },
      { flags: "--work <hash>", help: "the data" },
      {
        flags: "--part <n>",
        help: "with --step part: which part of the treebank, from 1",
        least: 1,
        isOptional: true,
      },
    ],
    run(command) {
      const { step, part } = command.given;
      if ((step === "tag-part") !== (part !== undefined))
        throw new UsageError(`--step ${step}: ${part === undefined ? "expected" : "leave out"} --part N`);
      return plainStep("train-part", ["step", "work", "part"])(command);
    },
  },
  "parse-chunk": {
    help: "parse a file",
    flags: [
      MODEL,
      { flags: "--chunk <file>", help: "a file, or the name that it has in the store" },
      {
        flags: "--format <format>",
        help: "what the file is; lines: text of which each line ends a sentence",
        choices: ["conllu", "text", "lines"],
      },
      { flags: "--tags <which>", help: "tags of CoNLL-U", choices: ["given", "predicted"] },
      { flags: "-o, --output <file>", help: "the file to write (the standard output)", isOptional: true },
    ],
    async run({ io, store, cluster, given }) {
      const { model, chunk, output = "-" } = given as Readonly<Record<string, string>>;
      const planned = await planFiles(io, {
        inputs: [...fileOf("--model", model!), ...fileOf("--chunk", chunk!)],
        outputs: { "--output": output },
      });
      const settings = {
        model: await blobOf(cluster, store, given.model as string, false),
        chunk: await blobOf(cluster, store, given.chunk as string, true),
        format: given.format as ChunkFormat,
        tags: given.tags as "given" | "predicted",
      };
      const make = () => execute(io, store, cluster.stepOrder("parse-chunk", settings));
      await make();
      const read = () => cluster.readChunk(store, settings);
      const { text, error, failed } = await cluster.readOrMake(read, make);
      if (error !== undefined) throw new DataError(`${given.chunk}: ${error}`);
      if (failed > 0) printLine(io, `${failed} sentences could not be parsed`);
      await writeOutput(io, planned["--output"], text);
    },
  },
  evaluate: {
    help: "parse a treebank, and print the metrics of the CoNLL 2018 shared task as JSON",
    flags: [
      MODEL,
      { flags: "--gold <file>", help: "a treebank, or the name that it has in the store" },
      {
        flags: "--from <input>",
        help: "what the model is given of the treebank",
        choices: ["text", "words", "tagged"],
      },
    ],
    async run({ io, store, cluster, given }) {
      const settings = {
        model: await blobOf(cluster, store, given.model as string, false),
        gold: await blobOf(cluster, store, given.gold as string, true),
        from: given.from as EvaluationInput,
      };
      const make = () => execute(io, store, cluster.stepOrder("evaluate", settings));
      await make();
      const evaluation = await cluster.readOrMake(() => cluster.readEvaluation(store, settings), make);
      await writeOutput(io, STANDARD_OUTPUT, `${JSON.stringify(evaluation, undefined, 2)}\n`);
    },
  },
  process: {
    help: "run all steps of one process of a plan, which waits for the others",
    flags: [
      { flags: "--plan <hash>", help: "the plan, as train --queue plan prints it" },
      { flags: "--index <n>", help: "which of its processes, from 0", least: 0 },
    ],
    async run({ io, store, cluster, given }) {
      const { plan, index } = given as { readonly plan: string; readonly index: number };
      await cluster.runProcess(store, { plan, index, signal: io.signal });
      printLine(io, `process ${index}: done`);
    },
  },
};

/** Returns what runs a step whose settings are its flags. */
function plainStep(step: StepOrder["step"], names: readonly string[]): StepFlags["run"] {
  return ({ io, store, cluster, given }) => {
    const settings = Object.fromEntries(names.map((name) => [name, given[name]]));
    // The table says which flags are integers.
    return execute(io, store, cluster.stepOrder(step, settings as never));
  };
}

/** Runs a step, and says whether its output was there before. */
async function execute(io: Io, store: Store, order: StepOrder): Promise<void> {
  const { StepExecutor } = await loadCluster();
  const outcome = await new StepExecutor(store).run(order, { signal: io.signal });
  printLine(io, `${order.step}: ${outcome === "run" ? "done" : "was done before"}`);
}

/** A file that is not the name of a blob. */
function fileOf(role: string, path: string): PlannedFile[] {
  return BLOB_NAME.test(path) ? [] : [{ role, path }];
}

const BLOB_NAME = /^[0-9a-f]{64}$/;

/** Returns the name of a blob: the given name, or the hash of a file, which is written to the store. */
async function blobOf(
  { writeBytes }: Cluster,
  store: Store,
  given: string,
  isPacked: boolean,
): Promise<string> {
  if (BLOB_NAME.test(given)) return given;
  const bytes = await readFile(given).catch((error: unknown) => {
    throw inFile(error, given);
  });
  return writeBytes(store, bytes, isPacked);
}

/** `arcwise step NAME --store FOLDER ...` */
export const stepCommand: CommandFactory = (io) => {
  const command = new Command("step").description(
    "run one step, as a scheduler or make does: arcwise plan writes the commands of a training",
  );
  for (const [name, { help, flags, run }] of Object.entries(STEPS)) {
    const made = withStoreOptions(new Command(name).description(help));
    for (const flag of flags) made.addOption(optionOf(flag));
    const wanted = flags.filter(({ isOptional }) => isOptional !== true);
    command.addCommand(
      required(made, ...wanted.map(({ flags }) => flags)).action(async (given: Arguments) => {
        const cluster = await loadCluster();
        const store = await cluster.openStores(requireStore(given));
        await run({ io, store, cluster, given });
      }),
    );
  }
  return command;
};

function optionOf({ flags, help, least, choices }: Flag): Option {
  const option = new Option(flags, help);
  if (least !== undefined) option.argParser(integer(least));
  return choices === undefined ? option : option.choices(choices);
}

import type { PartKind } from "@arcwise/core";
import { checkTrainOptions, type DecoderChoice, type TrainOptions, trainParser } from "@arcwise/parser";
import { type ThreadedTrainOptions, trainParserOnThreads, writeModel } from "@arcwise/parser/node";
import { Command, Option } from "commander";
import { decoderChoice } from "../decoder.ts";
import { UsageError } from "../errors.ts";
import { type FeatureOptions, loadFeatures } from "../features.ts";
import { checkFiles, type FilePlan, given } from "../file-plan.ts";
import type { Io } from "../io.ts";
import { type CommandFactory, integer, rate, required } from "../options.ts";
import { progress } from "../progress.ts";
import { forceThreadsOption, type ThreadArguments, threadsOption, threadsToUse } from "../threads.ts";
import { count, jackknifed, readTreebank, taggedTreebank } from "../training-data.ts";
import {
  decoderOption,
  epochsOption,
  type Labeller,
  type Learner,
  labellerOption,
  learnerOption,
  lossOptions,
  orderOption,
  seedOption,
} from "../training-options.ts";
import { showTraining } from "../training-progress.ts";
import { checkpointFile, loadCheckpoint, trainInto } from "../training-run.ts";
import { readVectors } from "../vectors.ts";

interface TrainArguments extends ThreadArguments {
  readonly train: string;
  readonly dev?: string;
  readonly model: string;
  readonly decoder: string;
  readonly restarts?: number;
  readonly order: "1" | "2" | "3";
  readonly parts?: string;
  /** True for --global without a module. */
  readonly global?: boolean | string;
  readonly templates?: string;
  readonly learner: Learner;
  readonly l2?: number;
  readonly tolerance?: number;
  readonly costHead?: number;
  readonly costLabel?: number;
  readonly labeller?: Labeller;
  readonly tensor?: number;
  readonly vectors?: string;
  readonly network?: number;
  readonly networkEpochs?: number;
  /** False for --no-prune. */
  readonly prune: boolean;
  readonly pruneK?: number;
  readonly dropout?: number;
  readonly epochs: number;
  readonly seed: number;
  readonly shards: number;
  readonly resume?: boolean;
  readonly jackknife?: number;
  readonly tagger?: string;
}

/** `arcwise train --train F [--dev F] --model OUT ...` */
export const trainCommand: CommandFactory = (io) =>
  required(trainOptions(), "--train <file>", "--model <file>").action((options: TrainArguments) =>
    train(io, options),
  );

function trainOptions(): Command {
  const command = sharded(
    scored(
      new Command("train")
        .description("train a parser on a treebank")
        .option("--train <file>", "the treebank to learn from, CoNLL-U")
        .option("--dev <file>", "a treebank to evaluate on after each epoch, CoNLL-U")
        .option("--model <file>", "the model file to write")
        .addOption(decoderOption("one").default("mst"))
        .option(
          "--restarts <n>",
          "maximum number of climbs a sentence in training with --decoder hillclimb (5)",
          integer(1),
        )
        .addOption(orderOption("one").default("1"))
        .option(
          "--parts <kinds>",
          'additional kinds of parts, separated by commas; "full": all that the decoder handles',
        )
        .option(
          "--global [module]",
          "score whole trees, too: by valency, spans, coordination, and features of a module " +
            "(--decoder hillclimb)",
        )
        .option("--templates <file>", "feature templates, JSON: see arcwise templates")
        .addOption(learnerOption("one").default("mira"))
        .addOption(labellerOption())
        .addOption(
          new Option("--no-prune", "score all heads of each word, in parsing too: much slower").conflicts(
            "pruneK",
          ),
        )
        .option("--prune-k <n>", "maximum number of candidate heads of a word (16)", integer(1))
        .option(
          "--dropout <rate>",
          "word dropout: a word that occurs c times is unknown with probability rate / (rate + c) (0)",
          rate,
        )
        .addOption(epochsOption(10))
        .addOption(seedOption()),
    ),
  )
    .option(
      "--jackknife <k>",
      "learn from predicted tags: each k-th part is tagged by a tagger trained on the rest",
      integer(2),
    )
    .option("--tagger <file>", "evaluate with the tags of this tagger on --dev")
    .option("--resume", "continue a training that was interrupted, from MODEL.checkpoint")
    .addHelpText(
      "after",
      "\nAfter each epoch the state is written to MODEL.checkpoint, which is removed at the end. Ctrl-C " +
        "keeps it;\nthe same command with --resume continues from it, to the same model as without " +
        "the interruption.",
    );
  for (const option of lossOptions()) command.addOption(option);
  return command;
}

/** Adds the options of the tensor and the network. */
function scored(command: Command): Command {
  return command
    .option("--tensor <rank>", "score arcs by a low-rank tensor, too (50 is usual); slower", integer(1, 1000))
    .option("--vectors <file>", "word vectors for the tensor, word2vec text; the model keeps them")
    .option(
      "--network <units>",
      "score arcs and labels by a recurrent network, too (128 is usual): 1 to 2 points better, for " +
        "minutes more of training",
      integer(4, 1024),
    )
    .option(
      "--network-epochs <n>",
      "epochs of the network (1.4 million divided by the words of the treebank, at least 10)",
      integer(1),
    );
}

/** Adds the options of training by shards. */
function sharded(command: Command): Command {
  return command
    .option(
      "--shards <n>",
      "deal the sentences into n shards, which are trained separately and mixed",
      integer(1),
      1,
    )
    .addOption(threadsOption("train shards on n threads, at most one a core; the model is the same"))
    .addOption(forceThreadsOption());
}

function filesOf({ train, dev, tagger, vectors, templates, global, model }: TrainArguments): FilePlan {
  const module = typeof global === "string" ? global : undefined;
  const features = { "--templates": templates, "--global": module };
  const checkpoint = checkpointFile(model);
  return {
    checkpoint,
    inputs: given({ "--train": train, "--dev": dev, "--tagger": tagger, "--vectors": vectors, ...features }),
    outputs: given({ "--model": model, "the checkpoint of --model": checkpoint }),
  };
}

async function train(io: Io, options: TrainArguments): Promise<void> {
  if (options.model === "-") throw new UsageError("--model must be a file: its checkpoint is kept beside it");
  if (options.train === "-" && options.dev === "-") {
    throw new UsageError("only one of the two treebanks can be the standard input");
  }
  if (options.shards === 1 && options.threads > 1)
    throw new UsageError("--threads are for training by shards: give --shards a number above 1");
  if (options.vectors !== undefined && options.tensor === undefined) {
    throw new UsageError("--vectors are features of a tensor: give --tensor a rank");
  }
  if (options.networkEpochs !== undefined && options.network === undefined) {
    throw new UsageError("--network-epochs are those of a network: give --network its units");
  }
  const settings = settingsOf(
    options,
    await decoderChoice(options.decoder, "training"),
    await loadFeatures(options),
  );
  await checkFiles(io, filesOf(options));
  const threads = threadsToUse(io, options, "training");
  const resume = await loadCheckpoint(io, options);
  const gold = await readTreebank(io, options.train);
  const shown = progress(io);
  const examples = await jackknifed(io, shown, gold, options);
  const dev = options.dev === undefined ? undefined : await taggedTreebank(io, options.dev, options.tagger);
  shown.line(`training on ${count(examples)}${dev === undefined ? "" : `, measuring on ${count(dev)}`}`);
  const vectors = options.vectors === undefined ? undefined : await readVectors(io, options.vectors, gold);
  await trainInto(io, options.model, shown, async (onCheckpoint) => {
    const trainOptions: ThreadedTrainOptions = {
      ...settings,
      tensor: settings.tensor && { ...settings.tensor, vectors },
      signal: io.signal,
      onProgress: (at) => showTraining(shown, at),
      onCheckpoint,
      dev,
      resume,
    };
    const model = await (threads === 1
      ? trainParser(examples, trainOptions)
      : trainParserOnThreads(examples, {
          ...trainOptions,
          threads,
          onLost: ({ shard, error }) =>
            shown.line(`a thread ended early (${error.message}): shard ${shard + 1} starts again`),
        }));
    await writeModel(options.model, model);
  });
}

/** Returns the options that determine the model. @throws UsageError when they do not fit together */
function settingsOf(options: TrainArguments, decoder: DecoderChoice, features: FeatureOptions): TrainOptions {
  const { parts, learner, labeller, epochs, seed, prune, pruneK: most } = options;
  const { l2, tolerance, costHead: head, costLabel: label } = options;
  const { dropout, restarts, shards, tensor: rank, network: units, networkEpochs } = options;
  const settings: TrainOptions = {
    decoder,
    order: Number(options.order) as 1 | 2 | 3,
    parts: parts === undefined ? undefined : partsOf(parts),
    ...features,
    learner,
    epochs,
    seed,
    prune: prune ? { most } : false,
    learning: { dropout, restarts, l2, tolerance, costs: { head, label } },
    shards: { count: shards },
    labels: { labeller },
    tensor: rank === undefined ? undefined : { rank },
    network: units === undefined ? undefined : { units, epochs: networkEpochs },
  };
  try {
    checkTrainOptions(settings);
  } catch (error) {
    const { name, message } = error as Error;
    const where = name === "TemplateError" ? `${options.templates}: ` : "";
    throw new UsageError(`${where}${message}`, { cause: error });
  }
  return settings;
}

/** Returns kinds of parts; training checks their names. */
function partsOf(text: string): NonNullable<TrainOptions["parts"]> {
  return text === "full" ? text : (text.split(",").map((kind) => kind.trim()) as PartKind[]);
}

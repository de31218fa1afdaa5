import type { PartKind } from "@arcwise/core";
import { checkTrainOptions, type DecoderChoice, type TrainOptions } from "@arcwise/parser";
import { Command, CommanderError, Option } from "commander";
import { decoderChoice } from "./decoder.ts";
import { UsageError } from "./errors.ts";
import { type FeatureOptions, loadFeatures } from "./features.ts";
import { integer, positive, rate } from "./options.ts";
import { forceThreadsOption, type ThreadArguments, threadsOption } from "./threads.ts";
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
} from "./training-options.ts";

/** The options of `arcwise train` as they are parsed. */
export interface TrainArguments extends Partial<ThreadArguments> {
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
  readonly vectors?: string;
  readonly vectorsLimit?: number;
  readonly vectorsBeginnings?: number;
  readonly network?: number;
  readonly networkEpochs?: number;
  readonly networkMembers?: number;
  readonly networkRecurrentDropout?: number;
  readonly networkReordering?: number;
  readonly networkSubstitution?: number;
  readonly networkWeight?: number;
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

/** Declares the options of `arcwise train`. */
export function trainOptions(): Command {
  const command = sharded(
    scored(
      new Command("train")
        .description("train a pipeline from raw text to trees on a treebank; or a parser alone, --for tagged")
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
        .addOption(epochsOption(10, "passes of the parser over the treebank"))
        .addOption(seedOption()),
    ),
  )
    .option(
      "--jackknife <k>",
      "the parser learns from predicted tags: each k-th part is tagged by a tagger trained on the rest " +
        "(5; with --for tagged, from the tags of the treebank)",
      integer(2),
    )
    .option("--tagger <file>", "with --for tagged: evaluate with the tags of this tagger on --dev")
    .option("--resume", "continue a training that was interrupted, from MODEL.checkpoint")
    .addHelpText(
      "after",
      "\nAfter each step of a pipeline, and each epoch of the parser, the state is written to " +
        "MODEL.checkpoint, which\nis removed at the end. Ctrl-C keeps it; the same command with --resume " +
        "continues from it, to the same\nmodel as without the interruption.",
    );
  for (const option of lossOptions()) command.addOption(option);
  return command;
}

/** Adds the options of the network. */
function scored(command: Command): Command {
  return command
    .option(
      "--vectors <file>",
      "word vectors for the network: word2vec text, as arcwise vectors writes it; the model keeps them",
    )
    .option(
      "--vectors-limit <n>",
      "vectors to keep besides those of the words of the treebank: the first ones (100000)",
      integer(0),
    )
    .option(
      "--vectors-beginnings <n>",
      "a word without a vector has that of its longest beginning of at least n characters, as in a lexicon " +
        "of stems",
      integer(1, 1000),
    )
    .option(
      "--network <units>",
      "score arcs and labels by a recurrent network, too (128 is usual): 1 to 2 points better, for " +
        "minutes more of training",
      integer(4, 1024),
    )
    .option(
      "--network-members <n>",
      "average n networks that begin from different random numbers (1)",
      integer(1, 16),
    )
    .option(
      "--network-recurrent-dropout <rate>",
      "drop numbers of the network's recurrent states in training, at this rate (0)",
      rate,
    )
    .option(
      "--network-reordering <rate>",
      "show the network sentences in which subjects, objects and adverbials have changed places, too, with " +
        "this probability for each head (0)",
      rate,
    )
    .option(
      "--network-substitution <rate>",
      "show the network sentences in which dependents, with all that depends on them, are replaced by " +
        "others like them, too, each with this probability (0)",
      rate,
    )
    .option(
      "--network-epochs <n>",
      "epochs of the network (1.4 million divided by the words of the treebank, at least 10)",
      integer(1),
    )
    .option(
      "--network-weight <weight>",
      "weight of its scores of arcs beside those of the features (0.2; with crf 0.8)",
      positive,
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
    .addOption(
      threadsOption(
        "train on n threads, at most one a core: tokeniser and taggers, the members of a network beside " +
          "all else, shards; the model is the same",
      ).default(undefined, "one a core, as far as there is work for them"),
    )
    .addOption(forceThreadsOption());
}

/** Returns the options that determine the model. @throws UsageError when they do not fit together */
export function settingsOf(
  options: TrainArguments,
  decoder: DecoderChoice,
  features: FeatureOptions,
): TrainOptions {
  const { network, jackknife } = options;
  if (options.shards === 1 && network === undefined && jackknife === undefined && (options.threads ?? 1) > 1)
    throw new UsageError(
      "--threads are for shards, a network, or jackknifed tags: give --shards a number above 1, --network " +
        "or --jackknife",
    );
  if (options.vectors !== undefined && options.network === undefined) {
    throw new UsageError("--vectors requires --network N");
  }
  for (const [name, flag] of OF_VECTORS) {
    if (options[name] !== undefined && options.vectors === undefined)
      throw new UsageError(`${flag} is for --vectors: give it a file`);
  }
  for (const [name, flagIs] of OF_NETWORK) {
    if (options[name] !== undefined && options.network === undefined)
      throw new UsageError(`${flagIs} of a network: give --network its units`);
  }
  const { parts, learner, labeller, epochs, seed, prune, pruneK: most } = options;
  const { l2, tolerance, costHead: head, costLabel: label } = options;
  const { dropout, restarts, shards, network: units } = options;
  const ofNetwork = {
    epochs: options.networkEpochs,
    members: options.networkMembers,
    recurrentDropout: options.networkRecurrentDropout,
    augment: { permute: options.networkReordering, replace: options.networkSubstitution },
    weight: options.networkWeight,
  };
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
    network: units === undefined ? undefined : { units, ...ofNetwork },
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

/** The options that need word vectors. */
const OF_VECTORS = [
  ["vectorsLimit", "--vectors-limit"],
  ["vectorsBeginnings", "--vectors-beginnings"],
] as const;

/** The options that need a network. */
const OF_NETWORK = [
  ["networkEpochs", "--network-epochs are those"],
  ["networkMembers", "--network-members are those"],
  ["networkRecurrentDropout", "--network-recurrent-dropout is that"],
  ["networkReordering", "--network-reordering is that"],
  ["networkSubstitution", "--network-substitution is that"],
  ["networkWeight", "--network-weight is that"],
] as const;

/** Returns kinds of parts; training checks their names. */
function partsOf(text: string): NonNullable<TrainOptions["parts"]> {
  return text === "full" ? text : (text.split(",").map((kind) => kind.trim()) as PartKind[]);
}

/** Options of `arcwise train` about files and threads, which do not determine the model. */
const ELSEWHERE = [
  "train",
  "dev",
  "model",
  "tagger",
  "vectors",
  "vectorsLimit",
  "vectorsBeginnings",
  "jackknife",
  "resume",
  "forceThreads",
] as const;

/**
 * Parses options of `arcwise train` that determine a model, for programs that train several.
 *
 * @param argv such as `["--decoder", "ad3", "--order", "3"]`
 * @param choose returns the decoder of a name; that of `--decoder` by default
 * @throws UsageError when an option is unknown, does not fit the others, or is about files
 */
export async function trainSettings(
  argv: readonly string[],
  choose: (name: string) => DecoderChoice | Promise<DecoderChoice> = (name) =>
    decoderChoice(name, "training"),
): Promise<TrainOptions> {
  const command = trainOptions()
    .exitOverride()
    .configureOutput({ writeOut: () => {}, writeErr: () => {} })
    .action(() => {});
  try {
    command.parse([...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    throw new UsageError(error.message.replace(/^error: /, ""), { cause: error });
  }
  const options = command.opts<TrainArguments>();
  const wrong = ELSEWHERE.find((name) => options[name] !== undefined);
  if (wrong !== undefined) {
    const { flags } = command.options.find((option) => option.attributeName() === wrong)!;
    throw new UsageError(`expected options that determine a model, got ${flags.split(" ")[0]}`);
  }
  return settingsOf(options, await choose(options.decoder), await loadFeatures(options));
}

import { basename, dirname } from "node:path";
import { replaceOutput, trainSettings } from "@arcwise/cli/command";
import { arcIndex } from "@arcwise/core";
import { hasCode } from "@arcwise/core/errors";
import { attachmentScores } from "@arcwise/evaluate";
import {
  createParser,
  type DecoderChoice,
  loadParser,
  type Parser,
  saveParser,
  type TrainingExample,
  type TrainOptions,
  type TreeFeatures,
  trainParser,
} from "@arcwise/parser";
import { decoderNames } from "@arcwise/parser/decoding";
import { loadDecoder } from "@arcwise/parser/node";
import { planFile } from "../data/files.ts";
import { readSplit, type Split, spreadEvenly } from "../data/treebanks.ts";
import {
  measureInTurn,
  type Speed,
  sampledBlocks,
  type TurnOptions,
  timedBlocks,
} from "../measures/in-turn.ts";
import { type ModelReliability, modelReliability } from "../measures/reliability.ts";
import { DECODERS } from "../registry/decoders.ts";
import { type PlainTree, plainTree } from "../results/results.ts";

/** A parser to train and measure, as plain data that is sent to a process of its own. */
export interface ParserJob {
  /** Name in tables. */
  readonly name: string;
  /** Folder of the treebank. */
  readonly treebank: string;
  readonly split: Split;
  /**
   * Flags of `arcwise train`, as that command takes them, but with `--preset linear` as the default;
   * `--decoder` may also name an entry of the registry.
   */
  readonly options: readonly string[];
  /** Number of sentences to learn from and to parse, spread evenly over their splits; all by default. */
  readonly sentences?: number | undefined;
  /** How parsing is timed. */
  readonly timing: Pick<TurnOptions, "rounds" | "time" | "warmUp"> & { readonly timed: number };
  /** Names or modules of decoders that the model parses with as well. */
  readonly parseWith?: readonly string[] | undefined;
  /** Path to save the model to; not saved by default. */
  readonly modelFile?: string | undefined;
}

/** Names of the built-in decoders that a model can be trained with. */
const TRAINED = decoderNames("trees", "training");

/** Returns the settings of a parser. */
export function jobSettings(options: readonly string[]): Promise<TrainOptions> {
  return trainSettings(["--preset", "linear", ...options], decoderOf);
}

/** Returns a built-in decoder, one of the registry, or one of a module. */
function decoderOf(name: string): DecoderChoice | Promise<DecoderChoice> {
  if (TRAINED.includes(name)) return name;
  return DECODERS.find((entry) => entry.name === name)?.make ?? loadDecoder(name);
}

/** Measurements of a parser, and its trees. */
export interface ParserRun {
  readonly trainingSeconds: number;
  /** Processor time of training, of all threads of the process. */
  readonly trainingProcessorSeconds: number;
  readonly trainingSentences: number;
  /** Epochs of the weights. */
  readonly epochs: number;
  /** Speed of parsing on one core, without reading, loading and writing. */
  readonly speed: Speed;
  /** `speed.value` */
  readonly wordsPerSecond: number;
  /** Peak resident set size of the process up to the end of training, and of parsing, in bytes. */
  readonly trainingMemory: number;
  readonly peakMemory: number;
  /** Bytes of the model file. */
  readonly modelBytes: number;
  readonly words: number;
  /** Mean number of candidate heads per word after pruning. */
  readonly candidates: number;
  /** Share of the gold heads that are candidates. */
  readonly recall: number;
  /** Of the probabilities of the heads that it finds. */
  readonly reliability: ModelReliability | undefined;
  /** Scores with the decoders of `parseWith`; those that cannot score the parts of the model are left out. */
  readonly otherDecoders: readonly DecoderScores[];
  /** The trees of the split, in order. */
  readonly trees: readonly PlainTree[];
}

/** Scores of a model with a decoder that it was not trained with. */
export interface DecoderScores {
  readonly decoder: string;
  readonly uas: number;
  readonly las: number;
}

/** Called with a line of text on each step of progress. */
export type Tell = (text: string) => void;

/**
 * Trains a parser on the training split of a treebank, saves and loads it, and parses a split with it.
 * `peakMemory` is the peak of the whole process: run it in a process of its own.
 */
export async function runParserJob(job: ParserJob, tell: Tell = () => {}): Promise<ParserRun> {
  const { sentences: most = Infinity } = job;
  const settings = await jobSettings(job.options);
  const examples = spreadEvenly(readSplit(job.treebank, "train"), most);
  const begin = performance.now();
  const processorBegin = process.cpuUsage();
  const model = await trainParser(examples, {
    ...settings,
    onProgress: ({ step, epoch, epochs, epochDone }) => {
      if (epochDone) tell(`${step} ${epoch}/${epochs}`);
    },
  });
  const trainingSeconds = (performance.now() - begin) / 1000;
  const { user, system } = process.cpuUsage(processorBegin);
  const bytes = saveParser(model);
  const trainingMemory = largestResidentSet();
  if (job.modelFile !== undefined) {
    const planned = await planFile(dirname(job.modelFile), basename(job.modelFile));
    await replaceOutput(planned, bytes);
  }
  tell("parsing");
  const { decoder, global } = settings;
  const parser = createParser(loadParser(bytes), {
    decoder: typeof decoder === "string" ? undefined : decoder,
    global: typeof global === "object" ? global : undefined,
  });
  const split = readSplit(job.treebank, job.split);
  const speed = speedOf(job, parser, split);
  const golds = spreadEvenly(split, most);
  const trees = golds.map(({ sentence }) => plainTree(parser.parse(sentence)));
  const { words, arcs, found } = countCandidates(parser, golds);
  const treeFeatures = typeof global === "object" ? global : undefined;
  const otherDecoders = await scoresWith(job, bytes, golds, treeFeatures, tell);
  const { description } = model;
  return {
    trainingSeconds,
    trainingProcessorSeconds: (user + system) / 1e6,
    trainingSentences: description.trainingSentences,
    epochs: description.epochs ?? (description.network as { readonly epochs: number }).epochs,
    reliability: modelReliability(parser, golds, description.calibration?.temperature),
    otherDecoders,
    speed,
    wordsPerSecond: speed.value,
    trainingMemory,
    peakMemory: largestResidentSet(),
    modelBytes: bytes.length,
    words,
    candidates: arcs / words,
    recall: found / words,
    trees,
  };
}

async function scoresWith(
  { parseWith = [] }: ParserJob,
  bytes: Uint8Array,
  golds: readonly TrainingExample[],
  global: TreeFeatures | undefined,
  tell: Tell,
): Promise<DecoderScores[]> {
  const found: DecoderScores[] = [];
  for (const name of parseWith) {
    tell(`parsing with ${name}`);
    try {
      const parser = createParser(loadParser(bytes), { decoder: await decoderOf(name), global });
      const pairs = golds.map(({ sentence, tree }) => ({
        words: sentence,
        gold: tree,
        predicted: parser.parse(sentence),
      }));
      const { uas, las } = attachmentScores(pairs);
      found.push({ decoder: name, uas, las });
    } catch (error) {
      if (!hasCode(error, "unsupported-part")) throw error;
    }
  }
  return found;
}

function speedOf({ name, timing }: ParserJob, parser: Parser, split: readonly TrainingExample[]): Speed {
  const lengths = split.map(({ sentence }) => sentence.length);
  const blocks = timedBlocks(
    sampledBlocks(lengths, timing.timed),
    lengths,
    (i) => split[i]!.sentence,
    (sentence) => parser.parse(sentence).heads[1]!,
  );
  return measureInTurn([{ name, blocks }], timing)[0]!;
}

function countCandidates(parser: Parser, golds: readonly TrainingExample[]) {
  const count = { words: 0, arcs: 0, found: 0 };
  for (const { sentence, tree } of golds) {
    const { arcs } = parser.read([sentence])[0]!.problem();
    count.words += arcs.n;
    count.arcs += arcs.head.length;
    for (let m = 1; m <= arcs.n; m++) if (arcIndex(arcs, tree.heads[m]!, m) >= 0) count.found++;
  }
  return count;
}

function largestResidentSet(): number {
  return 1024 * process.resourceUsage().maxRSS;
}

import { arcIndex, type DependencyTree } from "@arcwise/core";
import {
  createParser,
  type DecoderChoice,
  loadModel,
  type Parser,
  saveModel,
  TRAINING_DECODER_NAMES,
  type TrainingExample,
  type TrainOptions,
  trainParser,
} from "@arcwise/parser";
import { loadDecoder, writeModel } from "@arcwise/parser/node";
import { decodersNamed } from "./registry.ts";
import { percentile } from "./timing.ts";
import { readSplit, type Split } from "./treebanks.ts";

/** A parser to train and measure, as plain data that is sent to a process of its own. */
export interface ParserJob {
  /** Folder of the treebank. */
  readonly treebank: string;
  readonly split: Split;
  readonly options: Pick<TrainOptions, "order" | "learner" | "labels" | "epochs" | "seed"> & {
    /** The name of a built-in decoder or of one in the registry. */
    readonly decoder: string;
  };
  /** The module of the decoder named by `options.decoder`; absent for decoders without a module. */
  readonly module?: string;
  /** Path to save the model to; not saved by default. */
  readonly modelFile?: string;
}

/** Returns the built-in decoder of a name, configured for parsers, or else that of the registry. */
export function trainingDecoder(name: string): DecoderChoice {
  return TRAINING_DECODER_NAMES.includes(name) ? name : decodersNamed([name])[0]!.make;
}

/** Measurements of a parser, and its trees. */
export interface ParserRun {
  readonly trainingSeconds: number;
  /**
   * Words per second of parsing on one core, without reading, loading and writing: the median of several
   * passes.
   */
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
  /** The trees of the split, in order. */
  readonly trees: readonly PlainTree[];
}

/** A tree in a form that can be sent between processes. */
export interface PlainTree {
  readonly heads: readonly number[];
  readonly labels: readonly string[];
}

/** Called with a line of text on each step of progress. */
export type Tell = (text: string) => void;

/** Names of the epochs of each training stage in status messages. */
export const STAGES = { prune: "pruner", network: "network", learn: "epoch", label: "labeller" } as const;

/** Number of timed passes over the split, after a warm-up pass. */
const PASSES = 3;

/**
 * Trains a parser on the training split of a treebank, saves and loads it, and parses a split with it.
 * `peakMemory` is that of the whole process: run it in one of its own.
 */
export async function runParserJob(job: ParserJob, tell: Tell = () => {}): Promise<ParserRun> {
  const examples = readSplit(job.treebank, "train");
  const begin = performance.now();
  const { module, options } = job;
  const decoder = module === undefined ? trainingDecoder(options.decoder) : await loadDecoder(module);
  const model = await trainParser(examples, {
    ...options,
    decoder,
    onProgress: ({ stage, epoch, epochs, epochDone }) => {
      if (epochDone) tell(`${STAGES[stage]} ${epoch}/${epochs}`);
    },
  });
  const trainingSeconds = (performance.now() - begin) / 1000;
  const bytes = saveModel(model);
  const trainingMemory = largestResidentSet();
  if (job.modelFile !== undefined) await writeModel(job.modelFile, model);
  tell("parsing");
  const parser = createParser(loadModel(bytes), {
    decoder: typeof decoder === "string" ? undefined : decoder,
  });
  const golds = readSplit(job.treebank, job.split);
  const sentences = golds.map(({ sentence }) => sentence);
  const trees = sentences.map((sentence) => plain(parser.parse(sentence)));
  const { words, arcs, found } = countCandidates(parser, golds);
  const seconds = Array.from({ length: PASSES }, () => {
    const start = performance.now();
    for (const sentence of sentences) parser.parse(sentence);
    return (performance.now() - start) / 1000;
  }).sort((a, b) => a - b);
  return {
    trainingSeconds,
    wordsPerSecond: words / percentile(seconds, 0.5),
    trainingMemory,
    peakMemory: largestResidentSet(),
    modelBytes: bytes.length,
    words,
    candidates: arcs / words,
    recall: found / words,
    trees,
  };
}

/** Counts words, candidate arcs, and gold arcs among them. */
function countCandidates(parser: Parser, golds: readonly TrainingExample[]) {
  const count = { words: 0, arcs: 0, found: 0 };
  for (const { sentence, tree } of golds) {
    const { arcs } = parser.problem(sentence);
    count.words += arcs.n;
    count.arcs += arcs.head.length;
    for (let m = 1; m <= arcs.n; m++) if (arcIndex(arcs, tree.heads[m]!, m) >= 0) count.found++;
  }
  return count;
}

function largestResidentSet(): number {
  return 1024 * process.resourceUsage().maxRSS;
}

function plain({ heads, labels }: DependencyTree): PlainTree {
  return { heads: [...heads], labels: [...labels] };
}

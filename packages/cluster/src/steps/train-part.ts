import type { ConlluSentence } from "@arcwise/conllu";
import type { Sentence } from "@arcwise/core";
import { anything, integer, list, oneOf, optional, record, withMembers } from "@arcwise/core/options";
import type { TrainingProgress } from "@arcwise/core/training";
import { type TaggerModel, taggerJob, tagPartJob } from "@arcwise/sequence";
import { type TokenizerModel, tokenizerJob } from "@arcwise/tokenize";
import { type Job, type JobContext, type Resolved, resolved } from "@arcwise/work";
import { readData, writeData } from "../blobs/contents.ts";
import { blobName, type Hash, outputName } from "../blobs/hash.ts";
import { readDataOutput, writeDataOutput } from "../blobs/outputs.ts";
import type { ReadOptions, Store } from "../blobs/store.ts";
import { MAX_COUNT } from "./counts.ts";

/** The jobs that the step does, by name. */
const JOBS = {
  tokenizer: tokenizerJob,
  tagger: taggerJob,
  "tag-part": tagPartJob,
} as unknown as Readonly<Record<PartName, Job<object, TrainedPart["result"]>>>;

type PartName = "tokenizer" | "tagger" | "tag-part";

/** Returns whether a job is a step `train-part`. */
export function isPart(name: string): name is PartName {
  return Object.hasOwn(JOBS, name);
}

/** Settings of the step `train-part`: a training that needs no other one. */
export interface PartSettings {
  readonly step: PartName;
  /** Name of the data. Taggers of parts of a treebank have the same. */
  readonly work: Hash;
  /** The part of the treebank that a tagger is for, from 1. */
  readonly part?: number | undefined;
}

/** Accepts settings of the step. */
export const PART_SETTINGS = record<PartSettings>({
  step: oneOf("tokenizer", "tagger", "tag-part"),
  work: blobName,
  part: optional(integer(1, MAX_COUNT)),
});

/** The output of the step. */
export interface TrainedPart {
  readonly result: TokenizerModel | TaggerModel | readonly Sentence[];
  /** The progress at the end of each epoch. */
  readonly reports: readonly TrainingProgress[];
}

/** Returns the name of the output of the step. */
export function partName({ step, work, part }: PartSettings): Hash {
  return outputName("train-part", { step, part }, [work]);
}

/** Writes the input of a job to a store; returns the settings of its step. */
export async function writeInput(store: Store, step: PartName, input: object): Promise<PartSettings> {
  if (step === "tokenizer") {
    const { sentences, learning } = (await resolved(input)) as Resolved<
      Parameters<typeof tokenizerJob.run>[0]
    >;
    const dev = learning.dev?.map(plainSentence);
    const data = { sentences: sentences.map(plainSentence), learning: { ...learning, dev } };
    return { step, work: await writeData(store, data) };
  }
  const { part, ...data } = (await resolved(input)) as Record<string, unknown> & { readonly part?: number };
  return { step, work: await writeData(store, data), part };
}

/** Returns a sentence, which may be a view, without its line: the same treebank has the same name. */
function plainSentence({ comments, rows }: ConlluSentence): ConlluSentence {
  return { comments, rows, line: 0 };
}

/** Runs the step, and writes its output. */
export async function trainPart(store: Store, settings: PartSettings, reading: ReadOptions): Promise<void> {
  const { step, work: name, part } = settings;
  const what = `the data of the step "${step}"`;
  const data = await readData<object>(store, { ...reading, name, what, check: withMembers(what) });
  const reports: TrainingProgress[] = [];
  const context: JobContext = {
    onProgress(progress) {
      const at = progress as TrainingProgress;
      if (at.epochDone || at.share === 1) reports.push(at);
    },
    signal: reading.signal,
    keep: (_, make) => make(),
  };
  const result = await JOBS[step].run({ ...data, part }, context);
  await writeDataOutput(store, partName(settings), { result, reports });
}

const TRAINED_PART = record<TrainedPart>({
  result: anything,
  reports: list(withMembers("progress", "epoch")),
});

/** Reads the output of the step. @throws ArcwiseError `missing-blob`; DamagedBlob */
export function readPart(store: Store, settings: PartSettings, options: ReadOptions): Promise<TrainedPart> {
  const what = `the output of the step "${settings.step}"`;
  return readDataOutput(store, { ...options, name: partName(settings), what, check: TRAINED_PART });
}

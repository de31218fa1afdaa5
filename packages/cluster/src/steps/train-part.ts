import type { ConlluSentence } from "@arcwise/conllu";
import { anything, integer, list, oneOf, optional, record, withMembers } from "@arcwise/core/options";
import type { TrainingProgress } from "@arcwise/core/training";
import { runOrder, type TrainingOrder, type Trainings } from "@arcwise/pipeline";
import { readData, writeData } from "../blobs/contents.ts";
import { blobName, type Hash, outputName } from "../blobs/hash.ts";
import { readDataOutput, writeDataOutput } from "../blobs/outputs.ts";
import type { ReadOptions, Store } from "../blobs/store.ts";
import { MAX_COUNT } from "./counts.ts";

/** Settings of the step `train-part`: a training that needs no other one. */
export interface PartSettings {
  readonly step: keyof Trainings;
  /** Name of the data. Taggers of parts of a treebank have the same. */
  readonly work: Hash;
  /** The part of the treebank that a tagger is for, from 1. */
  readonly part?: number | undefined;
}

/** Accepts settings of the step. */
export const PART_SETTINGS = record<PartSettings>({
  step: oneOf("tokenizer", "tagger", "part"),
  work: blobName,
  part: optional(integer(1, MAX_COUNT)),
});

/** The output of the step. */
export interface TrainedPart<Step extends keyof Trainings = keyof Trainings> {
  readonly result: Trainings[Step]["result"];
  /** The progress at the end of each epoch. */
  readonly reports: readonly TrainingProgress[];
}

/** Returns the name of the output of the step. */
export function partName({ step, work, part }: PartSettings): Hash {
  return outputName("train-part", { step, part }, [work]);
}

/** Writes the data of an order to a store; returns the settings of its step. */
export async function writeOrder(store: Store, { step, work }: TrainingOrder): Promise<PartSettings> {
  switch (step) {
    case "tokenizer": {
      const { sentences, options } = work;
      const dev = options.dev?.map(plainSentence);
      const data = { sentences: sentences.map(plainSentence), options: { ...options, dev } };
      return { step, work: await writeData(store, data) };
    }
    case "tagger":
      return { step, work: await writeData(store, work) };
    case "part":
      return { step, work: await writeData(store, work.work), part: work.part };
  }
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
  const work = part === undefined ? data : { work: data, part };
  const reports: TrainingProgress[] = [];
  const onProgress = (at: TrainingProgress) => {
    if (at.epochDone || at.share === 1) reports.push(at);
  };
  const result = await runOrder({ step, work } as TrainingOrder, { onProgress, signal: reading.signal });
  await writeDataOutput(store, partName(settings), { result, reports });
}

const TRAINED_PART = record<TrainedPart>({
  result: anything,
  reports: list(withMembers("progress", "epoch")),
});

/** Reads the output of the step. @throws ArcwiseError `missing-blob`; DamagedBlob */
export function readPart<Step extends keyof Trainings>(
  store: Store,
  settings: PartSettings,
  options: ReadOptions,
): Promise<TrainedPart<Step>> {
  const what = `the output of the step "${settings.step}"`;
  return readDataOutput(store, { ...options, name: partName(settings), what, check: TRAINED_PART });
}

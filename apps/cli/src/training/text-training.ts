import { type ConlluSentence, sentenceTree, sentenceWords } from "@arcwise/conllu";
import { ModelError } from "@arcwise/core/container";
import type { GraphModel } from "@arcwise/parser";
import type { PipelineScores, trainPipeline } from "@arcwise/pipeline";
import { DataError } from "../command/errors.ts";
import { displayName, type Io } from "../files/io.ts";
import { printLine } from "../files/printable.ts";
import type { TrainingSettings } from "../settings/train-settings.ts";
import { checkTextTreebank } from "./text-treebank.ts";
import { readExamples } from "./training-data.ts";
import { trainingDisplay } from "./training-display.ts";
import { type TrainingOutputs, trainInto, warn } from "./training-run.ts";
import { withWordVectors } from "./vectors.ts";

/** Files and options of the training of a pipeline. */
export interface TextTraining {
  readonly train: string;
  readonly dev?: string | undefined;
  readonly outputs: TrainingOutputs;
  readonly settings: TrainingSettings;
  readonly trainPipeline: typeof trainPipeline;
  readonly verbose?: boolean | undefined;
  /** The state to continue from. */
  readonly resume: Uint8Array | undefined;
}

/** Trains a tokeniser, a tagger and a parser on a treebank, and writes them as one model file. */
export async function trainText(io: Io, options: TextTraining): Promise<void> {
  const sentences = await readTrees(io, options.train);
  const warning = checkTextTreebank(sentences, displayName(options.train));
  const dev = options.dev === undefined ? undefined : await readTrees(io, options.dev);
  const { settings } = options;
  const { preset, seed, jackknife: parts, tokenizer, tagger } = settings.document;
  if (parts !== undefined && parts > sentences.length) {
    throw new DataError(
      `${displayName(options.train)}: expected at least ${parts} sentences to cut into ${parts} parts`,
    );
  }
  const { graphs: graphFile } = settings.document;
  const graphs = graphFile === undefined ? undefined : await readGraphs(graphFile);
  const shown = trainingDisplay(io, options);
  if (warning !== undefined) printLine(io, `arcwise: warning: ${warning}`);
  shown.line(`training on ${sentences.length} sentences`);
  const words = sentences.map(sentenceWords);
  const {
    preset: _,
    seed: __,
    ...parser
  } = await withWordVectors(io, settings.parser, settings.vectors, words);
  // A treebank of a few sentences is cut into as many parts.
  const jackknife = parts ?? (sentences.length < 5 ? 0 : undefined);
  const { savePipeline } = await import("@arcwise/pipeline");
  await trainInto(io, options.outputs, shown, async (onCheckpointPieces) => {
    const model = await options.trainPipeline(sentences, {
      dev,
      settings: { preset, seed, jackknife, tokenizer, tagger, parser },
      onProgress: (at) => shown.show(at),
      onWarning: ({ message }) => warn(io, options.train, message),
      onCheckpointPieces,
      resume: options.resume,
      signal: io.signal,
    });
    if (model.description?.dev) shown.line(scoresLine(model.description.dev));
    return savePipeline({ ...model, graphs });
  });
}

/** Reads a model of enhanced dependencies. @throws ModelError when it is none */
async function readGraphs(path: string): Promise<GraphModel> {
  const { readModelPart } = await import("@arcwise/pipeline/node");
  const model = await readModelPart(path, "graphs");
  if (model.graphs === "enhanced") return model;
  throw new ModelError(
    `${path}: expected a model of enhanced dependencies, found one of ${model.graphs} graphs`,
  );
}

/** Reads sentences that have trees. @throws DataError when there are none */
function readTrees(io: Io, path: string): Promise<ConlluSentence[]> {
  return readExamples(io, path, (sentence) => {
    sentenceTree(sentence);
    return sentence;
  });
}

function scoresLine(scores: PipelineScores): string {
  const list = Object.entries(scores).map(([name, value]) => `${name} ${value.toFixed(2)}`);
  return `dev, from raw text: ${list.join(", ")}`;
}

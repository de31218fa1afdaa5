import { sentenceWords } from "@arcwise/conllu";
import { ModelError } from "@arcwise/core/container";
import { counted } from "@arcwise/core/errors";
import type { GraphModel } from "@arcwise/graph-parser";
import type { PipelineModel, PipelineScores, Treebank } from "@arcwise/pipeline";
import { DataError } from "../errors.ts";
import { displayName, type Io, printLine } from "../files/io.ts";
import type { TrainingSettings } from "../settings/train-settings.ts";
import { type ContinuedModels, continuedScores } from "./continued-scores.ts";
import { checkTextTreebank } from "./text-treebank.ts";
import { namesOf, readFiles } from "./training-data.ts";
import { type TrainingDisplay, trainingDisplay } from "./training-display.ts";
import { type CommandArguments, type Training, trainInto, warn } from "./training-run.ts";
import { withWordVectors } from "./vectors.ts";

type TextTraining = Omit<CommandArguments, "encoder"> & Training & { readonly settings: TrainingSettings };

/** Trains a tokeniser, a tagger and a parser on a treebank, and writes them as one model file. */
export async function trainText(io: Io, options: TextTraining): Promise<void> {
  const { continued, train, silver = [] } = options;
  const { weights, partial = false } = options.settings.document;
  const files = [...train, ...silver];
  const read = await readFiles(io, files, { weights, partial });
  const treebanks = read.map((treebank, t) => ({ ...treebank, silver: t >= train.length }));
  // A tokeniser and a tagger are not trained on corrected sentences.
  const warnings = (continued ? [] : treebanks.slice(0, train.length)).flatMap((treebank, t) => {
    return checkTextTreebank(treebank.sentences, displayName(train[t]!)) ?? [];
  });
  const dev = options.dev && (await readFiles(io, options.dev));
  const lexicon =
    options.lexicon === undefined ? [] : await readFiles(io, [options.lexicon], { partial: true });
  const sentences = treebanks.flatMap((treebank) => treebank.sentences);
  const { settings } = options;
  const { preset, seed, jackknife: parts, variation, tokenizer, tagger } = settings.document;
  if (parts !== undefined && parts > sentences.length) {
    throw new DataError(`${namesOf(files)}: expected at least ${parts} sentences to cut into ${parts} parts`);
  }
  const { graphs: graphFile } = settings.document;
  const graphs = graphFile === undefined ? undefined : await readGraphs(graphFile);
  const shown = trainingDisplay(io, options);
  for (const warning of warnings) printLine(io, `arcwise: warning: ${warning}`);
  shown.line(`training on ${counted(sentences.length, "sentence")}`);
  const words = sentences.map(sentenceWords);
  const {
    preset: _,
    seed: __,
    continue: ___,
    partial: ____,
    ...parser
  } = await withWordVectors(io, settings.parser, settings.vectors, words);
  // A treebank of a few sentences is cut into as many parts.
  const jackknife = parts ?? (sentences.length < 5 && !continued ? 0 : undefined);
  const { savePipeline, trainPipeline } = await import("@arcwise/pipeline");
  await trainInto(io, options.outputs, shown, async (checkpoint) => {
    const model = await trainPipeline(treebanks, {
      dev,
      lexicon: lexicon[0]?.sentences,
      continue: continued,
      partial,
      place: options.place,
      encoder: options.encoder,
      settings: { preset, seed, jackknife, variation, tokenizer, tagger, parser },
      onProgress: (at) => shown.show(at),
      onWarning: ({ message }) => warn(io, namesOf(files), message),
      checkpoint,
      signal: io.signal,
    });
    if (continued === undefined) showScores(shown, model);
    else if (dev) await showGain(shown, options, { before: continued, after: model, dev });
    return savePipeline({ ...model, graphs: graphs ?? model.graphs });
  });
}

function showScores({ line }: TrainingDisplay, { description }: PipelineModel): void {
  const { dev, treebanks = [] } = description ?? {};
  if (dev) line(`dev, from raw text: ${scoresList(dev)}`);
  for (const own of treebanks) if (own.dev) line(`  ${own.name}: ${scoresList(own.dev)}`);
}

async function showGain(
  { line }: TrainingDisplay,
  { dev: files = [], encoder }: Pick<TextTraining, "dev" | "encoder">,
  { dev, ...models }: Pick<ContinuedModels, "before" | "after"> & { readonly dev: readonly Treebank[] },
): Promise<void> {
  for (const [d, { sentences }] of dev.entries()) {
    line(`${displayName(files[d]!)}, before and after:`);
    for (const row of (await continuedScores(sentences, { ...models, encoder })).split("\n")) line(row);
  }
}

async function readGraphs(path: string): Promise<GraphModel> {
  const { readModelPart } = await import("@arcwise/pipeline/node");
  const model = await readModelPart(path, "graphs");
  if (model.graphs === "enhanced") return model;
  throw new ModelError(
    `${path}: expected a model of enhanced dependencies, found one of ${model.graphs} graphs`,
  );
}

function scoresList(scores: PipelineScores): string {
  return Object.entries(scores)
    .map(([name, value]) => `${name} ${value.toFixed(2)}`)
    .join(", ");
}

import { type ConlluSentence, rawText } from "@arcwise/conllu";
import { hasCode } from "@arcwise/core/errors";
import { evaluateConllu } from "@arcwise/evaluate";
import type { TrainOptions } from "@arcwise/parser";
import { type PipelineDescription, type PipelineModel, type PipelineScores, SCORES } from "./model-parts.ts";
import { createPipeline } from "./pipeline.ts";
import type { PipelineTrainOptions, StepSettings } from "./train-options.ts";
import { type NamedTreebank, UNNAMED } from "./treebanks/treebank.ts";

/** Returns the description of a model, with its scores on development sets, and on each of several. */
export async function describe(
  model: PipelineModel,
  { treebanks, devs, settings: { parser }, options }: Trained,
): Promise<PipelineDescription> {
  const description = model.description!;
  const { encoder, onWarning } = options;
  // The scores of a model that was continued are scores of another model.
  const before = (options.continue?.description?.treebanks ?? []).map(({ dev: _, ...own }) => own);
  const scores = async (dev: readonly ConlluSentence[]) => {
    try {
      return await scoresOf(model, dev, { ...parser, encoder });
    } catch (error) {
      if (!hasCode(error, "missing-vectors")) throw error;
      // The tokeniser may find other words than those whose vectors were computed.
      const { length } = dev;
      const message = `no scores from raw text: ${error.message}`;
      onWarning?.({ code: "missing-vectors", message, count: length, total: length });
      return undefined;
    }
  };
  const dev = devs && (await scores(devs.flatMap(({ sentences }) => sentences)));
  const all = dev === undefined ? description : { ...description, dev };
  const [first] = treebanks;
  const isSingle = treebanks.length + before.length === 1;
  if (isSingle && first!.name === UNNAMED) return all;
  const described: NonNullable<PipelineDescription["treebanks"]>[number][] = [...before];
  for (const [t, { name, sentences, weight, silver }] of treebanks.entries()) {
    const own = { name, sentences: sentences.length, weight, silver: silver || undefined };
    described.push({ ...own, dev: isSingle || !devs?.[t] ? undefined : await scores(devs[t].sentences) });
  }
  return { ...all, treebanks: described };
}

/** Training data and settings of a model. */
interface Trained {
  readonly treebanks: readonly NamedTreebank[];
  readonly devs: readonly NamedTreebank[] | undefined;
  readonly settings: StepSettings;
  readonly options: Pick<PipelineTrainOptions, "continue" | "encoder" | "onWarning">;
}

/** Scores from the raw text of a development set. */
async function scoresOf(
  model: PipelineModel,
  dev: readonly ConlluSentence[],
  trained: Pick<TrainOptions, "decoder" | "global" | "encoder"> = {},
): Promise<PipelineScores> {
  // A model has the names of decoders and features of one's own, not their code.
  const decoder = typeof trained.decoder === "string" ? undefined : trained.decoder;
  const global = typeof trained.global === "object" ? trained.global : undefined;
  const { encoder } = trained;
  const options = { parser: { decoder, global }, valid: false };
  const { text } = rawText(dev);
  const found = await (encoder === undefined
    ? createPipeline(model, options).run(text)
    : createPipeline(model, { ...options, encoder }).run(text));
  const { metrics } = evaluateConllu(dev, found, { singleRoot: false });
  return Object.fromEntries(
    Object.entries(SCORES).map(([name, metric]) => [name, 100 * metrics[metric].f1]),
  ) as PipelineScores;
}

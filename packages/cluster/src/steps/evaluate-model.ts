import { parseConllu, rawText } from "@arcwise/conllu";
import { oneOf, record, withMembers } from "@arcwise/core/options";
import { evaluateConllu, type UdEvaluation } from "@arcwise/evaluate";
import type { Pipeline } from "@arcwise/pipeline";
import { readBytes } from "../blobs/contents.ts";
import { blobName, type Hash, outputName } from "../blobs/hash.ts";
import { readDataOutput, writeDataOutput } from "../blobs/outputs.ts";
import type { ReadOptions, Store } from "../blobs/store.ts";
import type { LoadedModel } from "./loaded-model.ts";

/** What a model is given of a treebank: its raw text, its words, or its words with their tags. */
export type EvaluationInput = "text" | "words" | "tagged";

/** Settings of the step `evaluate`. */
export interface EvaluationSettings {
  /** Name of the bytes of a model file. */
  readonly model: Hash;
  /** Name of a treebank, CoNLL-U. */
  readonly gold: Hash;
  readonly from: EvaluationInput;
}

/** Accepts settings of the step. */
export const EVALUATION_SETTINGS = record<EvaluationSettings>({
  model: blobName,
  gold: blobName,
  from: oneOf("text", "words", "tagged"),
});

/** Returns the name of the output of the step. */
export function evaluationName({ model, gold, from }: EvaluationSettings): Hash {
  return outputName("evaluate", { from }, [model, gold]);
}

/** Runs the step, and writes its output. @throws ConlluError when the treebank is none; as `evaluateConllu` */
export async function evaluateModel(
  store: Store,
  models: LoadedModel,
  settings: EvaluationSettings,
  reading: ReadOptions,
): Promise<void> {
  const pipeline = await models.pipeline(settings.model, reading);
  const treebank = await readBytes(store, {
    ...reading,
    name: settings.gold,
    what: "a treebank",
    isPacked: true,
  });
  const gold = parseConllu(Buffer.from(treebank).toString("utf8"));
  const evaluation = evaluateConllu(gold, parsed(pipeline, gold, settings.from));
  await writeDataOutput(store, evaluationName(settings), evaluation);
}

function parsed(pipeline: Pipeline, gold: ReturnType<typeof parseConllu>, from: EvaluationInput) {
  if (from === "text") return pipeline.run(rawText(gold).text);
  return pipeline.annotate(gold, { tags: from === "words" ? "predicted" : "given" });
}

const EVALUATION = withMembers("an evaluation");

/**
 * Reads the output of the step: the metrics of the CoNLL 2018 shared task.
 *
 * @throws ArcwiseError `missing-blob`; DamagedBlob
 */
export function readEvaluation(store: Store, settings: EvaluationSettings): Promise<UdEvaluation> {
  const name = evaluationName(settings);
  return readDataOutput(store, { name, what: "an evaluation", check: EVALUATION });
}

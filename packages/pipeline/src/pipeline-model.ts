import { ArcwiseError } from "@arcwise/core/errors";
import { type Check, refuse, satisfying } from "@arcwise/core/options";
import type { GraphModel, ParserModel } from "@arcwise/parser";
import type { TaggerModel } from "@arcwise/sequence";
import type { TokenizerModel } from "@arcwise/tokenize";
import { modelParts, PARTS, type PipelineDescription, type PipelinePart } from "./model-parts.ts";

/**
 * A trained pipeline. Plain data; each step may be absent: a parser alone is a pipeline with one step.
 *
 * @example
 * const model: PipelineModel = loadPipeline(bytes);
 * const tagger = model.tagger; // undefined in a model without one
 */
export interface PipelineModel {
  /** Absent in a model of one step that was not trained as part of a pipeline. */
  readonly description?: PipelineDescription | undefined;
  readonly tokenizer?: TokenizerModel | undefined;
  readonly tagger?: TaggerModel | undefined;
  readonly parser?: ParserModel | undefined;
  /** Finds the graph of DEPS, after the tree, or semantic graphs. */
  readonly graphs?: GraphModel | undefined;
}

/** Accepts models, each of whose steps may be absent. */
export const aModel: Check = satisfying("a model of loadPipeline or trainPipeline", (value) => {
  if (typeof value !== "object" || value === null || Symbol.iterator in value) return false;
  if (Object.prototype.toString.call(value) !== "[object Object]") return false;
  const steps = value as Readonly<Record<string, unknown>>;
  return PARTS.every((name) => steps[name] === undefined || isObject(steps[name]));
});

/** Accepts models that have a step. */
export const aModelWithSteps: Check = (value, at) => {
  aModel(value, at);
  if (!PARTS.some((name) => (value as Readonly<Record<string, unknown>>)[name] !== undefined))
    refuse(at, `a model with a step (${PARTS.join(", ")})`, value);
};

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** Reads the bytes of each part. A part without a reader is left out. */
type PartReaders = {
  readonly [Part in PipelinePart]?: (bytes: Uint8Array) => NonNullable<PipelineModel[Part]>;
};

/** Reads the parts of a model file that are in `only` and have a reader; throws as `loadPipeline`. */
export function readParts(
  bytes: Uint8Array,
  readers: PartReaders,
  only: readonly PipelinePart[],
): PipelineModel {
  if (typeof bytes === "string") {
    const message = `loadPipeline: expected the bytes of a model file (Uint8Array), found "${bytes}": read the file first`;
    throw new ArcwiseError("invalid-argument", message, { at: "bytes" });
  }
  const { description, parts } = modelParts(bytes);
  const model: Record<string, unknown> = description === undefined ? {} : { description };
  for (const part of PARTS) {
    const own = parts[part];
    const read = readers[part];
    if (own !== undefined && read !== undefined && only.includes(part)) model[part] = read(own);
  }
  return model;
}

import { firstContainer, ModelError, readBundle, readContainerHeader } from "@arcwise/core/container";
import { ArcwiseError } from "@arcwise/core/errors";
import {
  type Check,
  checkArgument,
  flag,
  integer,
  bytes as isBytes,
  list,
  number,
  oneOf,
  optional,
  record,
  refuse,
  satisfying,
  shaped,
  string,
} from "@arcwise/core/options";
import type { UdMetric } from "@arcwise/evaluate";
import type { GraphModel } from "@arcwise/graph-parser";
import type { ParserModel } from "@arcwise/parser";
import type { TaggerModel } from "@arcwise/sequence";
import type { TokenizerModel } from "@arcwise/tokenize";

/** The metrics that a pipeline keeps, by the names of the CoNLL 2018 shared task. */
export const SCORES = {
  tokens: "Tokens",
  sentences: "Sentences",
  words: "Words",
  upos: "UPOS",
  xpos: "XPOS",
  feats: "UFeats",
  lemmas: "Lemmas",
  uas: "UAS",
  las: "LAS",
} as const satisfies Readonly<Record<string, UdMetric>>;

/** Scores of a pipeline from raw text: F1 in percent, by metric. */
export type PipelineScores = Readonly<Record<keyof typeof SCORES, number>>;

/** The description of a model that was trained as a pipeline. */
export interface PipelineDescription {
  readonly seed: number;
  /** Without silver sentences, which a parser annotated. */
  readonly trainingSentences: number;
  /** Parts of the treebank that were tagged by a tagger of the others, for the parser; 0: gold tags. */
  readonly jackknife: number;
  /** Scores from raw text on the development set, if there was one. */
  readonly dev?: PipelineScores | undefined;
  /** The treebanks, if they have names or there were several. */
  readonly treebanks?: readonly TreebankDescription[] | undefined;
}

/** A treebank that a pipeline was trained on. */
export interface TreebankDescription {
  readonly name: string;
  readonly sentences: number;
  readonly weight: number;
  /** Present if a parser annotated it. */
  readonly silver?: boolean | undefined;
  /** Scores from raw text on its development set, if it has one and there were several treebanks. */
  readonly dev?: PipelineScores | undefined;
}

/**
 * Returns the languages in names of treebanks or files of Universal Dependencies, such as `UD_Old_French-SRCMF` or
 * `cy_ccg-ud-train`; undefined without one.
 */
export function languagesOf(treebanks: string): string | undefined {
  checkArgument(string, treebanks, "languagesOf: treebanks");
  const english = new Intl.DisplayNames("en", { type: "language" });
  const found = treebanks.matchAll(/\bUD_(\w+)-|\b([a-z]{2,3})_[a-z]+-ud\b/g);
  const names = Array.from(found, ([, name, code]) => name?.replaceAll("_", " ") ?? english.of(code!)!);
  return names.length === 0 ? undefined : [...new Set(names)].join(", ");
}

/** The kind of file, and the names of its parts. */
export const PIPELINE = "pipeline";
export const PARTS = ["tokenizer", "tagger", "parser", "graphs"] as const;
/** The name of a part of a pipeline model. */
export type PipelinePart = (typeof PARTS)[number];
const PART_NAMES = list(oneOf(...PARTS));

/** Returns what the decoder of a pipeline of these parts decodes: graphs if it has no other part. */
export function decoderFamily(files: {
  readonly parts?: readonly PipelinePart[] | undefined;
}): "trees" | "graphs" {
  checkArgument(shaped("files", { parts: optional(list(string)) }), files, "decoderFamily");
  return files.parts?.every((part) => part === "graphs") ? "graphs" : "trees";
}

/** The noun of each part in messages, and the kind of its file. */
const PART_FILES = {
  tokenizer: { name: "a tokeniser", kind: "tokenizer" },
  tagger: { name: "a tagger", kind: "tagger" },
  parser: { name: "a parser", kind: "model" },
  graphs: { name: "a graph parser", kind: "graph model" },
} as const;

/** The check of the weight of a treebank. */
export const WEIGHT = number(0.01, 100);

const COUNT = integer(0, Number.MAX_SAFE_INTEGER);
const PERCENT = number(0, 100);
const PIPELINE_SCORES = record<PipelineScores>(
  Object.fromEntries(Object.keys(SCORES).map((name) => [name, PERCENT])) as Record<
    keyof PipelineScores,
    Check
  >,
);
const DESCRIPTION: Check = record<PipelineDescription>({
  seed: integer(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  trainingSentences: COUNT,
  jackknife: COUNT,
  dev: optional(PIPELINE_SCORES),
  treebanks: optional(
    list(
      record<TreebankDescription>({
        name: string,
        sentences: COUNT,
        weight: WEIGHT,
        silver: optional(flag),
        dev: optional(PIPELINE_SCORES),
      }),
    ),
  ),
});

/**
 * A model file whose parts have not been read.
 *
 * @example
 * const { description, parts }: PipelineFile = modelParts(bytes);
 * console.log(description?.dev?.las, parts.parser?.length);
 */
export interface PipelineFile {
  readonly description?: PipelineDescription | undefined;
  /** The bytes of each part: views of the file. */
  readonly parts: Readonly<Partial<Record<PipelinePart, Uint8Array>>>;
}

/**
 * Returns the parts of a model file, each of which can be loaded by itself: all parts of a pipeline; of a file of
 * a tokeniser, tagger, parser or graph parser, that one. O(1).
 *
 * @param required parts that must be there
 * @throws ModelError when the bytes are not a model, are damaged, cut short, or of a newer version, or lack a part
 *
 * @example
 * Object.keys(modelParts(bytes).parts); // ["tokenizer", "tagger", "parser"]
 */
export function modelParts(bytes: Uint8Array, required: readonly PipelinePart[] = []): PipelineFile {
  checkArgument(isBytes, bytes, "modelParts: bytes");
  checkArgument(PART_NAMES, required, "modelParts: required");
  const file = partsOfFile(bytes);
  const part = required.find((name) => file.parts[name] === undefined);
  if (part !== undefined) throw new ModelError(lacking(part, file.parts));
  return file;
}

function partsOfFile(bytes: Uint8Array): PipelineFile {
  const first = firstContainer(bytes);
  if (first.length === bytes.length) {
    const { kind } = readContainerHeader(bytes);
    const part = PARTS.find((name) => PART_FILES[name].kind === kind);
    if (part !== undefined) return { parts: { [part]: bytes } };
    if (kind !== PIPELINE) throw new ModelError(`expected a model, found a file of kind "${kind}"`);
  }
  const { header, parts } = readBundle(bytes, PIPELINE, (value, at) => {
    if (Object.keys(value as object).length > 0) DESCRIPTION(value, at);
  });
  const unknown = Object.keys(parts).find((name) => !PARTS.includes(name as PipelinePart));
  if (unknown !== undefined) refuse("damaged pipeline file: header.parts", PARTS.join(", "), unknown);
  const isDescribed = Object.keys(header as object).length > 0;
  return { description: isDescribed ? (header as PipelineDescription) : undefined, parts };
}

/** Says which part a model lacks, and which parts it has. */
function lacking(part: PipelinePart, parts: PipelineFile["parts"]): string {
  const names = (Object.keys(parts) as PipelinePart[]).map((one) => PART_FILES[one].name);
  const found = names.length === 0 ? "one without parts" : `one with ${names.join(", ")}`;
  return `expected a model with ${PART_FILES[part].name}, found ${found}`;
}

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
  checkArgument(isBytes, bytes, "loadPipeline: bytes");
  checkArgument(PART_NAMES, only, "loadPipeline: only");
  const { description, parts } = modelParts(bytes);
  const model: Record<string, unknown> = description === undefined ? {} : { description };
  for (const part of PARTS) {
    const own = parts[part];
    const read = readers[part];
    if (own !== undefined && read !== undefined && only.includes(part)) model[part] = read(own);
  }
  return model;
}

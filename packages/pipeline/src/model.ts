import {
  type Check,
  integer,
  list,
  number,
  optional,
  readBundle,
  record,
  refuse,
  writeBundle,
} from "@arcwise/core/container";
import type { UdMetric } from "@arcwise/evaluate";
import {
  type GraphModel,
  loadGraphParser,
  loadParser,
  type ParserModel,
  saveGraphParser,
  saveParser,
} from "@arcwise/parser";
import { loadTagger, saveTagger, type TaggerModel } from "@arcwise/sequence";
import { loadTokenizer, saveTokenizer, type TokenizerModel } from "@arcwise/tokenize";

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

/** What a pipeline scores from raw text: F1 in percent, by metric. */
export type PipelineScores = Readonly<Record<keyof typeof SCORES, number>>;

/** A trained pipeline. Plain data; each step may be absent. */
export interface PipelineModel {
  readonly description: {
    readonly seed: number;
    readonly trainingSentences: number;
    /** Parts of the treebank that were tagged by a tagger of the others, for the parser; 0: gold tags. */
    readonly jackknife: number;
    /** Scores from raw text on the development set, if there was one. */
    readonly dev?: PipelineScores;
  };
  readonly tokenizer?: TokenizerModel;
  readonly tagger?: TaggerModel;
  readonly parser?: ParserModel;
  /** Finds the enhanced dependencies of DEPS, after the tree. */
  readonly graphs?: GraphModel;
}

/** The kind of file, and the names of its parts. */
export const PIPELINE = "pipeline";
export const PARTS = ["tokenizer", "tagger", "parser", "graphs"] as const;
/** The name of a part of a pipeline model. */
export type PipelinePart = (typeof PARTS)[number];

/**
 * Returns the bytes of a pipeline file: its parts are files of a tokeniser, a tagger, a parser and a parser
 * of graphs.
 */
export function savePipeline(model: PipelineModel): Uint8Array {
  const { description, tokenizer, tagger, parser, graphs } = model;
  const parts: Record<string, Uint8Array> = {};
  if (tokenizer !== undefined) parts.tokenizer = saveTokenizer(tokenizer);
  if (tagger !== undefined) parts.tagger = saveTagger(tagger);
  if (parser !== undefined) parts.parser = saveParser(parser);
  if (graphs !== undefined) parts.graphs = saveGraphParser(graphs);
  return writeBundle({ kind: PIPELINE, header: description, parts });
}

const COUNT = integer(0, Number.MAX_SAFE_INTEGER);
const PERCENT = number(0, 100);
const DESCRIPTION: Check = record<PipelineModel["description"]>({
  seed: integer(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  trainingSentences: COUNT,
  jackknife: COUNT,
  dev: optional(
    record<PipelineScores>(
      Object.fromEntries(Object.keys(SCORES).map((name) => [name, PERCENT])) as Record<
        keyof PipelineScores,
        Check
      >,
    ),
  ),
});

/** A pipeline file whose parts have not been read. */
export interface PipelineFile {
  readonly description: PipelineModel["description"];
  /** The bytes of each part: views of the file. */
  readonly parts: Readonly<Partial<Record<PipelinePart, Uint8Array>>>;
}

/**
 * Returns the parts of a pipeline file, each of which can be loaded by itself.
 *
 * @throws ModelError when the bytes are no pipeline file, are damaged, cut short, or of a newer version
 */
export function readPipelineFile(bytes: Uint8Array): PipelineFile {
  const { header, parts } = readBundle(bytes, PIPELINE, DESCRIPTION);
  const names = Object.keys(parts);
  list((name, at) => {
    if (!PARTS.includes(name as PipelinePart)) refuse(at, PARTS.join(", "), name);
  })(names, "damaged pipeline file: header.parts");
  return { description: header as PipelineModel["description"], parts };
}

/** Reads a pipeline file. @throws ModelError as `readPipelineFile`, or when a part is damaged */
export function loadPipeline(bytes: Uint8Array): PipelineModel {
  const { description, parts } = readPipelineFile(bytes);
  return {
    description,
    ...(parts.tokenizer && { tokenizer: loadTokenizer(parts.tokenizer) }),
    ...(parts.tagger && { tagger: loadTagger(parts.tagger) }),
    ...(parts.parser && { parser: loadParser(parts.parser) }),
    ...(parts.graphs && { graphs: loadGraphParser(parts.graphs) }),
  };
}

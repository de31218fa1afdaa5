import type { Decoder, Sentence } from "@arcwise/core";
import { createParser, type ParserModel, type Reading, type TreeFeatures } from "@arcwise/parser";
import { createPipeline, type PipelineModel } from "@arcwise/pipeline";

/** Returns the scores of a sentence, and the tree that a decoder finds in them with its labels. */
export type SentenceReader = (sentence: Sentence) => Pick<Reading, "problem" | "best">;

/** Makes a reader whose trees are found by a decoder. Scores are the same for all decoders of the same parts. */
export type ReaderOf = (decoder: Decoder) => SentenceReader;

/**
 * Reads sentences with the tags that they have.
 *
 * @param global the features of whole trees that the model was trained with, if they come from a module
 */
export function parserReader(model: ParserModel, global?: TreeFeatures): ReaderOf {
  return (decoder) => {
    const parser = createParser(model, { decoder, global });
    return (sentence) => parser.read([sentence])[0]!;
  };
}

/** Reads sentences with the tags that the tagger of a pipeline gives them. */
export function pipelineReader(model: PipelineModel): ReaderOf {
  return (decoder) => {
    const pipeline = createPipeline(model, { parser: { decoder } });
    return (sentence) => pipeline.read([sentence])[0]!;
  };
}

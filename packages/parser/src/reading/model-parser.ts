import type { Decoder, Sentence } from "@arcwise/core";
import { identityOf } from "@arcwise/core/encoders";
import { accepting, anything, flag, type OptionsOf, type OptionTable } from "@arcwise/core/options";
import { cutBlocks } from "../decoding/blocks.ts";
import type { TrainedModel } from "../model/model.ts";
import type { TreeFeatures } from "../scoring/trees/tree-features.ts";
import type { Parser, Reading } from "../types.ts";
import { blockReading } from "./block-reading.ts";
import { ParsingEngine } from "./engine.ts";
import { copyWords, treeReading } from "./tree-reading.ts";

/** The options of parsers in addition to the decoder. */
export const READING_OPTIONS = {
  global: {
    check: accepting<TreeFeatures>(anything),
    help: "the module of features of whole trees that the model was trained with, if any",
  },
  /** The valid tree is the one with the least loss of score. Constraints are kept. No effect on models with other relations. */
  valid: {
    check: flag,
    default: false,
    help: "whether a tree that breaks a rule of Universal Dependencies is replaced by the best valid one",
  },
} as const;

type ReadingSettings = OptionsOf<OptionTable<typeof READING_OPTIONS>>;

/** Makes a parser of a model and a decoder. It owns scratch memory that grows with the longest sentence. */
export function parserOf(model: TrainedModel, decoder: Decoder, { global, valid }: ReadingSettings): Parser {
  const engine = new ParsingEngine(model, decoder, global, valid);
  const read = (sentences: readonly Sentence[]) => readSentences(engine, sentences);
  const { encoder } = model.network ?? {};
  return {
    encoder: encoder && identityOf(encoder),
    read,
    parse: (sentence, options) => read([sentence])[0].best(options),
  };
}

function readSentences(engine: ParsingEngine, sentences: readonly Sentence[]): Reading[] {
  const copies = sentences.map(copyWords);
  const cuts = copies.map((words) => (engine.fits(words.length) ? [0, words.length] : cutBlocks(words)));
  const blocks = copies.flatMap((words, s) => cuts[s].slice(1).map((end, b) => words.slice(cuts[s][b], end)));
  const read = engine.read(blocks);
  let from = 0;
  return copies.map((words, s) => {
    const own = cuts[s];
    const readings = own.slice(1).map(() => treeReading(engine, read[from++]));
    return own.length === 2 ? readings[0] : blockReading(engine, words, readings, own);
  });
}

import {
  createGraphParser,
  type GraphModel,
  type GraphParseOptions,
  type GraphParser,
  graphInputProfile,
  type InputProfile,
  MissingDecoder,
} from "@arcwise/parser";
import { readGraphParserFile } from "@arcwise/parser/node";
import { type BatchInput, type LostSentences, lostSentence, once, type ParsedBlock } from "./batch.ts";
import { graphDecoderChoice } from "./decoder.ts";
import { DataError, UsageError } from "./errors.ts";
import { type GraphFormat, graphsOf } from "./graph-files.ts";
import { type GraphSentence, readGraphSentences } from "./graph-sentences.ts";
import { syntaxOf } from "./graph-trees.ts";
import { withTagsOf } from "./graph-words.ts";
import { inSource } from "./in-source.ts";
import { countInput, noInput } from "./input-fit.ts";

/** What finds graphs, and what is written of each sentence. Plain data. */
export interface GraphParserSettings {
  readonly kind: "graphs";
  readonly model: string;
  /** The format of input and output; undefined: that of the files that the model was trained on. */
  readonly format: GraphFormat | undefined;
  /** The name of a decoder, or its module; undefined: that of the model. */
  readonly decoder?: string | undefined;
  /** Climbs a sentence of a decoder that searches. */
  readonly restarts?: number | undefined;
  /** Whether the decoder ad3 proves each graph to be the best. */
  readonly exact?: boolean | undefined;
  /** Seconds a sentence for that proof. */
  readonly seconds?: number | undefined;
  /** Whether comments say how each graph was found. */
  readonly report?: boolean | undefined;
}

/** A parser of graphs that is loaded. */
export interface GraphAnalyser {
  readonly parser: GraphParser;
  readonly format: GraphFormat;
  /** Whether the model takes a basic tree. */
  readonly trees: boolean;
  /** What the model expects of its input. */
  readonly profile: InputProfile;
}

/** Errors that say why a model cannot be used as it was asked for. */
const REFUSALS: readonly string[] = ["RangeError", "UnsupportedPart", "InvalidDecoder"];

/**
 * Loads a parser of graphs.
 *
 * @throws ModelError or a file error when the model cannot be read
 * @throws UsageError when it was trained on files of another format, or its decoder is missing or unfit
 */
export async function loadGraphAnalyser(settings: GraphParserSettings): Promise<GraphAnalyser> {
  const model = await readGraphParserFile(settings.model);
  const parser = await parserOf(model, settings);
  const own = model.graphs === "enhanced" ? "conllu" : "sdp";
  const { format = own } = settings;
  if (format !== own) {
    throw new UsageError(`${settings.model}: learned ${graphsOf(own)}, which ${format} files do not hold`);
  }
  return { parser, format, trees: model.features.syntax !== undefined, profile: graphInputProfile(model) };
}

async function parserOf(model: GraphModel, settings: GraphParserSettings): Promise<GraphParser> {
  const { model: path, decoder: given, restarts, exact, seconds } = settings;
  const choice = given === undefined ? undefined : await graphDecoderChoice(given);
  try {
    return createGraphParser(model, { decoder: choice, restarts, exact, seconds });
  } catch (error) {
    if (error instanceof MissingDecoder) {
      const origin = error.module === undefined ? "" : ` (${error.module})`;
      const found = `the model ${path} was trained with the decoder "${error.decoder}"${origin}`;
      throw new UsageError(`${found}: give --decoder`, { cause: error });
    }
    if (!(error instanceof Error && REFUSALS.includes(error.name))) throw error;
    throw new UsageError(`${path}: ${error.message}`, { cause: error });
  }
}

/**
 * Finds the graphs of a block of sentences, as `parseBlock` finds trees.
 *
 * @param onSentence called before each sentence with its index in the block
 * @throws ConlluError when the block is not what its format says, or a tree is none
 * @throws DataError when a tree or tags are those of another sentence
 */
export async function parseGraphBlock(
  analyser: GraphAnalyser,
  { bytes, file, line, trees, words: tagged }: BatchInput,
  { report = false }: GraphParserSettings,
  onSentence: (index: number) => void = () => {},
): Promise<ParsedBlock> {
  const { parser, format, profile } = analyser;
  let text = "";
  let sentences = 0;
  let words = 0;
  const lost: LostSentences[] = [];
  const counts = noInput();
  try {
    for await (const sentence of readGraphSentences(once(bytes), format, file)) {
      const index = sentences++;
      onSentence(index);
      const where = `${file}:${sentence.line + line - 1}`;
      const input = tagged ? withTagsOf(tagged[index], sentence.words, where) : sentence.words;
      const tree = trees && (() => syntaxOf(trees[index], input, where));
      const syntax = analyser.trees ? syntaxIn(sentence, tree, where) : undefined;
      words += input.length;
      countInput(counts, input, profile);
      try {
        text += sentence.write(parser.parse(input, { syntax }), report);
      } catch (error) {
        lost.push(lostSentence(error, where, sentence.id));
      }
    }
  } catch (error) {
    throw inSource(error, file, line - 1);
  }
  return { bytes: new TextEncoder().encode(text), sentences, words, lost, counts };
}

type Syntax = NonNullable<GraphParseOptions["syntax"]>;

/** The tree of a sentence, from another file or from its own columns. */
export function syntaxIn(sentence: GraphSentence, other: (() => Syntax) | undefined, where: string): Syntax {
  if (other !== undefined) return other();
  if (sentence.tree !== undefined) return sentence.tree();
  throw new DataError(`${where}: expected basic trees, with which the model was trained: give --trees`);
}

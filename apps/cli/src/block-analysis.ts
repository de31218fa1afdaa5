import type { ColumnShares } from "@arcwise/parser";
import type { BatchInput, ParsedBlock } from "./batch.ts";
import type { GraphParserSettings } from "./graph-batch.ts";
import type { ParserSettings } from "./parser.ts";

/** What blocks of sentences are parsed with. Plain data: a parser of trees, or one of graphs. */
export type BlockSettings = ParserSettings | GraphParserSettings;

/** A parser that is loaded. */
export interface BlockAnalysis {
  /** Shares of the words that had tags, features and lemmas when the model was trained. */
  readonly columns: ColumnShares;
  /** @param onSentence called before each sentence with its index in the block */
  parse(input: BatchInput, onSentence?: (index: number) => void): Promise<ParsedBlock>;
}

/** Loads the parser that settings ask for. Throws as `loadAnalyser` and `loadGraphAnalyser`. */
export async function loadBlockAnalysis(settings: BlockSettings): Promise<BlockAnalysis> {
  return "kind" in settings ? graphAnalysis(settings) : treeAnalysis(settings);
}

async function treeAnalysis(settings: ParserSettings): Promise<BlockAnalysis> {
  const [{ parseBlock }, { loadAnalyser }] = await Promise.all([import("./batch.ts"), import("./parser.ts")]);
  const analyser = await loadAnalyser(settings);
  const { columns } = analyser.profile;
  return { columns, parse: (input, onSentence) => parseBlock(analyser, input, settings, onSentence) };
}

async function graphAnalysis(settings: GraphParserSettings): Promise<BlockAnalysis> {
  const { loadGraphAnalyser, parseGraphBlock } = await import("./graph-batch.ts");
  const analyser = await loadGraphAnalyser(settings);
  const { columns } = analyser.profile;
  return { columns, parse: (input, onSentence) => parseGraphBlock(analyser, input, settings, onSentence) };
}

import {
  type ConlluSentence,
  readConllu,
  sentenceId,
  sentenceWords,
  withTags,
  withTree,
  writeSentence,
} from "@arcwise/conllu";
import type { Sentence } from "@arcwise/core";
import { hasCode } from "@arcwise/core/errors";
import type { Reading, ReadingOptions } from "@arcwise/parser";
import { type Analysis, type AnalysisSettings, analyses } from "./analyses.ts";
import { asAnalysis, withProbabilities, withReport } from "./annotate.ts";
import { parserConstraints, type SentenceConstraints } from "./constraints.ts";
import { DataError, EXIT, explain } from "./errors.ts";
import type { SentenceTree } from "./graph-trees.ts";
import type { SentenceWords } from "./graph-words.ts";
import { inSource } from "./in-source.ts";
import { countInput, type InputCounts, noInput } from "./input-fit.ts";
import type { Analyser } from "./parser.ts";

/** Sentences of a CoNLL-U file. */
export interface BatchInput {
  readonly bytes: Uint8Array;
  /** The name of the file in errors. */
  readonly file: string;
  /** The line of the file at which they start. */
  readonly line: number;
  /** One a sentence, when there are any. */
  readonly constraints?: readonly SentenceConstraints[] | undefined;
  /** One a sentence, for a parser of graphs that takes trees from another file. */
  readonly trees?: readonly SentenceTree[] | undefined;
  /** One a sentence, for a parser of graphs that takes tags from another file. */
  readonly words?: readonly SentenceWords[] | undefined;
}

/** What became of a block of sentences. */
export interface ParsedBlock {
  /**
   * The sentences with their analyses, as bytes: HEAD, DEPREL and what a tagger fills in replaced, the rest
   * kept.
   */
  readonly bytes: Uint8Array;
  readonly sentences: number;
  readonly words: number;
  /** Sentences that could not be parsed, which the bytes lack. */
  readonly lost: readonly LostSentences[];
  /** What the parser was given, tags of the tagger included. */
  readonly counts: InputCounts;
}

/** Sentences that are not in the output. */
export interface LostSentences {
  /** Where they are, as messages have it: `input.conllu:12: sentence s3`. */
  readonly place: string;
  readonly count: number;
  readonly reason: string;
}

/** Number of sentences that are announced to the parser together. */
const BATCH = 64;

/** A sentence that was read, and its words as they are parsed. */
interface ReadSentence {
  readonly read: ConlluSentence;
  readonly index: number;
  readonly input: Sentence;
}

/**
 * Parses the sentences of a block of a CoNLL-U file. A sentence for which the parser fails is left out and
 * reported; the others are parsed.
 *
 * @param onSentence called with the index of a sentence in the block before it is tagged, and before it is
 *   parsed
 * @throws ConlluError when the block is not CoNLL-U
 * @throws DataError when constraints do not fit their sentences, or no tree meets them
 */
export async function parseBlock(
  analyser: Analyser,
  block: BatchInput,
  settings: AnalysisSettings,
  onSentence: (index: number) => void = () => {},
): Promise<ParsedBlock> {
  const { parser, tagger } = analyser;
  const { bytes, file, line } = block;
  const found: Found = { text: "", sentences: 0, words: 0, lost: [], counts: noInput() };
  let batch: ReadSentence[] = [];
  const parse = () => {
    const readings = parser.read(batch.map(({ input }) => input));
    for (const [k, sentence] of batch.entries()) {
      onSentence(sentence.index);
      addSentence(found, { ...sentence, reading: readings[k]! }, analyser, block, settings);
    }
    batch = [];
  };
  try {
    for await (const read of readConllu(once(bytes), { file })) {
      const index = found.sentences++;
      onSentence(index);
      const given = sentenceWords(read);
      batch.push({ read, index, input: tagger === undefined ? given : tagger.tag(given) });
      if (batch.length === BATCH) parse();
    }
    parse();
  } catch (error) {
    throw inSource(error, file, line - 1);
  }
  const { text, sentences, words, lost, counts } = found;
  return { bytes: new TextEncoder().encode(text), sentences, words, lost, counts };
}

/** What was found in a block so far. */
interface Found {
  text: string;
  sentences: number;
  words: number;
  readonly lost: LostSentences[];
  readonly counts: InputCounts;
}

/** Parses a sentence and adds it to what was found. */
function addSentence(
  to: Found,
  { read, index, input, reading }: ReadSentence & { readonly reading: Reading },
  { tagger, refine, graphs, profile }: Analyser,
  { file, line, constraints }: BatchInput,
  settings: AnalysisSettings,
): void {
  const shown = refine === undefined ? input : refine(reading, input);
  const sentence = tagger === undefined ? read : withTags(read, shown, tagger.columns);
  const where = `${file}:${sentence.line + line - 1}`;
  // The network reads the tags that it learned from; sparse features see the better ones.
  const better = refine === undefined ? reading : reading.withWords(shown);
  const analyse = (options: ReadingOptions) => analyses(better, settings, options);
  to.words += input.length;
  countInput(to.counts, input, profile);
  try {
    const found =
      constraints === undefined ? analyse({}) : constrained(input, constraints[index], where, analyse);
    to.text += written(sentence, found, settings, graphs);
  } catch (error) {
    to.lost.push(lostSentence(error, where, sentenceId(read)));
  }
}

/**
 * What becomes of a sentence for which the parser failed. @throws the error when it is one of the user's data
 */
export function lostSentence(error: unknown, where: string, id: string | undefined): LostSentences {
  const { code, message } = explain(error);
  const isSentence = code === EXIT.internal || hasCode(error, ...SENTENCE_ERRORS);
  if (!isSentence) throw error;
  return { place: `${where}${id === undefined ? "" : `: sentence ${id}`}`, count: 1, reason: message };
}

/** Errors that depend on the length of a sentence or on its candidate arcs, beside faults of the program. */
const SENTENCE_ERRORS = ["no-graph", "no-tree", "invalid-argument"] as const;

export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function constrained(
  words: Sentence,
  given: SentenceConstraints | undefined,
  where: string,
  analyse: (options: ReadingOptions) => Analysis[],
): Analysis[] {
  if (given === undefined)
    throw new DataError(`${where}: expected constraints for this sentence, found none`);
  const constraints = parserConstraints(given, words, where);
  try {
    return analyse({ constraints });
  } catch (error) {
    const expected = hasCode(error, "no-tree") || error instanceof RangeError;
    throw expected ? new DataError(`${given.place}: ${error.message}`, { cause: error }) : error;
  }
}

function written(
  sentence: ConlluSentence,
  found: readonly Analysis[],
  { kBest, report }: AnalysisSettings,
  graphs: Analyser["graphs"],
): string {
  let text = "";
  for (const [index, { parse, probabilities }] of found.entries()) {
    let analysed = withTree(sentence, parse);
    if (graphs !== undefined) analysed = graphs(analysed);
    if (probabilities !== undefined) analysed = withProbabilities(analysed, probabilities);
    if (report === true) analysed = withReport(analysed, parse);
    if (kBest !== undefined) analysed = asAnalysis(analysed, index + 1, found.length, parse.score);
    text += writeSentence(analysed);
  }
  return text;
}

import { type ConlluSentence, sentenceWords, withTags, withTree } from "@arcwise/conllu";
import type { Sentence } from "@arcwise/core";
import type { GraphParserOptions, ParserOptions } from "@arcwise/parser";
import { type TokenizedSentence, type TokenizerOptions, tokenizedSentence } from "@arcwise/tokenize";
import { type GraphStep, graphStep, withGraph } from "./graph-step.ts";
import type { PipelineModel } from "./model.ts";
import { readyItems } from "./ready-items.ts";
import { retag } from "./retagging.ts";
import {
  type ParseStep,
  parseStep,
  type StepReading,
  type TagStep,
  type TokenizeStep,
  type TreeFunction,
  tagStep,
  tokenizeStep,
} from "./steps.ts";

/** Adds to a sentence with a tree, such as the graph of DEPS by rules (`enhance` of `@arcwise/conllu`). */
export type FinishStep = (sentence: ConlluSentence) => ConlluSentence;

/** Steps instead of those of a model, and options of those. */
export interface PipelineOptions {
  /** A tokeniser of one's own, or options of the model's. */
  readonly tokenizer?: TokenizeStep | TokenizerOptions;
  /** A tagger of one's own; false: words keep the tags that they have. */
  readonly tagger?: TagStep | false;
  /** A parser of one's own, or options of the model's; false: no trees. */
  readonly parser?: ParseStep | TreeFunction | ParserOptions | false;
  /**
   * A step of one's own that finds the graph of DEPS, or options of the model's; false: DEPS stay as they
   * are.
   */
  readonly graphs?: GraphStep | GraphParserOptions | false;
  /** A last step. Default: none. */
  readonly finish?: FinishStep;
}

/** Text in, sentences out. Serves one caller at a time. */
export interface Pipeline {
  /**
   * Returns the sentences of a text with all columns that the steps fill in. For texts that fit in memory.
   *
   * @throws RangeError when there is no tokeniser
   */
  run(text: string): ConlluSentence[];
  /**
   * Yields the sentences of a text that arrives in chunks, each as soon as it is certain; those that are
   * certain at once are read together. Memory does not grow with the text.
   *
   * @throws RangeError when there is no tokeniser
   */
  stream(chunks: AsyncIterable<string> | Iterable<string>): AsyncGenerator<ConlluSentence>;
  /** Returns a copy of a sentence of given words, tagged and parsed; other columns are kept. */
  annotate(sentence: ConlluSentence): ConlluSentence;
}

/**
 * Makes a pipeline of the steps that a model has, or others in their place.
 *
 * @throws RangeError, and what `createTokenizer` and `createParser` throw, when options are not as described
 */
export function createPipeline(model: Partial<PipelineModel>, options: PipelineOptions = {}): Pipeline {
  const tokenizer = tokenizeStep(model, options.tokenizer);
  const tagger = tagStep(model, options.tagger);
  const parser = parseStep(model, options.parser);
  const graphs = graphsStep(model, options.graphs);
  const { finish } = options;

  /** The network of the parser decides on the tags of the model's tagger. */
  function retagged(reading: StepReading, tagged: Sentence): Sentence {
    if (tagger === undefined || options.tagger !== undefined || reading.columns === undefined) return tagged;
    return retag(reading.columns.bind(reading), tagger, tagged);
  }

  /** Tags sentences, then parses them; the parser may read several of them together. */
  function annotateAll(sentences: readonly ConlluSentence[]): ConlluSentence[] {
    const tagged = sentences.map((sentence) => {
      const words = sentenceWords(sentence);
      return tagger === undefined ? words : tagger.tag(words);
    });
    const readings = parser?.read(tagged);
    return sentences.map((sentence, s) => {
      const words = tagged[s]!;
      let annotated = sentence;
      const reading = readings?.[s];
      const better = reading === undefined ? words : retagged(reading, words);
      if (tagger !== undefined) annotated = withTags(sentence, better, tagger.columns);
      if (reading !== undefined) annotated = withTree(annotated, reading.withWords(better).best());
      if (graphs !== undefined) annotated = withGraph(annotated, graphs);
      return finish === undefined ? annotated : finish(annotated);
    });
  }

  function required(): TokenizeStep {
    if (tokenizer === undefined) throw new RangeError("expected a model with a tokeniser, or a tokeniser");
    return tokenizer;
  }

  const conllu = (sentence: TokenizedSentence, index: number) => tokenizedSentence(sentence, index + 1);
  return {
    annotate: (sentence) => annotateAll([sentence])[0]!,
    run(text) {
      const sentences = required().tokenize(text).map(conllu);
      const annotated: ConlluSentence[] = [];
      for (let from = 0; from < sentences.length; from += BATCH) {
        annotated.push(...annotateAll(sentences.slice(from, from + BATCH)));
      }
      return annotated;
    },
    async *stream(chunks) {
      let index = 0;
      for await (const ready of readyItems(required().stream(chunks), BATCH))
        yield* annotateAll(ready.map((sentence) => conllu(sentence, index++)));
    },
  };
}

/** Number of sentences that are announced to the parser together. */
const BATCH = 64;

function graphsStep(
  { graphs }: Partial<PipelineModel>,
  given: PipelineOptions["graphs"],
): GraphStep | undefined {
  if (given === false) return undefined;
  if (given !== undefined && "parse" in given) return given;
  return graphs && graphStep(graphs, given);
}

/* The steps of a pipeline, and checks of the results of steps that a program gives. */
import { type ConlluSentence, sentenceCheck, sentenceTree, sentenceWords } from "@arcwise/conllu";
import type { DependencyTree, Sentence } from "@arcwise/core";
import { type EncoderIdentity, type SentenceVectors, withVectors } from "@arcwise/core/encoders";
import { ArcwiseError } from "@arcwise/core/errors";
import {
  anything,
  words as areWords,
  type Check,
  callback,
  checkArgument,
  checkReceived,
  flag,
  graph as isGraph,
  tree as isTree,
  list,
  number,
  oneOf,
  optional,
  satisfying,
  shaped,
  string,
} from "@arcwise/core/options";
import type { GraphParser, GraphParserInput, GraphReading } from "@arcwise/graph-parser";
import type { Marginals, Parse, Reading, ReadingOptions } from "@arcwise/parser";
import type { Tagger } from "@arcwise/sequence";
import type { TokenizedSentence, Tokenizer } from "@arcwise/tokenize";

/** Cuts text into sentences. */
export type TokenizeStep = Pick<Tokenizer, "session">;
/** Returns the sentences of a whole text: a tokeniser of one's own. */
export type TextFunction = (text: string) => TokenizedSentence[];
/** Fills in columns of words. */
export type TagStep = Pick<Tagger, "columns" | "tag"> & Partial<Pick<Tagger, "lemma">>;

/** One sentence as a parser has read it, with the methods that the parser has. */
export interface StepReading
  extends Partial<Pick<Reading, "kBest" | "marginals" | "columns" | "problem" | "shares">> {
  best(options?: ReadingOptions): DependencyTree & Partial<Parse>;
  withWords(words: Sentence): StepReading;
}

/** Finds the trees of sentences. */
export interface ParseStep {
  /** The encoder whose vectors words need, as of `Parser`. */
  readonly encoder?: EncoderIdentity | undefined;
  read(sentences: readonly Sentence[]): StepReading[];
}

/** Returns the tree of words: a parser of one's own. */
export type TreeFunction = (words: Sentence) => DependencyTree;

/**
 * Adds to a sentence with a tree, such as the graph of DEPS by rules (`enhance` of `@arcwise/conllu`).
 *
 * @example
 * const finish: FinishStep = enhance;
 * const nlp = createPipeline(model, { finish });
 */
export type FinishStep = (sentence: ConlluSentence) => ConlluSentence;

/** Returns the error of a call that needs a step. */
export function missingStep(step: string): ArcwiseError {
  return new ArcwiseError("missing-step", `expected a model with ${step}, found one without`);
}

/** Returns a value that a step returned. */
function returned<Value>(check: Check, value: Value, step: string): Value {
  checkReceived(check, value, step);
  return value;
}

/** Accepts as many items as a step was given. */
function sameNumber(check: Check, { length }: readonly unknown[]): Check {
  return list(check, { min: length, max: length });
}

const TOKENIZED = list(
  shaped("a sentence of tokens", {
    tokens: list(
      shaped("a token", {
        form: string,
        words: list(string),
        spaceAfter: flag,
        start: number(0),
        end: number(0),
      }),
    ),
    startsParagraph: flag,
    start: optional(number(0)),
  }),
);

/** A tokeniser of a program. */
export function givenTokenizer(step: TokenizeStep): TokenizeStep {
  return {
    session(options) {
      const session = returned(
        shaped("a session", { push: callback, end: callback }),
        step.session(options),
        "tokenizer.session",
      );
      return {
        push(chunk) {
          checkArgument(string, chunk, "push: chunk");
          return returned(TOKENIZED, session.push(chunk), "tokenizer.push");
        },
        end: () => returned(TOKENIZED, session.end(), "tokenizer.end"),
        ...(session.rest && { rest: session.rest.bind(session) }),
      };
    },
  };
}

/** A function from a text to its sentences, which waits for the end of the text. */
export function wholeText(tokenize: TextFunction): TokenizeStep {
  return givenTokenizer({
    session() {
      let text = "";
      return {
        push(chunk) {
          text += chunk;
          return [];
        },
        end: () => tokenize(text),
      };
    },
  });
}

/** Accepts taggers. */
export const taggerCheck = shaped<TagStep>("a tagger", {
  tag: callback,
  columns: list(oneOf("upos", "xpos", "feats", "lemma")),
});

/** A tagger of a program. */
export function givenTagger(step: TagStep): TagStep {
  const tag = (words: Sentence) => {
    const tagged = returned(areWords, step.tag(words), "tagger.tag");
    return returned(sameNumber(anything, words), tagged, "tagger.tag");
  };
  return { columns: step.columns, tag, lemma: step.lemma?.bind(step) };
}

const READING = shaped("a reading", {
  best: callback,
  withWords: callback,
  kBest: optional(callback),
  marginals: optional(callback),
  columns: optional(callback),
});
const SCORED = shaped("a tree", {
  score: optional(number(-Infinity)),
  bound: optional(number(-Infinity)),
});
const treeCheck: Check<DependencyTree & Partial<Parse>> = (value, at) => {
  isTree(value, at);
  SCORED(value, at);
};

/** Returns trees that a reading returned. */
export function treesOf<Tree extends DependencyTree>(
  trees: readonly Tree[],
  method: string,
): readonly Tree[] {
  checkReceived(list(treeCheck), trees, method);
  return trees;
}

/** Returns probabilities that a reading returned. */
export function marginalsOf(marginals: Marginals): Marginals {
  treesOf([marginals], "marginals");
  const { length } = marginals.heads;
  const probabilities = satisfying<Float64Array>(
    `${length} probabilities`,
    (value) => value instanceof Float64Array && value.length === length,
  );
  const members = { headProbabilities: probabilities, labelledProbabilities: probabilities };
  return returned(shaped("marginals", members), marginals, "marginals");
}

/** Returns a reading that a parser returned. */
export function readingOf(reading: StepReading, step: string): StepReading {
  return returned(READING, reading, step);
}

/** A parser of a program. */
export function givenParser(step: ParseStep): ParseStep {
  return {
    encoder: step.encoder,
    read: (sentences) => returned(sameNumber(READING, sentences), step.read(sentences), "parser.read"),
  };
}

const GRAPH_READING = shaped("a reading", { best: callback });

/** A graph parser of a program. Its sentences are read several at a time if it can. */
export function givenGraphs(step: GraphStep): GraphStep {
  const { read, encoder } = step;
  const parse: GraphStep["parse"] = (words, options) =>
    returned(isGraph, step.parse(words, options), "graphs.parse");
  if (read === undefined) return { parse, encoder };
  return {
    parse,
    encoder,
    read: (inputs) => returned(sameNumber(GRAPH_READING, inputs), read.call(step, inputs), "graphs.read"),
  };
}

/** A last step of a program. */
export function givenFinish(step: FinishStep): FinishStep {
  return (sentence) => returned(sentenceCheck, step(sentence), "finish");
}

/** Finds the graph of words, for DEPS. */
export type GraphStep = Pick<GraphParser, "parse"> & Partial<Pick<GraphParser, "read" | "encoder">>;

/** One sentence as a graph step has read it. */
export type GraphStepReading = Pick<GraphReading, "best">;

/** Reads sentences, several at a time where the step can. An error of a sentence is thrown by its `best`. */
export function readGraphs(step: GraphStep, inputs: readonly GraphParserInput[]): GraphStepReading[] {
  return (
    step.read?.(inputs) ??
    inputs.map(({ sentence, syntax }) => ({ best: () => step.parse(sentence, { syntax }) }))
  );
}

/**
 * Returns the input of a graph step: the words of a sentence with their tags, with vectors if they have some, and its tree if
 * it has one.
 */
export function graphInput(sentence: ConlluSentence, vectors: SentenceVectors | undefined): GraphParserInput {
  const hasTree = sentence.rows.every((row) => row.kind !== "word" || row.head >= 0);
  const words = encodedWords(sentenceWords(sentence), vectors);
  return { sentence: words, syntax: hasTree ? sentenceTree(sentence) : undefined };
}

/** Returns words with their vectors, if they have some. */
export function encodedWords(words: Sentence, vectors: SentenceVectors | undefined): Sentence {
  return vectors === undefined ? words : withVectors(words, vectors);
}

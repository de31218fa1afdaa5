import type { SentenceView } from "@arcwise/conllu";
import { type ParsingProblem, type Sentence, UnsupportedCapability } from "@arcwise/core";
import { words as areWords, checkArgument } from "@arcwise/core/options";
import type { GivenColumns, Marginals, Parse, Reading, ReadingOptions, ScoreShare } from "@arcwise/parser";
import { readingOf, type StepReading } from "./steps.ts";

/**
 * One sentence as a pipeline has read it.
 *
 * @example
 * const [reading]: PipelineReading[] = nlp.read("Dogs bark.");
 * reading!.kBest(3).map(({ score }) => score); // the scores of the three best trees
 */
export interface PipelineReading extends Reading {
  /** The sentence with its tags. */
  readonly sentence: SentenceView;
}

/** A reading with all methods: those that the parser does not have throw. */
export class SentenceReading implements PipelineReading {
  readonly sentence: SentenceView;
  readonly words: Sentence;
  readonly #reading: StepReading;

  constructor(sentence: SentenceView, words: Sentence, reading: StepReading) {
    this.sentence = sentence;
    this.words = words;
    this.#reading = reading;
  }

  best(options?: ReadingOptions): Parse {
    return { score: 0, bound: Infinity, ...this.#reading.best(options) };
  }

  kBest(k: number, options?: ReadingOptions): Parse[] {
    return methodOf(this.#reading, "kBest")(k, options);
  }

  marginals(options?: Parameters<Reading["marginals"]>[0]): Marginals {
    return methodOf(this.#reading, "marginals")(options);
  }

  columns(given?: GivenColumns): Record<string, string[]> {
    return this.#reading.columns?.(given) ?? {};
  }

  problem(options?: ReadingOptions): ParsingProblem {
    return methodOf(this.#reading, "problem")(options);
  }

  shares(heads: Int32Array): ScoreShare[] {
    return methodOf(this.#reading, "shares")(heads);
  }

  withWords(words: Sentence): SentenceReading {
    checkArgument(areWords, words, "withWords: words");
    return new SentenceReading(this.sentence, words, readingOf(this.#reading.withWords(words), "withWords"));
  }
}

const METHODS = {
  kBest: "the k best trees",
  marginals: "probabilities of arcs",
  problem: "scores of arcs",
  shares: "shares of scores",
} as const;

/** Returns a method of a reading. */
export function methodOf<Name extends keyof typeof METHODS>(
  reading: StepReading,
  name: Name,
): NonNullable<StepReading[Name]> {
  const method = reading[name];
  const advice = "give a parser whose readings have it, such as one made by createParser";
  if (method === undefined) throw new UnsupportedCapability("the given parser", name, METHODS[name], advice);
  return method.bind(reading) as NonNullable<StepReading[Name]>;
}

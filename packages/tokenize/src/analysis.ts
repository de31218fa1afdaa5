import { CHARACTER_FEATURES, characterKey, characterKeys, TOKEN_FEATURES, tokenKeys } from "./features.ts";
import type { NetworkData, TokenizerModel } from "./model.ts";
import { MultiwordSplitter } from "./multiword.ts";
import { FeatureIndex } from "./network/feature-index.ts";
import { SequenceNetwork } from "./network/network.ts";
import { probabilities, type Span, type WindowSize } from "./network/windows.ts";
import { sentenceEnds } from "./sentence-ends.ts";
import { type Characters, readingOf, textOf } from "./text/character-reader.ts";
import { spacedPair } from "./text/cluster-codes.ts";
import { Variants } from "./text/variants.ts";

/** Windows in which the networks read characters and tokens. */
const CHARACTER_WINDOW: WindowSize = { length: 512, context: 64 };
const TOKEN_WINDOW: WindowSize = { length: 256, context: 32 };
/** Maximum number of characters of a token. */
const MAX_TOKEN = 1000;
/** Classes of the network of tokens are sums of these. */
const BREAK = 1;
const MULTIWORD = 2;

/** A token of an analysed text. */
export interface TokenSpan extends Span {
  /** Forms of the words of a multiword token; empty for a single word. */
  readonly words: readonly string[];
}

/** A network that is ready for use. */
export interface Classifier {
  readonly network: SequenceNetwork;
  readonly index: FeatureIndex;
}

/** Cuts characters into tokens, and these into sentences. Not for concurrent use. */
export class TextAnalyser {
  readonly #model: TokenizerModel;
  readonly #characters: Classifier;
  readonly #tokens: Classifier;
  readonly #splitter: MultiwordSplitter;
  readonly #spacedPairs: ReadonlySet<number>;
  /** The characters that are read as others. */
  readonly variants: Variants;

  constructor(model: TokenizerModel) {
    this.#model = model;
    this.#characters = classifier(model.characters, CHARACTER_FEATURES.kinds);
    this.#tokens = classifier(model.tokens, TOKEN_FEATURES.kinds);
    this.#spacedPairs = new Set(model.spacedPairs);
    this.#splitter = new MultiwordSplitter(model.multiword);
    const known = new Set(model.characters.keys);
    this.variants = new Variants((code) => known.has(characterKey(code)));
  }

  /**
   * Returns the sentences of paragraphs, as spans of their tokens. A paragraph begins with the first
   * character, and at each one that says so.
   *
   * @param maxTokens maximum number of tokens of a sentence
   */
  sentences(characters: Characters, maxTokens: number): TokenSpan[][] {
    const paragraphs = paragraphsOf(characters);
    const ends = this.#tokenEnds(characters, paragraphs);
    const sequences = sequencesOf(paragraphs, ends);
    const classes = this.#classes(characters, ends, sequences);
    const { classes: width } = this.#tokens.network.shape;
    const sentences: TokenSpan[][] = [];
    for (const { from, end } of sequences) {
      const breaks = Float64Array.from({ length: end - from }, (_, t) =>
        breakProbability(classes, width, from + t),
      );
      let first = from;
      for (const next of sentenceEnds(breaks, { cost: this.#model.sentenceCost, maxTokens })) {
        const tokens: TokenSpan[] = [];
        for (let t = first; t < from + next; t++) tokens.push(this.#token(characters, ends, classes, t));
        sentences.push(tokens);
        first = from + next;
      }
    }
    return sentences;
  }

  /** Returns the index after the last character of each token. */
  #tokenEnds(characters: Characters, paragraphs: readonly Span[]): Int32Array {
    const { network, index } = this.#characters;
    const features = index.featuresOf(characterKeys(characters));
    const found = probabilities(network, features, index.kinds, paragraphs, CHARACTER_WINDOW);
    const ends: number[] = [];
    for (const { from, end } of paragraphs) {
      let start = from;
      for (let i = from; i < end; i++) {
        const isLong = i + 1 - start >= MAX_TOKEN;
        if (i + 1 < end && !isLong && found[2 * i + 1]! < 0.5 && this.#mayContinue(characters, i)) continue;
        ends.push(i + 1);
        start = i + 1;
      }
    }
    return Int32Array.from(ends);
  }

  /** Returns whether a token may continue after character i: not over a space that none had in training. */
  #mayContinue({ code, space }: Characters, i: number): boolean {
    return space[i + 1]! === 0 || this.#spacedPairs.has(spacedPair(code[i]!, code[i + 1]!));
  }

  /** Returns the probabilities of the classes of tokens. */
  #classes(characters: Characters, ends: Int32Array, sequences: readonly Span[]): Float32Array {
    const { network, index } = this.#tokens;
    const features = index.featuresOf(tokenKeys(characters, ends));
    return probabilities(network, features, index.kinds, sequences, TOKEN_WINDOW);
  }

  #token(characters: Characters, ends: Int32Array, classes: Float32Array, t: number): TokenSpan {
    const from = t === 0 ? 0 : ends[t - 1]!;
    const end = ends[t]!;
    const { classes: width } = this.#tokens.network.shape;
    const at = t * width + MULTIWORD;
    const form = textOf(characters, from, end);
    const words = this.#splitter.split(
      { form, reading: readingOf(characters, from, end) },
      () => width > MULTIWORD && classes[at]! + classes[at + BREAK]! > 0.5,
    );
    return { from, end, words };
  }
}

/** Returns the probability that a sentence ends after a token, given those of the classes of all tokens. */
export function breakProbability(classes: Float32Array, width: number, token: number): number {
  const at = token * width + BREAK;
  return classes[at]! + (width > MULTIWORD ? classes[at + MULTIWORD]! : 0);
}

/** Makes the network of a model ready for use. */
export function classifier({ shape, keys, parameters }: NetworkData, kinds: number): Classifier {
  const network = new SequenceNetwork(shape, false);
  network.parameters.values.set(parameters);
  network.finish();
  return { network, index: new FeatureIndex(kinds, keys) };
}

/** Returns the paragraphs of a text. */
export function paragraphsOf({ length, paragraph }: Characters): Span[] {
  const spans: Span[] = [];
  for (let from = 0; from < length; ) {
    let end = from + 1;
    while (end < length && paragraph[end]! === 0) end++;
    spans.push({ from, end });
    from = end;
  }
  return spans;
}

/** Returns the tokens of each paragraph. */
export function sequencesOf(paragraphs: readonly Span[], ends: ArrayLike<number>): Span[] {
  let t = 0;
  return paragraphs.map(({ end }) => {
    const from = t;
    while (t < ends.length && ends[t]! <= end) t++;
    return { from, end: t };
  });
}

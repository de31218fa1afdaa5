import {
  CHARACTER_FEATURES,
  characterKey,
  characterKeys,
  pairKey,
  TOKEN_FEATURES,
  tokenKeys,
  WIDE_CHARACTER_FEATURES,
} from "./features.ts";
import type { TokenizerModel } from "./model.ts";
import { MultiwordSplitter } from "./multiword.ts";
import { Classifier } from "./network/classifier.ts";
import type { Span, WindowSize } from "./network/windows.ts";
import { attachMarks } from "./rules/closing-marks.ts";
import { type ListMarker, listMarkers } from "./rules/list-items.ts";
import { unspacedEnds } from "./rules/unspaced-marks.ts";
import { wholeTokens } from "./rules/whole-tokens.ts";
import { sentenceEnds } from "./sentence-ends.ts";
import { type Characters, readingOf, textOf } from "./text/character-reader.ts";
import { spacedPair } from "./text/cluster-codes.ts";
import { Variants } from "./text/variants.ts";

/** Windows in which the networks read characters and tokens. */
const CHARACTER_WINDOW: WindowSize = { length: 512, context: 64 };
const TOKEN_WINDOW: WindowSize = { length: 256, context: 32 };
/** Maximum number of characters of a token. */
const MAX_TOKEN = 1000;
/** Classes of the network of characters: a token ends, a word ends within a token. */
const TOKEN_END = 1;
const WORD_END = 2;
/** Classes of the network of tokens are sums of these. */
const BREAK = 1;
const MULTIWORD = 2;
/** The words of a token that is one word. */
const SINGLE: readonly string[] = [];

/** A token of an analysed text. */
export interface TokenSpan extends Span {
  /** Forms of the words of a multiword token; empty for a single word. */
  readonly words: readonly string[];
}

/** Cuts characters into tokens, and these into sentences. Not for concurrent use. */
export class TextAnalyser {
  readonly #model: TokenizerModel;
  /** Maximum number of tokens of a sentence. */
  readonly #maxTokens: number;
  readonly #characters: Classifier;
  readonly #tokens: Classifier;
  readonly #splitter: MultiwordSplitter;
  readonly #spacedPairs: ReadonlySet<number>;
  /** The characters that are read as others. */
  readonly variants: Variants;

  constructor(model: TokenizerModel, maxTokens: number) {
    this.#model = model;
    this.#maxTokens = maxTokens;
    this.#characters = new Classifier(
      model.characters,
      (model.isWide ? WIDE_CHARACTER_FEATURES : CHARACTER_FEATURES).kinds,
    );
    this.#tokens = new Classifier(model.tokens, TOKEN_FEATURES.kinds);
    this.#spacedPairs = new Set(model.spacedPairs);
    this.#splitter = new MultiwordSplitter(model.multiword);
    const known = new Set(model.characters.keys);
    this.variants = new Variants({
      hasCharacter: (code) => known.has(characterKey(code)),
      hasPair: (code, next) => known.has(pairKey(code, 0, next)),
    });
  }

  /**
   * Returns the sentences of paragraphs, as spans of their tokens. A paragraph begins with the first
   * character, and at each one that says so.
   */
  sentences(characters: Characters): TokenSpan[][] {
    const paragraphs = paragraphsOf(characters);
    const whole = wholeTokens(characters);
    const markers = listMarkers(characters, paragraphs);
    const unspaced = unspacedEnds(characters);
    const known = [...unspaced, ...whole, ...edges(characters, markers)];
    const cuts = this.#characterClasses(characters, paragraphs, known);
    const ends = this.#tokenEnds(characters, paragraphs, cuts);
    const sequences = sequencesOf(paragraphs, ends);
    const single = new Set(whole.map(({ from }) => from));
    const tokens = this.#tokenSpans(characters, ends, sequences, { single, cuts });
    const fixed = new Map(markers.map(({ end }) => [end, 0]));
    for (const { end } of tokens) if (isWithinWord(characters, end)) fixed.set(end, 0);
    for (const { from, endsSentence } of [...unspaced, ...markers]) if (endsSentence) fixed.set(from, 1);
    return sequences.flatMap((sequence) => {
      const own = tokens.slice(sequence.from, sequence.end);
      return attachMarks(characters, this.#cut(own, fixed), this.#maxTokens);
    });
  }

  /**
   * Returns the probabilities of the classes of all characters.
   *
   * @param whole spans that begin with a token and end with one, and contain no other end
   */
  #characterClasses(
    characters: Characters,
    paragraphs: readonly Span[],
    whole: readonly Span[],
  ): Float32Array {
    const { classes } = this.#characters.shape;
    const keys = characterKeys(characters, this.#model.isWide);
    const found = this.#characters.classify(keys, paragraphs, CHARACTER_WINDOW);
    const set = (i: number, isEnd: boolean) => {
      found.fill(0, i * classes, (i + 1) * classes);
      found[i * classes + (isEnd ? TOKEN_END : 0)] = 1;
    };
    for (const { from, end } of whole) {
      if (from > 0) set(from - 1, true);
      for (let i = from; i < end; i++) set(i, i + 1 === end);
    }
    return found;
  }

  /** Returns the index after the last character of each token. */
  #tokenEnds(characters: Characters, paragraphs: readonly Span[], found: Float32Array): Int32Array {
    const { classes } = this.#characters.shape;
    const ends: number[] = [];
    for (const { from, end } of paragraphs) {
      let start = from;
      for (let i = from; i < end; i++) {
        const isLong = i + 1 - start >= MAX_TOKEN;
        const isInside = i + 1 < end && found[classes * i + TOKEN_END]! < 0.5;
        if (isInside && !isLong && this.#mayContinue(characters, i)) continue;
        ends.push(i + 1);
        start = i + 1;
      }
    }
    return Int32Array.from(ends);
  }

  /** Returns whether a token may continue after character i: only over a space that tokens had in training. */
  #mayContinue({ code, space }: Characters, i: number): boolean {
    return space[i + 1]! === 0 || this.#spacedPairs.has(spacedPair(code[i]!, code[i + 1]!));
  }

  /** Returns all tokens, with their words and the probabilities of sentence ends. */
  #tokenSpans(
    characters: Characters,
    ends: Int32Array,
    sequences: readonly Span[],
    { single, cuts }: { readonly single: ReadonlySet<number>; readonly cuts: Float32Array },
  ): ScoredToken[] {
    const { classes } = this.#tokens.shape;
    const found = this.#tokens.classify(tokenKeys(characters, ends), sequences, TOKEN_WINDOW);
    const hasParts = this.#characters.shape.classes > WORD_END;
    const tokens: ScoredToken[] = [];
    for (let t = 0, from = 0; t < ends.length; from = ends[t++]!) {
      const end = ends[t]!;
      let words: readonly string[] = SINGLE;
      if (!single.has(from)) {
        const isMultiword = classes > MULTIWORD && multiwordProbability(found, classes, t) > 0.5;
        words = hasParts
          ? this.#parts(characters, from, end, cuts)
          : this.#words(characters, from, end, isMultiword);
      }
      tokens.push({ from, end, words, breakProbability: breakProbability(found, classes, t) });
    }
    return tokens;
  }

  /** Returns the words of a token whose ends the network of characters found; empty for a single word. */
  #parts(characters: Characters, from: number, end: number, cuts: Float32Array): readonly string[] {
    const { classes } = this.#characters.shape;
    const parts: string[] = [];
    let start = from;
    for (let i = from; i < end; i++) {
      if (i + 1 < end && cuts[classes * i]! >= 0.5) continue;
      parts.push(textOf(characters, start, i + 1));
      start = i + 1;
    }
    return parts.length > 1 ? parts : SINGLE;
  }

  #words(characters: Characters, from: number, end: number, isMultiword: boolean): readonly string[] {
    const form = textOf(characters, from, end);
    return this.#splitter.split({ form, reading: readingOf(characters, from, end) }, isMultiword);
  }

  /**
   * Cuts the tokens of a paragraph into sentences.
   *
   * @param fixed whether a sentence ends at a character, where rules know
   */
  #cut(tokens: readonly ScoredToken[], fixed: ReadonlyMap<number, number>): ScoredToken[][] {
    const sentences: ScoredToken[][] = [];
    const { sentenceCost: cost } = this.#model;
    const maxTokens = this.#maxTokens;
    for (let from = 0, end = 0; from < tokens.length; from = end) {
      end = from + 1;
      while (end < tokens.length && fixed.get(tokens[end - 1]!.end) !== 1) end++;
      const part = tokens.slice(from, end);
      const breaks = Float64Array.from(part, (token) => fixed.get(token.end) ?? token.breakProbability);
      let first = 0;
      for (const next of sentenceEnds(breaks, { cost, maxTokens })) {
        sentences.push(part.slice(first, next));
        first = next;
      }
    }
    return sentences;
  }
}

/** Scripts whose sentences do not end after a letter or digit without a space. */
const SPACED = /^(?:\p{sc=Latin}|\p{sc=Greek}|\p{sc=Cyrillic}|\p{Nd})/u;
const CONTINUATION = /^[\p{L}\p{N}'\u2019?=&]/u;

/** A pictograph as the first code point of a cluster, or a flag. */
const PICTOGRAPH = /^(?:\p{Extended_Pictographic}|\p{Regional_Indicator})/u;

/**
 * Returns whether a word ends at a character and what follows without a space goes on with it, as letters after
 * letters do, and emoji after emoji.
 */
function isWithinWord(characters: Characters, end: number): boolean {
  const { length, space } = characters;
  if (end === length || space[end] !== 0) return false;
  const [before, after] = [textOf(characters, end - 1, end), textOf(characters, end, end + 1)];
  return (
    (SPACED.test(before) && CONTINUATION.test(after)) || (PICTOGRAPH.test(before) && PICTOGRAPH.test(after))
  );
}

interface ScoredToken extends TokenSpan {
  readonly breakProbability: number;
}

/** Letters before a full stop that ends a sentence at the end of a line, and no abbreviation. */
const MIN_WORD = 4;
const LOWER = /^\p{Ll}+$/u;

/** Returns spans of one token or more, as spans of characters within which tokens may end. */
function edges(characters: Characters, markers: readonly ListMarker[]): Span[] {
  return markers.flatMap(({ from, end, endsSentence }) => {
    const spans = [
      { from, end: from },
      { from: end, end },
    ];
    const word = from - 1 - MIN_WORD;
    const isStop = endsSentence && word >= 0 && textOf(characters, from - 1, from) === ".";
    if (isStop && LOWER.test(textOf(characters, word, from - 1))) spans.push({ from: from - 1, end: from });
    return spans;
  });
}

function multiwordProbability(classes: Float32Array, width: number, token: number): number {
  const at = token * width + MULTIWORD;
  return classes[at]! + classes[at + BREAK]!;
}

/**
 * Returns the probability that a sentence ends after a token, given the probabilities of the classes of all
 * tokens.
 */
export function breakProbability(classes: Float32Array, width: number, token: number): number {
  const at = token * width + BREAK;
  return classes[at]! + (width > MULTIWORD ? classes[at + MULTIWORD]! : 0);
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

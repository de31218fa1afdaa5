import { normalizeText } from "@arcwise/core";
import { paragraphsOf, sequencesOf } from "../analysis.ts";
import { characterKeys, tokenKeys } from "../features.ts";
import type { FeatureKeys } from "../network/feature-index.ts";
import type { Span } from "../network/windows.ts";
import { type Characters, textOf } from "../text/character-reader.ts";
import { LABEL_KINDS } from "../text/token-labels.ts";
import type { TreebankText } from "../text/treebank-text.ts";

/** Positions of the text of a treebank with the classes that a network learns. */
export interface LabelledPositions {
  readonly keys: FeatureKeys;
  /** Class of each position, -1 for those that do not count. */
  readonly targets: Int32Array;
  /** Auxiliary labels of each kind, one for each position. */
  readonly labels: readonly (readonly string[])[];
  readonly sequences: readonly Span[];
  /** Keys of the positions as training may read them instead: see `otherStops`. */
  readonly alternatives: readonly FeatureKeys[];
}

/** Share of tokens that have several words, or a space, from which characters decide on both. */
const MIN_SHARE = 0.1;

/** The input and the gold labels of the network of characters. */
export interface CharacterDecisions {
  /** Whether it reads the features of `WIDE_CHARACTER_FEATURES`. */
  readonly isWide: boolean;
  /** Whether it finds the words of multiword tokens. */
  readonly findsWords: boolean;
}

/**
 * Returns whether many tokens have spaces or several words, and whether words can be found as parts of tokens.
 */
export function characterDecisions({ characters, tokens, words }: TreebankText): CharacterDecisions {
  let [spaced, multiword, joined] = [0, 0, 0];
  for (const [t, own] of words.entries()) {
    const [from, end] = [tokens[t]!, tokens[t + 1]!];
    if (characters.space.subarray(from + 1, end).some((space) => space !== 0)) spaced++;
    if (own.length === 0) continue;
    multiword++;
    if (wordEnds(characters, { from, end }, own) !== undefined) joined++;
  }
  const findsWords = joined >= MIN_SHARE * words.length && joined >= 0.99 * multiword;
  return {
    isWide: findsWords || spaced >= MIN_SHARE * words.length,
    findsWords,
  };
}

/** Returns the ends of the words whose forms make up a token, or nothing if they do not. O(length). */
function wordEnds(
  characters: Characters,
  { from, end }: Span,
  words: readonly string[],
): number[] | undefined {
  const ends: number[] = [];
  let at = from;
  for (const word of words) {
    const form = normalizeText(word);
    let found = "";
    for (; at < end && found.length < form.length; at++)
      found += normalizeText(textOf(characters, at, at + 1));
    if (found !== form) return undefined;
    ends.push(at);
  }
  return at === end ? ends : undefined;
}

/**
 * Characters: 1 where a token ends, 2 where a word ends within it if the network finds words. The last one of a
 * paragraph does not count, since a token ends there.
 */
export function characterPositions(
  { characters, tokens, words }: TreebankText,
  { isWide, findsWords }: CharacterDecisions,
): LabelledPositions {
  const targets = new Int32Array(characters.length);
  for (let t = 1; t < tokens.length; t++) {
    const [from, end] = [tokens[t - 1]!, tokens[t]!];
    const parts =
      findsWords && words[t - 1]!.length > 0 ? wordEnds(characters, { from, end }, words[t - 1]!) : [];
    for (const part of parts ?? []) targets[part - 1] = 2;
    targets[end - 1] = 1;
  }
  const sequences = paragraphsOf(characters);
  for (const { end } of sequences) targets[end - 1] = -1;
  return { keys: characterKeys(characters, isWide), targets, labels: [], sequences, alternatives: [] };
}

/** Sentences of a text that marks them end with punctuation at least this often. */
const MARKED = 0.5;
const LETTER = /[\p{L}\p{N}]/u;

/** Returns whether sentences mostly end with punctuation. */
function marksSentences({ characters, tokens, sentenceEnd }: TreebankText): boolean {
  let sentences = 0;
  let marked = 0;
  for (const [t, isEnd] of sentenceEnd.entries()) {
    if (isEnd === 0) continue;
    sentences++;
    const end = tokens[t + 1]!;
    if (!LETTER.test(textOf(characters, end - 1, end))) marked++;
  }
  return marked >= MARKED * sentences;
}

/**
 * Tokens: 1 where a sentence ends, and 2 more for a multiword token. They have auxiliary labels where
 * sentences end without marks: on development data labels raise F1 of sentences by 3 points on Gothic, which
 * has no punctuation, and lower it by 2 points on French.
 */
export function tokenPositions(treebank: TreebankText): LabelledPositions {
  const { characters, tokens, sentenceEnd, words, labels } = treebank;
  const kinds = marksSentences(treebank) ? 0 : LABEL_KINDS;
  const ends = tokens.subarray(1);
  const targets = Int32Array.from(sentenceEnd, (isEnd, t) => isEnd + (words[t]!.length > 0 ? 2 : 0));
  return {
    keys: tokenKeys(characters, ends),
    targets,
    labels: Array.from({ length: kinds }, (_, k) => labels.map((own) => own[k]!)),
    sequences: sequencesOf(paragraphsOf(characters), ends),
    alternatives: otherStops(treebank),
  };
}

const STOP = 0x2e;
/** Marks that end sentences as a full stop does. */
const OTHER_STOPS = [0x21, 0x3f];
/** A mark that ends fewer sentences is learned from full stops as well. */
const MIN_ENDS = 50;

/**
 * Returns the keys of the tokens of a text whose full stops are exclamation marks, and question marks: of marks
 * that end few sentences of the text, where full stops end many. O(characters).
 */
function otherStops({ characters, tokens, sentenceEnd }: TreebankText): FeatureKeys[] {
  const stops: number[] = [];
  const ends = new Map<number, number>();
  for (const [t, isEnd] of sentenceEnd.entries()) {
    const from = tokens[t]!;
    if (tokens[t + 1]! !== from + 1) continue;
    const mark = characters.code[from]!;
    if (mark === STOP) stops.push(from);
    ends.set(mark, (ends.get(mark) ?? 0) + isEnd);
  }
  if ((ends.get(STOP) ?? 0) < MIN_ENDS) return [];
  const rare = OTHER_STOPS.filter((mark) => (ends.get(mark) ?? 0) < MIN_ENDS);
  const { length, space, paragraph, line, offset, originals } = characters;
  return rare.map((mark) => {
    const code = characters.code.slice(0, length);
    for (const at of stops) code[at] = mark;
    return tokenKeys({ length, code, space, paragraph, line, offset, originals }, tokens.subarray(1));
  });
}

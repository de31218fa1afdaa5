import { checkArgument, checkOptions, callback as isCallback, string } from "@arcwise/core/options";
import { type SentenceView, viewSentence } from "../sentence/sentence-view.ts";
import type { WordView } from "../sentence/words.ts";
import { sentencesOf } from "../sentence-check.ts";
import type { ConlluSentence } from "../types.ts";
import { parsePattern } from "./parse-pattern.ts";
import type { ParsedPattern } from "./pattern.ts";
import type { PatternWords } from "./pattern-names.ts";
import { matchesOf, SEARCH_OPTIONS, type SearchMatch, type SearchOptions } from "./search.ts";
import { SearchTree } from "./search-tree.ts";
import { vocabularyOf } from "./vocabulary.ts";

/**
 * The words that a pattern names in a match, by their names. The names of a literal pattern are known to TypeScript.
 *
 * @example
 * const show = ({ verb, object }: WordMatch<"{upos:VERB}=verb >obj {}=object">) => `${verb} ${object}`;
 */
export type WordMatch<Pattern extends string = string> = PatternWords<Pattern, WordView>;

/**
 * A pattern that finds words; `search` makes it.
 *
 * @example
 * const objects: WordSearch<"{} >obj {}=object"> = search("{} >obj {}=object");
 */
export interface WordSearch<Pattern extends string = string> {
  readonly source: Pattern;
  /**
   * Yields the matches in a sentence, or in each of several sentences, in their order. Cost as `SearchPattern`.
   *
   * @throws ArcwiseError `invalid-argument` for other values; ConlluError when a head is not a word of the sentence
   */
  in(sentences: ConlluSentence | Iterable<ConlluSentence>): WordMatches<Pattern>;
}

/**
 * The matches of a pattern, in the order of the sentences.
 *
 * @example
 * search("{pos:VERB} >dobj {}").in(sentences).notes;
 * // ["no word has xpos VERB; upos has it: {upos:VERB}", "no word has the relation dobj; did you mean obj?"]
 */
export interface WordMatches<Pattern extends string = string> extends Generator<WordMatch<Pattern>> {
  /**
   * A note on each tag, feature or relation that the pattern names and no word has, with what there is instead: often why
   * nothing is found. Reading them reads all sentences, of a generator the rest of them. O(words).
   */
  readonly notes: readonly string[];
}

/**
 * Compiles a pattern of words and relations, in the language of Semgrex, that finds words: a node `{...}=name` is
 * the member `name` of each match.
 *
 * @throws ArcwiseError `invalid-argument` at the first character that is wrong
 *
 * @example
 * const [sentence] = nlp.run("The storm damaged two houses.");
 * for (const { verb, object } of search("{upos:VERB}=verb >obj {}=object").in(sentence!)) {
 *   console.log(verb.lemma, object.phrase.text); // damage two houses
 * }
 */
export function search<const Pattern extends string>(
  pattern: Pattern,
  options?: SearchOptions,
): WordSearch<Pattern> {
  checkArgument(string, pattern, "search: pattern");
  const { unique } = checkOptions(SEARCH_OPTIONS, options, "search");
  const parsed = parsePattern(pattern);
  return {
    source: pattern,
    in(sentences) {
      const all = sentencesOf(sentences, "in");
      const vocabulary = vocabularyOf(parsed.constants);
      const notes = () => {
        for (const sentence of all) vocabulary.add(sentence);
        return vocabulary.notes();
      };
      // The sentences of a generator cannot be read again.
      const isOnce = (all[Symbol.iterator]() as unknown) === all;
      const matches = matchesIn(parsed, unique, all, isOnce ? vocabulary.add : () => {});
      return Object.defineProperty(matches, "notes", { get: notes }) as WordMatches<Pattern>;
    },
  };
}

function* matchesIn(
  pattern: ParsedPattern,
  unique: boolean,
  sentences: Iterable<ConlluSentence>,
  read: (sentence: ConlluSentence) => void,
): Generator<WordMatch> {
  for (const sentence of sentences) {
    read(sentence);
    const view = viewSentence(sentence);
    yield* wordsOf(matchesOf(pattern, new SearchTree(view), unique), view);
  }
}

function* wordsOf(matches: Iterable<SearchMatch>, { words }: SentenceView): Generator<WordMatch> {
  for (const { names } of matches) {
    yield Object.fromEntries(Object.entries(names).map(([name, position]) => [name, words[position - 1]!]));
  }
}

/**
 * Several patterns, each with a function that is called with its matches; `createMatcher` makes it.
 *
 * @example
 * const matcher: Matcher = createMatcher().on("{upos:VERB}=verb", ({ verb }) => console.log(verb.lemma));
 */
export interface Matcher {
  /**
   * Adds a pattern; returns the matcher. @throws ArcwiseError `invalid-argument` as `search`
   */
  on<const Pattern extends string>(
    pattern: Pattern,
    callback: (match: WordMatch<Pattern>, sentence: SentenceView) => void,
  ): Matcher;
  /**
   * Searches a sentence, or each of several sentences once, for all patterns; returns the number of matches. The
   * functions are called sentence by sentence, for each pattern in the order of `on`. Throws as `WordSearch.in`.
   */
  run(sentences: ConlluSentence | Iterable<ConlluSentence>): number;
}

/**
 * Returns a matcher of several patterns without any pattern yet.
 *
 * @example
 * const matcher = createMatcher()
 *   .on("{upos:VERB}=verb >obj {}=object", ({ verb, object }) => console.log("did", verb.lemma, object.text))
 *   .on("{upos:PROPN}=name", ({ name }) => console.log("name", name.text));
 * matcher.run(nlp.run("Anna wrote a letter.")); // 2; prints "did write letter" and "name Anna"
 */
export function createMatcher(options?: SearchOptions): Matcher {
  const { unique } = checkOptions(SEARCH_OPTIONS, options, "createMatcher");
  const entries: { pattern: ParsedPattern; callback: (match: WordMatch, sentence: SentenceView) => void }[] =
    [];
  return {
    on(pattern, callback) {
      checkArgument(string, pattern, "on: pattern");
      checkArgument(isCallback, callback, "on: callback");
      entries.push({ pattern: parsePattern(pattern), callback: callback as (match: object) => void });
      return this;
    },
    run(sentences) {
      let count = 0;
      for (const sentence of sentencesOf(sentences, "run")) {
        const view = viewSentence(sentence);
        const tree = new SearchTree(sentence);
        for (const { pattern, callback } of entries) {
          for (const match of wordsOf(matchesOf(pattern, tree, unique), view)) {
            count++;
            callback(match, view);
          }
        }
      }
      return count;
    },
  };
}

export { compileField, type MatchField } from "./fields.ts";
export { compilePattern, type SearchMatch, type SearchOptions, type SearchPattern } from "./search.ts";
export { searchVocabulary } from "./vocabulary.ts";
export { createMatcher, type Matcher, search, type WordMatch, type WordSearch } from "./words.ts";

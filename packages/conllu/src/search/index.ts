export { compileField, type MatchField } from "./fields.ts";
export { compilePattern, type SearchMatch, type SearchPattern } from "./search.ts";

export type { ReadOptions } from "./blocks.ts";
export { sentenceId, sentenceText } from "./comments.ts";
export { sentenceTree, sentenceWords, withTree } from "./convert.ts";
export { type Complaint, ConlluError } from "./error.ts";
export { parseConllu, readConllu } from "./read.ts";
export { RULES, type Rule, type RuleName } from "./rules.ts";
export type { Source } from "./source.ts";
export type { Columns, ConlluSentence, EmptyRow, RangeRow, Row, WordRow } from "./types.ts";
export { writeConllu, writeSentence } from "./write.ts";

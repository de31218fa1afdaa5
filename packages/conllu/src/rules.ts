/** What a finding is about. */
export interface Rule {
  /** 1 format, 2 tree, ranges, order and characters of fields, 3 universal inventories. */
  readonly level: 1 | 2 | 3;
  /** Whether the readers refuse input that breaks the rule, because they could not keep it without loss or doubt. */
  readonly refused: boolean;
  /** What the rule asks, in a few words. */
  readonly says: string;
}

const refused = (says: string): Rule => ({ level: 1, refused: true, says });
const asked = (level: 1 | 2 | 3, says: string): Rule => ({ level, refused: false, says });

/** Every rule that the readers and the validator know, by its name. */
export const RULES = {
  encoding: refused("the file is valid UTF-8"),
  "line-length": refused("no line is longer than the limit of the reader"),
  "sentence-length": refused("no sentence is longer than the limit of the reader"),
  "control-character": refused("no NUL and no carriage return inside a line"),
  "whitespace-line": refused("a line that looks empty is empty"),
  columns: refused("a row has the columns of the format, separated by single tabs"),
  "empty-field": refused("no column is empty"),
  "id-syntax": refused("an ID is a number, a range or the decimal of an empty node, without leading zeros"),
  "id-order": refused("words are numbered 1, 2, 3, ... within a sentence"),
  "range-order": refused("a range stands before its first word and covers words of the sentence, once"),
  "empty-node-order": refused("empty nodes follow their word and are numbered 1, 2, 3, ..."),
  "head-syntax": refused("HEAD is a number or an underscore, and an underscore in ranges and empty nodes"),
  "comment-place": refused("comments stand before the first row of a sentence and start with #"),
  "no-words": refused("a sentence has at least one word"),
  "byte-order-mark": asked(1, "no byte-order mark"),
  "line-ending": asked(1, "lines end in LF alone"),
  "final-newline": asked(1, "the last line ends in a line feed"),
  "final-blank-line": asked(1, "the last sentence is followed by a blank line"),
  "blank-line": asked(1, "one blank line follows a sentence, and none stands elsewhere"),
  "head-missing": asked(2, "every word has a head"),
  "head-range": asked(2, "a head is 0 or a word of the sentence"),
  "head-cycle": asked(2, "the heads lead to the root"),
} as const satisfies Readonly<Record<string, Rule>>;

export type RuleName = keyof typeof RULES;

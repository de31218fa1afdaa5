/** A rule of the format or of Universal Dependencies that findings and errors refer to. */
export interface Rule {
  /**
   * 1 format; 2 trees, ranges, IDs, texts, and the values of fields; 3 the relation of the root, the
   * direction of relations, and the children of words. The same as in the validator of Universal Dependencies.
   */
  readonly level: 1 | 2 | 3;
  /**
   * Whether the readers refuse input that breaks the rule, because it has no unambiguous, lossless reading.
   */
  readonly refused: boolean;
  /** The requirement in a few words. */
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
  "whitespace-line": refused("no line consists of white space only"),
  columns: refused("a row has the columns of the format, separated by single tabs"),
  "empty-field": refused("no column is empty"),
  "id-syntax": refused("an ID is a number, a range or the decimal of an empty node, without leading zeros"),
  "id-order": refused("words are numbered 1, 2, 3, ... within a sentence"),
  "range-order": refused("a range precedes its first word and covers words of the sentence, once"),
  "empty-node-order": refused("empty nodes follow their word and are numbered 1, 2, 3, ..."),
  "head-syntax": {
    level: 2,
    refused: true,
    says: "HEAD is a number or an underscore, and an underscore in ranges and empty nodes",
  },
  "sdp-flag": refused("TOP and PRED of SDP files are + or -"),
  "argument-columns": refused("a sentence of an SDP file has one column of arguments for each predicate"),
  "comment-place": refused("comments come before the first row of a sentence and start with #"),
  "no-words": refused("a sentence has at least one word"),
  "byte-order-mark": asked(1, "no byte-order mark"),
  "line-ending": asked(1, "lines end in LF alone"),
  "final-newline": asked(1, "the last line ends in a line feed"),
  "final-blank-line": asked(1, "the last sentence is followed by a blank line"),
  "blank-line": asked(1, "one blank line follows a sentence, and there are no others"),
  whitespace: asked(1, "spaces are single, inside FORM, LEMMA or MISC; in MISC only where a row is a range"),
  "unpaired-surrogate": asked(1, "surrogates come in pairs"),
  normalization: asked(1, "comments and columns are in Unicode normalization form C"),
  "head-missing": asked(2, "every word has a head"),
  "head-range": asked(2, "a head is 0 or a word of the sentence"),
  "head-cycle": asked(2, "the heads lead to the root"),
  "single-root": asked(2, "one word has head 0"),
  "root-label": asked(3, "a word has the relation root if, and only if, its head is 0"),
  "sentence-id": asked(
    2,
    "a sentence has one comment # sent_id = ..., without spaces, with one slash at most",
  ),
  "sentence-id-unique": asked(2, "no two sentences of a file have the same sent_id"),
  "parallel-id": asked(2, "a comment # parallel_id = ... names a corpus and a sentence, and comes once"),
  "parallel-id-unique": asked(2, "no two sentences of a file have the same parallel_id"),
  "parallel-id-order": asked(2, "alternatives and parts of a parallel sentence are numbered 1, 2, 3, ..."),
  "text-comment": asked(2, "a sentence has one comment # text = ..."),
  "text-match": asked(2, "the forms and SpaceAfter=No spell the text"),
  breaks: asked(2, "one newdoc and one newpar a sentence, and no SpaceAfter=No at the token before them"),
  "space-after": asked(2, "SpaceAfter is No, and only on tokens of the text"),
  "range-columns": asked(2, "a range has FORM and MISC, and FEATS only for Typo=Yes"),
  "empty-node-columns": asked(2, "an empty node has DEPS and no DEPREL"),
  "deprel-characters": asked(2, "DEPREL consists of lower-case letters, with a subtype after a colon"),
  "feats-characters": asked(2, "FEATS are Name=Value pairs joined by bars, of ASCII letters and digits"),
  "feats-order": asked(2, "FEATS and their values are sorted, ignoring case"),
  "feats-unique": asked(2, "no feature and no value of a feature is repeated"),
  "misc-characters": asked(2, "MISC repeats no attribute with a single value; its order is free"),
  "deps-characters": asked(2, "DEPS are head:relation pairs joined by bars"),
  "deps-order": asked(2, "DEPS are sorted by head, then relation, and not repeated"),
  "deps-head": asked(2, "heads in DEPS are 0 or other nodes of the sentence"),
  "deps-root": asked(3, "a relation in DEPS is root if, and only if, its head is 0"),
  "deps-everywhere": asked(2, "all nodes of a file have DEPS, or none"),
  "deps-paths": asked(2, "paths through empty nodes are few; checked where they become labels"),
  "deps-connected": asked(2, "every node of the enhanced graph can be reached from the root"),
  "upos-inventory": asked(2, "UPOS is one of the 17 universal tags"),
  "deprel-inventory": asked(2, "DEPREL begins with one of the 37 universal relations"),
  "deprel-direction": asked(3, "conj, appos, fixed, flat and goeswith have their heads to the left"),
  "deprel-children": asked(
    3,
    "case, mark, clf, aux, cop, det, cc, fixed, goeswith and punct have only the children that guidelines allow",
  ),
  "deprel-repeated": asked(3, "a word has one subject that is not an outer one, and one object, at most"),
  "deps-inventory": asked(2, "relations in DEPS begin with a universal relation or ref"),
} as const satisfies Readonly<Record<string, Rule>>;

/** The name of a rule of the validator. */
export type RuleName = keyof typeof RULES;

import { SEARCHED_TAGS } from "./inventory.ts";

/** A rule of the format or of Universal Dependencies that findings and errors refer to. */
export interface Rule {
  /**
   * As in the validator of Universal Dependencies. 1: format; 2: trees, IDs, texts, and the form of fields; 3: the
   * guidelines of all languages; 4: features and relations of a language; 5: its auxiliaries and copulas.
   */
  readonly level: Level;
  /** Warnings do not make a file invalid. */
  readonly severity: "error" | "warning";
  /**
   * Whether the readers refuse input that breaks the rule, because it has no unambiguous, lossless reading;
   * "partly" if they accept some of it.
   */
  readonly refused: boolean | "partly";
  /** Whether the rule is not a test of the validator of Universal Dependencies, but belongs to these readers. */
  readonly own: boolean;
  /** Whether parsers that search for valid trees keep the rule; the validator reports every rule. */
  readonly searched: boolean;
  /** The requirement in a few words. */
  readonly says: string;
}

/** A level of validity. */
export type Level = 1 | 2 | 3 | 4 | 5;

const rule = (level: Level, says: string, others: Partial<Rule> = {}): Rule => ({
  ...{ level, severity: "error", refused: false, own: false, searched: false, says },
  ...others,
});
const own = (says: string, others: Partial<Rule> = {}) =>
  rule(1, says, { own: true, refused: true, ...others });
const refused = (says: string, refused: true | "partly" = true) => rule(1, says, { refused });
const warning = (level: Level, says: string) => rule(level, says, { severity: "warning" });

const searched = (says: string) => rule(3, says, { searched: true });
const ofTags = (relation: string, says: string) => rule(3, says, { searched: SEARCHED_TAGS.has(relation) });
const tagged = (relation: string, tags: string) =>
  ofTags(relation, `the tag of a word with ${relation} is ${tags}`);
const untagged = (relation: string, tags: string) =>
  ofTags(relation, `the tag of a word with ${relation} is not ${tags}`);
const leftHead = (relation: string) => searched(`the head of ${relation} is to the left`);
const leaf = (relations: string) =>
  searched(`words with ${relations} have only the children that guidelines allow`);

/**
 * Every rule that the readers and the validator know, by its name: the test ID of `validate.py`, the validator of
 * Universal Dependencies, unless the rule is `own`.
 */
export const RULES = {
  encoding: own("the file is valid UTF-8"),
  "line-length": own("no line is longer than the limit of the reader"),
  "sentence-length": own("no sentence is longer than the limit of the reader"),
  "control-character": own("no NUL and no carriage return inside a line"),
  "unpaired-surrogate": own("surrogates come in pairs", { refused: false }),
  "sdp-flag": own("TOP and PRED of SDP files are + or -"),
  "argument-columns": own("a sentence of an SDP file has one column of arguments for each predicate"),
  "deps-paths": own("paths through empty nodes are few; checked where they become labels", {
    refused: false,
  }),

  "invalid-line": refused("a line is empty, a comment, or a row that begins with a digit", "partly"),
  "pseudo-empty-line": refused("no line consists of white space only"),
  "misplaced-comment": refused("comments come before the first row of a sentence and start with #"),
  "empty-sentence": refused("a sentence has a word, and one blank line ends it", "partly"),
  "missing-empty-line": rule(1, "a blank line follows the last sentence"),
  "non-unix-newline": rule(1, "lines end in LF alone"),
  "number-of-columns": refused("a row has the columns of the format, separated by single tabs"),
  "empty-column": refused("no column is empty"),
  "leading-whitespace": rule(1, "no column begins with white space"),
  "trailing-whitespace": rule(1, "no column ends with white space"),
  "repeated-whitespace": rule(1, "white space in a column is single"),
  "invalid-whitespace": rule(1, "white space is in FORM, LEMMA and MISC only"),
  "invalid-whitespace-mwt": rule(1, "FORM and LEMMA of a range have no white space"),
  "unicode-normalization": rule(1, "lines are in Unicode normalization form C"),
  "invalid-word-id": refused(
    "an ID is a number, a range or the decimal of an empty node, without leading zeros",
  ),
  "word-id-sequence": refused("words are numbered 1, 2, 3, ... within a sentence"),
  "misplaced-word-interval": refused("a range precedes its first word"),
  "reversed-word-interval": refused("a range ends at its first word or later"),
  "word-interval-out": refused("a range covers words of the sentence"),
  "overlapping-word-intervals": refused("no word is in two ranges"),
  "misplaced-empty-node": refused("empty nodes follow their word and are numbered 1, 2, 3, ..."),

  "mwt-nonempty-field": rule(2, "a range has FORM and MISC, and FEATS only for Typo=Yes", {
    refused: "partly",
  }),
  "empty-node-nonempty-field": rule(2, "an empty node has no HEAD and no DEPREL", { refused: "partly" }),
  "unknown-upos": rule(2, "UPOS is one of the 17 universal tags"),
  "invalid-feature": rule(2, "FEATS are Name=Value pairs joined by bars, of ASCII letters and digits"),
  "unsorted-features": rule(2, "FEATS are sorted, ignoring case"),
  "unsorted-feature-values": rule(2, "the values of a feature are sorted, ignoring case"),
  "repeated-feature": rule(2, "no feature is repeated"),
  "repeated-feature-value": rule(2, "no value of a feature is repeated"),
  "invalid-deprel": rule(2, "DEPREL consists of lower-case letters, with a subtype after a colon"),
  "unknown-udeprel": rule(2, "DEPREL begins with one of the 37 universal relations"),
  "invalid-head": rule(2, "HEAD is a number", { refused: "partly" }),
  "unknown-head": rule(2, "HEAD is 0 or a word of the sentence"),
  "head-self-loop": rule(2, "HEAD is another word"),
  "multiple-roots": rule(2, "one word has head 0"),
  "non-tree": rule(2, "the heads lead to the root"),
  "invalid-deps": rule(2, "DEPS are head:relation pairs joined by bars"),
  "invalid-ehead": rule(2, "heads in DEPS are numbers of words or empty nodes"),
  "unknown-ehead": rule(2, "heads in DEPS are 0 or nodes of the sentence"),
  "deps-self-loop": rule(2, "heads in DEPS are other nodes"),
  "unsorted-deps": rule(2, "DEPS are sorted by head"),
  "unsorted-deps-2": rule(2, "DEPS with the same head are sorted by relation"),
  "repeated-deps": rule(2, "DEPS are not repeated"),
  "invalid-edeprel": rule(2, "relations in DEPS are words in lower case, joined by colons"),
  "unknown-eudeprel": rule(2, "relations in DEPS begin with a universal relation or ref"),
  "unconnected-egraph": rule(2, "every node of the enhanced graph can be reached from the root"),
  "edeps-only-sometimes": rule(2, "all sentences of a file have DEPS, or none"),
  "repeated-misc": rule(2, "MISC repeats no attribute that has one value"),
  "empty-misc": warning(2, "no item of MISC is empty"),
  "empty-misc-key": warning(2, "attributes of MISC have names"),
  "misc-extra-space": warning(2, "names and values of MISC have no white space around them"),
  "misc-attr-typo": warning(2, "attributes of MISC that Universal Dependencies defines are written as there"),
  "missing-sent-id": rule(2, "a sentence has a comment # sent_id = ..."),
  "multiple-sent-id": rule(2, "a sentence has one comment # sent_id = ..."),
  "invalid-sent-id": rule(2, "a sent_id has no white space"),
  "slash-in-sent-id": rule(2, "a sent_id has no slash; one if the language is not given"),
  "non-unique-sent-id": rule(2, "no two sentences of a file have the same sent_id"),
  "invalid-parallel-id": rule(2, "a comment # parallel_id = ... names a corpus and a sentence"),
  "multiple-parallel-id": rule(2, "a sentence has one comment # parallel_id = ..."),
  "non-unique-parallel-id": rule(2, "no two sentences of a file have the same parallel_id"),
  "parallel-id-alt": rule(2, "alternatives of a parallel sentence are numbered 1, 2, 3, ..."),
  "parallel-id-part": rule(2, "parts of a parallel sentence are numbered 1, 2, 3, ..."),
  "missing-text": rule(2, "a sentence has a comment # text = ..."),
  "multiple-text": rule(2, "a sentence has one comment # text = ..."),
  "empty-text": rule(2, "the text is not empty"),
  "text-trailing-whitespace": rule(2, "the text does not end with white space"),
  "text-form-mismatch": rule(2, "the forms of the tokens spell the text"),
  "text-extra-chars": rule(2, "the text ends with the last token"),
  "missing-spaceafter": rule(2, "a token that no space follows has SpaceAfter=No"),
  "spaceafter-value": rule(2, "the value of SpaceAfter is No"),
  "nospaceafter-yes": rule(2, "MISC has SpaceAfter=No, not NoSpaceAfter=Yes"),
  "spaceafter-empty-node": rule(2, "empty nodes have no SpaceAfter"),
  "spaceafter-mwt-node": rule(2, "words of a range have no SpaceAfter; the range has it"),
  "spaceafter-newdocpar": rule(2, "no SpaceAfter=No at the token before newdoc or newpar"),
  "multiple-newdoc": rule(2, "a sentence has one comment # newdoc"),
  "multiple-newpar": rule(2, "a sentence has one comment # newpar"),

  "0-is-not-root": searched("the relation to head 0 is root"),
  "root-is-not-0": searched("the head of root is 0"),
  "enhanced-0-is-not-root": rule(3, "the relation to head 0 in DEPS is root"),
  "enhanced-root-is-not-0": rule(3, "the head of root in DEPS is 0"),
  "edeps-identical-to-basic-trees": rule(3, "DEPS of a file are not all the same as HEAD and DEPREL"),
  "empty-node-after-eorphan": rule(3, "a file with empty nodes has no orphan in DEPS before them"),
  "eorphan-after-empty-node": rule(3, "a file with empty nodes has no orphan in DEPS after them"),
  // Of the rest, the search for valid trees leaves out tests that not every sentence can keep with its candidate arcs
  // (upos-rel-punct, punct-*) or whose repairs are not independent (obl-should-be-nmod).
  "rel-upos-advmod": tagged("advmod", "ADV, ADJ, CCONJ, DET, PART or SYM"),
  "rel-upos-aux": tagged("aux", "AUX"),
  "rel-upos-case": untagged("case", "PROPN, ADJ, PRON, DET, NUM or AUX"),
  "rel-upos-cc": untagged("cc", "NOUN, PROPN, ADJ, PRON, DET, NUM, VERB, AUX or INTJ"),
  "rel-upos-cop": tagged("cop", "AUX, PRON, DET or SYM"),
  "rel-upos-det": tagged("det", "DET or PRON"),
  "rel-upos-expl": tagged("expl", "PRON, DET or PART"),
  "rel-upos-fixed": ofTags("fixed", "words with fixed, and their heads, are not PROPN"),
  "rel-upos-mark": untagged("mark", "NOUN, PROPN, ADJ, PRON, DET, NUM, AUX or INTJ"),
  "rel-upos-nummod": tagged("nummod", "NUM, NOUN or SYM"),
  "rel-upos-punct": tagged("punct", "PUNCT"),
  "upos-rel-punct": rule(3, "the relation of a word with the tag PUNCT is punct or root"),
  "right-to-left-appos": leftHead("appos"),
  "right-to-left-conj": leftHead("conj"),
  "right-to-left-fixed": leftHead("fixed"),
  "right-to-left-flat": leftHead("flat"),
  "right-to-left-goeswith": leftHead("goeswith"),
  "leaf-aux-cop": leaf("aux and cop"),
  "leaf-cc": leaf("cc"),
  "leaf-clf": leaf("clf"),
  "leaf-det": leaf("det"),
  "leaf-fixed": leaf("fixed"),
  "leaf-goeswith": leaf("goeswith"),
  "leaf-mark-case": leaf("mark and case"),
  "leaf-punct": leaf("punct"),
  "too-many-subjects": searched("a word has at most one subject that is not an outer one"),
  "too-many-objects": searched("a word has at most one object"),
  "obl-should-be-nmod": rule(3, "a nominal that is not a predicate has no obl"),
  "orphan-parent": warning(3, "the head of orphan is conj or the head of a clause"),
  "fixed-gap": warning(3, "between the words of a fixed expression there is only punctuation"),
  "fixed-without-extpos": warning(3, "the head of fixed has the feature ExtPos"),
  "goeswith-gap": rule(3, "the parts of goeswith are neighbours"),
  "goeswith-nospace": rule(3, "spaces separate the parts of goeswith"),
  "goeswith-missing-typo": rule(3, "the head of goeswith has Typo=Yes, in files with features"),
  "goeswith-lemma": rule(3, "a word with goeswith has no lemma"),
  "goeswith-upos": tagged("goeswith", "X"),
  "goeswith-feats": rule(3, "a word with goeswith has no features"),
  "goeswith-edeps": rule(3, "a word with goeswith has no other relation in DEPS"),
  "punct-causes-nonproj": rule(3, "punctuation makes no other arc non-projective"),
  "punct-is-nonproj": rule(3, "arcs of punctuation are projective"),
  "flat-foreign-upos-feats": warning(3, "words of flat:foreign have the tag X and Foreign=Yes alone"),
  "pron-det-without-prontype": warning(3, "PRON and DET have the feature PronType, in files with features"),
  "verbform-fin-without-mood": warning(3, "words with VerbForm=Fin have the feature Mood"),

  "invalid-word-with-space": rule(4, "words with spaces are among the language's"),
  "feature-unknown": rule(4, "the language documents the feature"),
  "feature-not-permitted": rule(4, "the language permits the feature"),
  "feature-value-unknown": rule(4, "the language documents the value of the feature"),
  "feature-upos-not-permitted": rule(4, "the language permits the feature with the tag"),
  "feature-value-upos-not-permitted": rule(4, "the language permits the value of the feature with the tag"),
  "mwt-typo-repeated-at-word": rule(4, "Typo is at a range or at its words"),
  "unknown-deprel": rule(4, "the language permits the relation"),
  "unknown-edeprel": rule(4, "the language permits the relation in DEPS"),
  "aux-lemma": rule(5, "the lemma of AUX is an auxiliary of the language"),
  "cop-lemma": rule(5, "the lemma of cop is a copula of the language"),
} as const satisfies Readonly<Record<string, Rule>>;

/** The name of a rule of the validator. */
export type RuleName = keyof typeof RULES;

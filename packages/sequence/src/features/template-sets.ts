import type { DictionaryLevel } from "./dictionary.ts";
import { numbered, type SequenceTemplate } from "./templates.ts";

const around = (attribute: string, ...offsets: number[]): SequenceTemplate[] =>
  offsets.map((offset) => (offset === 0 ? attribute : `${attribute}${offset > 0 ? "+" : ""}${offset}`));

/**
 * Features of part-of-speech taggers after Ratnaparkhi 1996 (table 1), which Collins 2002 uses as well: words
 * of a window, the previous tags, and for rare words their affixes, digits, capitals and hyphens.
 */
export const RATNAPARKHI_TEMPLATES: readonly SequenceTemplate[] = [
  "frequent form",
  ...numbered("rare prefix", 4),
  ...numbered("rare suffix", 4),
  "rare digit",
  "rare capital",
  "rare hyphen",
  ...around("form", -2, -1, 1, 2),
  "label-1",
  "label-1 label-2",
];

/**
 * Features of taggers without tags as input: words and pairs of words of a window, and affixes and shapes of
 * all words.
 */
export const TAGGING_TEMPLATES: readonly SequenceTemplate[] = [
  "bias",
  "form",
  ...around("word", -2, -1, 0, 1, 2),
  "word-1 word",
  "word word+1",
  "word-1 word+1",
  "word-2 word-1",
  "word+1 word+2",
  ...numbered("prefix", 4),
  ...numbered("suffix", 5),
  ...around("shape", -1, 0, 1),
  "shape suffix3",
  "capital suffix2",
  "word-1 suffix3",
  "suffix3 word+1",
  ...around("suffix3", -2, -1, 1, 2),
  ...around("suffix2", -1, 1),
  "suffix2-1 suffix2+1",
  "suffix3-1 suffix3",
  "suffix3 suffix3+1",
  "capital-1 capital capital+1",
  "digit",
  "hyphen",
  "label-1",
];

/** Features of fine tags and morphology where universal tags are known. */
export const MORPHOLOGY_TEMPLATES: readonly SequenceTemplate[] = [
  "bias",
  "form",
  ...around("word", -1, 0, 1),
  "upos",
  "word upos",
  "suffix3 upos",
  "suffix2 upos",
  "word-1 upos",
  "upos word+1",
  "upos-1 upos",
  "upos upos+1",
  "upos-1 upos upos+1",
  "upos-2 upos-1 upos",
  "word-1 word",
  "word word+1",
  "prefix1",
  "prefix3",
  ...numbered("suffix", 5),
  "suffix3-1 suffix3",
  "shape",
  "capital upos",
  "digit",
  "label-1",
];

/** Features of chunkers, after Sha and Pereira 2003 (tables 1 and 2): words, tags and pairs of labels. */
export const CHUNKING_TEMPLATES: readonly SequenceTemplate[] = [
  "bias",
  ...around("form", -2, -1, 0, 1, 2),
  "form-1 form",
  "form form+1",
  ...around("xpos", -3, -2, -1, 0, 1, 2, 3),
  "xpos-2 xpos-1",
  "xpos-1 xpos",
  "xpos xpos+1",
  "xpos+1 xpos+2",
  "xpos-2 xpos-1 xpos",
  "xpos-1 xpos xpos+1",
  "xpos xpos+1 xpos+2",
  "label-1",
  "label-1 form",
  "label-1 xpos",
  "label-1 xpos-1 xpos",
];

/** Features of named-entity recognisers: words, tags, shapes and affixes of a window. */
export const NAMES_TEMPLATES: readonly SequenceTemplate[] = [
  "bias",
  ...around("form", -2, -1, 0, 1, 2),
  ...around("word", -1, 0, 1),
  ...around("xpos", -2, -1, 0, 1, 2),
  "xpos-1 xpos",
  "xpos xpos+1",
  ...around("shape", -2, -1, 0, 1, 2),
  ...around("capital", -2, -1, 0, 1, 2),
  "shape-1 shape",
  "shape shape+1",
  "shape-1 shape shape+1",
  "prefix2",
  "prefix3",
  "prefix4",
  "prefix5",
  "suffix2",
  "suffix3",
  "suffix4",
  "suffix5",
  "form-1 form",
  "form form+1",
  "form-1 shape",
  "shape form+1",
  "form-2 form-1 shape",
  "shape form+1 form+2",
  "digit",
  "hyphen",
  "label-1",
  "label-1 form",
  "label-1 shape",
  "label-1 form-1",
];

/**
 * Features of one gazetteer, counted from 1: positions of nearby words in its names, alone and with spelling and the
 * previous label, and words that begin its names.
 *
 * @example
 * import { createLabeller, gazetteerTemplates, type LabelledSentence, trainChain } from "@arcwise/sequence";
 *
 * const examples: LabelledSentence[] = ["Ada/B went/O to/O Rome/O", "Oslo/O met/O Grace/B Hopper/I"].map((line) => {
 *   const words = line.split(" ").map((word) => word.split("/") as [form: string, label: string]);
 *   return { sentence: words.map(([form]) => ({ form })), labels: words.map(([, label]) => label) };
 * });
 * const model = await trainChain(examples, {
 *   templates: ["bias", "label-1", ...gazetteerTemplates(1)],
 *   gazetteers: [{ names: ["Ada Lovelace", "Ada", "Grace Hopper", "Alan Turing"] }],
 * });
 * const sentence = "Oslo and Alan Turing".split(" ").map((form) => ({ form }));
 * console.log(createLabeller(model).label(sentence).join(" ")); // O O B I
 */
export function gazetteerTemplates(number: number): readonly SequenceTemplate[] {
  const [list, first] = [`list${number}`, `first${number}`];
  return [
    ...around(list, -1, 0, 1),
    `${list} shape`,
    `${list} label-1`,
    `${list}-1 ${list}`,
    first,
    `${first} shape+1`,
    `${first}-1`,
  ];
}

/** Candidate tags: those seen with a word, or else with similar rare words. */
export const TAG_DICTIONARY: readonly DictionaryLevel[] = [
  { template: "frequent form", minimum: 5 },
  { template: "rare suffix3 capital digit hyphen", minimum: 20 },
  { template: "rare suffix2 capital digit hyphen", minimum: 20 },
  { template: "rare suffix1 capital digit hyphen", minimum: 10 },
];

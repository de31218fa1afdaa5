import type { Template } from "./templates.ts";

/** Templates of the word before the head or modifier, for words after punctuation and function words. */
const BEFORE_TEMPLATES: readonly Template[] = [
  "h.upos m.lemma m+1.upos",
  "h.upos m.lemma m+1.lemma",
  "h.upos m-1.upos m.lemma m+1.upos",
  "h.upos m.lemma between.upos",
];

/**
 * The features of arcs. Features of one word are computed once a word, so that they cost almost nothing;
 * features of both words are computed for every arc.
 */
export const ARC_TEMPLATES: readonly Template[] = [
  // The head, the modifier, and their surroundings
  ...["h", "m"].flatMap((x) => [
    `${x}.word`,
    `${x}.lemma`,
    `${x}.upos`,
    `${x}.xpos`,
    `${x}.word ${x}.upos`,
    `${x}.lemma ${x}.xpos`,
    `${x}.upos ${x}.feats`,
    `${x}.prefix ${x}.upos`,
    `${x}.suffix ${x}.upos`,
    `${x}.ending ${x}.upos`,
    `${x}.shape ${x}.upos`,
    `${x}.marker ${x}.upos`,
    `${x}.marker ${x}.lemma`,
    `${x}-1.upos ${x}.upos`,
    `${x}.upos ${x}+1.upos`,
    `${x}-1.upos ${x}.upos ${x}+1.upos`,
    `${x}-1.xpos ${x}.xpos ${x}+1.xpos`,
    `${x}-1.lemma ${x}.upos`,
    `${x}.upos ${x}+1.lemma`,
  ]),
  "h.upos h.feat",
  "m.upos m.feat",

  // Both words
  "h.word m.word",
  "h.word m.upos",
  "h.upos m.word",
  "h.lemma m.lemma",
  "h.lemma m.upos",
  "h.upos m.lemma",
  "h.lemma m.xpos",
  "h.xpos m.lemma",
  "h.lemma h.xpos m.lemma m.xpos",
  "h.upos m.upos",
  "h.xpos m.xpos",

  // Morphology
  "h.upos h.feats m.upos m.feats",
  "h.feats m.upos",
  "h.upos m.feats",
  "h.lemma m.feats",
  "h.feats m.lemma",
  "h.lemma m.upos m.case",
  "h.lemma h.case m.lemma m.case",
  "h.upos h.case m.upos m.case",
  "h.upos h.feat m.upos m.feat",
  "h.upos h.feat m.upos",
  "h.upos m.upos m.feat",

  // Affixes and shapes
  "h.suffix m.suffix",
  "h.upos m.upos m.suffix",
  "h.upos h.suffix m.upos",
  "h.prefix h.upos m.prefix m.upos",
  "h.lemma m.suffix",
  "h.suffix m.lemma",
  "h.shape h.upos m.shape m.upos",

  // Markers of phrases
  "h.upos m.upos m.marker",
  "h.lemma m.upos m.marker",
  "h.lemma m.marker m.lemma",
  "h.upos m.lemma m.marker",
  "h.upos h.marker m.upos",
  "h.upos h.marker m.upos m.marker",
  "h.marker m.lemma m.upos",

  // Surroundings of both
  "h.upos h+1.upos m-1.upos m.upos",
  "h-1.upos h.upos m-1.upos m.upos",
  "h.upos h+1.upos m.upos m+1.upos",
  "h-1.upos h.upos m.upos m+1.upos",
  "h.upos h+1.upos m.upos",
  "h-1.upos h.upos m.upos",
  "h.upos m-1.upos m.upos",
  "h.upos m.upos m+1.upos",
  "h.xpos h+1.xpos m-1.xpos m.xpos",
  "h-1.xpos h.xpos m-1.xpos m.xpos",
  "h.xpos h+1.xpos m.xpos m+1.xpos",
  "h-1.xpos h.xpos m.xpos m+1.xpos",
  "h-1.upos h.upos h+1.upos m-1.upos m.upos m+1.upos",
  "h.upos m-1.lemma m.upos",
  "h.upos m.upos m+1.lemma",
  "h-1.lemma h.upos m.upos",
  "h.upos h+1.lemma m.upos",
  "h.lemma m-1.upos m.upos",
  "h.lemma m.upos m+1.upos",
  "h.upos h+1.upos m.lemma",
  "h-1.upos h.upos m.lemma",

  // What stands between
  "h.upos between.upos m.upos",
  "h.xpos between.upos m.xpos",
  "h.upos m.upos count.verb",
  "h.upos m.upos count.noun",
  "h.upos m.upos count.punctuation",
  "h.upos m.upos count.conjunction",
  "h.lemma m.upos count.verb",
  "h.upos m.lemma count.verb",
  "h.upos m.lemma count.punctuation",
  "h.lemma m.upos count.punctuation",
  ...BEFORE_TEMPLATES,
];

/**
 * Templates that first-order models omit: they take a fifth of the time of scoring and add almost nothing.
 */
const DISPENSABLE: ReadonlySet<Template> = new Set([
  "h.suffix m.suffix",
  "h.prefix h.upos m.prefix m.upos",
  "h.lemma m.suffix",
  "h.suffix m.lemma",
  "h.shape h.upos m.shape m.upos",
  "h.lemma h.xpos m.lemma m.xpos",
  "h.lemma h.case m.lemma m.case",
  "h.marker m.lemma m.upos",
  "h.upos m.lemma count.punctuation",
  "h.lemma m.upos count.punctuation",
  "h.xpos between.upos m.xpos",
  "h.lemma m-1.upos m.upos",
  "h.lemma m.upos m+1.upos",
  "h.upos h+1.upos m.lemma",
  "h-1.upos h.upos m.lemma",
]);

/** The feature set of first-order models, which is chosen for speed. */
export const LEAN_ARC_TEMPLATES: readonly Template[] = ARC_TEMPLATES.filter(
  (template) => !DISPENSABLE.has(template) && !BEFORE_TEMPLATES.includes(template),
);

/** The feature set of the pruner, which scores all pairs of words: few templates. */
export const PRUNER_TEMPLATES: readonly Template[] = [
  ...["h", "m"].flatMap((x) => [
    `${x}.word`,
    `${x}.lemma ${x}.upos`,
    `${x}.upos`,
    `${x}.upos ${x}.feats`,
    `${x}.xpos`,
    `${x}.marker ${x}.upos`,
    `${x}-1.upos ${x}.upos ${x}+1.upos`,
    `${x}-1.lemma ${x}.upos`,
    `${x}.upos ${x}+1.lemma`,
    `${x}.suffix ${x}.upos`,
  ]),
  "h.upos m.upos",
  "h.xpos m.xpos",
  "h.lemma m.upos",
  "h.upos m.lemma",
  "h.lemma m.lemma",
  "h.upos h.case m.upos m.case",
  "h.upos h.feats m.upos m.feats",
  "h.lemma m.upos m.feats",
  "h.upos m.upos m.suffix",
  "h.upos h.suffix m.upos",
  "h.lemma m.upos m.marker",
  "h.upos m-1.lemma m.upos",
  "h.upos m.upos m+1.lemma",
  "h-1.lemma h.upos m.upos",
  "h.upos h+1.lemma m.upos",
  "h.upos h+1.upos m-1.upos m.upos",
  "h-1.upos h.upos m.upos m+1.upos",
  "h-1.upos h.upos m-1.upos m.upos",
  "h.upos h+1.upos m.upos m+1.upos",
  "h.upos m.upos m.marker",
  "h.upos h.marker m.upos m.marker",
  "h.upos between.upos m.upos",
  "h.upos m.upos count.verb",
  "h.upos m.upos count.noun",
  "h.upos m.upos count.punctuation",
  "h.upos m.upos count.conjunction",
];

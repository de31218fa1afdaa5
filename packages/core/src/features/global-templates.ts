import type { Anchor, Template } from "./templates.ts";

/**
 * What global features look at. A view is a place in a tree, told by up to four numbers (its arguments);
 * templates name the words of the view; the pattern and the bucket are seen by all of its templates, the
 * bucket as a place in the line.
 *
 * | view | one for each | arguments | words | pattern | bucket |
 * |---|---|---|---|---|---|
 * | `valency` | word and the root | h, number of modifiers to the left, to the right | h | both numbers, up to 3 | their sum |
 * | `leftTags`, `rightTags` | head with modifiers on the side | h, code of their tags in order, number | h | the code | the number |
 * | `span` | word m | its head h, m, first and last word below m | h, m; a and b, the words outside the span next to it | direction | length |
 * | `phrase` | word m with an adposition (or subordinator) p | h, p, m | h, p, m | directions | distance of h and m |
 * | `coordination` | word m with a coordinator c before it | h, c, m, last word below m | h, c, m | which of tag, case and features h and m share | whose right part is longer |
 * | `crossing` | arc h -> m, as many times as arcs cross it | h, m | h, m | direction | length |
 * | `pair` | pair of brackets, quotes or commas a, b | a, b, and their heads g, h | a, b, g, h | whether g = h; which of them stand between a and b | distance of a and b |
 * | `shape` | sentence, three times | 0, arcs from the root to the last word; 1, arcs to the right; 2, crossings | the last word m | which, length of the sentence | share, number |
 *
 * A modifier tagged CCONJ to the left of m is its coordinator (the first of several); where there is none,
 * the first PUNCT: Universal Dependencies hang both on the following conjunct, and that on the first. The
 * last word of `shape` is the last that is not punctuation; the arcs above it tell how far a tree branches to
 * the right (Charniak and Johnson 2005). Tags in `leftTags` and `rightTags` are taken once where they repeat
 * in a row.
 */
export const GLOBAL_VIEWS = [
  "valency",
  "leftTags",
  "rightTags",
  "span",
  "phrase",
  "coordination",
  "crossing",
  "pair",
  "shape",
] as const;
export type GlobalView = (typeof GLOBAL_VIEWS)[number];

/** The words of each view, in their order. */
export const GLOBAL_WORDS: Readonly<Record<GlobalView, readonly Anchor[]>> = {
  valency: ["h"],
  leftTags: ["h"],
  rightTags: ["h"],
  span: ["h", "m", "a", "b"],
  phrase: ["h", "p", "m"],
  coordination: ["h", "c", "m"],
  crossing: ["h", "m"],
  pair: ["a", "b", "g", "h"],
  shape: ["m"],
};

/**
 * The features of whole trees, on one page, after those of Zhang, Lei, Barzilay and Jaakkola, "Greed is Good
 * if Randomized" (EMNLP 2014), for trees of Universal Dependencies.
 */
export const GLOBAL_TEMPLATES: Readonly<Record<GlobalView, readonly Template[]>> = {
  valency: ["h.upos", "h.xpos", "h.lemma", "h.upos h.feats", "h.upos h.marker", "h-1.upos h.upos h+1.upos"],
  leftTags: ["h.upos", "h.xpos", "h.lemma", "h.upos h.case"],
  rightTags: ["h.upos", "h.xpos", "h.lemma", "h.upos h.case"],
  span: [
    "m.upos",
    "h.upos m.upos",
    "h.lemma m.upos",
    "h.upos m.lemma",
    "m.upos a.upos",
    "m.upos b.upos",
    "m.upos a.upos b.upos",
    "h.upos m.upos a.upos b.upos",
    "h.upos m.upos b.lemma",
    "h.upos m.upos a.lemma",
  ],
  phrase: [
    "h.lemma p.lemma m.lemma",
    "h.lemma p.lemma m.upos",
    "h.upos p.lemma m.lemma",
    "h.upos p.lemma m.upos",
    "h.lemma p.lemma",
    "h.upos p.lemma m.case",
    "h.suffix p.lemma m.upos",
  ],
  coordination: [
    "h.upos m.upos",
    "h.upos c.lemma m.upos",
    "h.upos h.case m.upos m.case",
    "h.upos h.feats m.upos m.feats",
    "h.lemma m.lemma",
    "h.lemma m.upos",
    "h.upos m.lemma",
    "h.suffix c.upos m.suffix",
    "h.upos h.marker m.upos m.marker",
    "h.upos c-1.upos m.upos",
  ],
  crossing: ["m.upos", "h.upos m.upos", "h.lemma m.upos", "h.upos m.lemma", "h.upos m.upos m.feats"],
  pair: ["a.lemma b.lemma", "a.lemma g.upos h.upos", "b.lemma h.upos", "a.lemma g.lemma"],
  shape: ["m.upos", "m+1.lemma"],
};

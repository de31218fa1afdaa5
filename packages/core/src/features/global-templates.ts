import type { Anchor, Template } from "./templates.ts";

/**
 * The views of a tree that global features look at.
 *
 * A view is a spot in a tree, given by up to four integers: its arguments. Templates name the words of the
 * view. All templates of a view see its pattern and its bucket; the bucket is an offset in the line of
 * weights.
 *
 * - `valency`: one for each word and the root. Arguments: h, number of modifiers to the left, to the right.
 *   Words: h. Pattern: both numbers, up to 3. Bucket: their sum.
 * - `leftTags`, `rightTags`: one for each head with modifiers on that side. Arguments: h, code of their tags
 *   in order, their number. Words: h. Pattern: the code. Bucket: the number.
 * - `span`: one for each word m. Arguments: its head h, m, first and last word below m. Words: h, m; a and b,
 *   the words next to the span on both sides. Pattern: direction. Bucket: length.
 * - `phrase`: one for each word m with an adposition (or subordinator) p. Arguments: h, p, m. Words: h, p, m.
 *   Pattern: directions. Bucket: distance of h and m.
 * - `coordination`: one for each word m with a coordinator c before it. Arguments: h, c, m, last word below
 *   m. Words: h, c, m. Pattern: which of tag, case and features h and m share. Bucket: whose right part is
 *   longer.
 * - `crossing`: an arc h -> m, once for each arc that crosses it. Arguments: h, m. Words: h, m. Pattern:
 *   direction. Bucket: length.
 * - `pair`: one for each pair of brackets, quotes or commas a, b. Arguments: a, b, and their heads g, h.
 *   Words: a, b, g, h. Pattern: whether g = h; which of them are between a and b. Bucket: distance of a and
 *   b.
 * - `shape`: three for each sentence. Arguments: 0 and arcs from the root to the last word; 1 and arcs to the
 *   right; 2 and crossings. Words: the last word m. Pattern: which, length of the sentence. Bucket: share,
 *   number.
 *
 * A modifier tagged CCONJ to the left of m is its coordinator (the first of several); without CCONJ,
 * the first PUNCT: Universal Dependencies attach both to the following conjunct, and the conjunct to the first. The
 * last word of `shape` is the last one that is not punctuation; the arcs above it measure how far a tree
 * branches to the right (Charniak and Johnson 2005). `leftTags` and `rightTags` count a tag once where it
 * repeats in a row.
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
/** A view of a tree that features of whole trees are declared for. */
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
 * The features of whole trees, on one page, after Zhang, Lei, Barzilay and Jaakkola, "Greed is Good
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

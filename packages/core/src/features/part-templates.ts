import type { PartKind } from "../parts/kinds.ts";
import type { Template } from "./templates.ts";

/** The kinds of parts that have features: all. */
export type FeaturedKind = PartKind;

/** Patterns of tags, fine tags and words that every kind of part is looked at through. */
function patterns(words: readonly string[]): Template[] {
  const join = (attribute: (word: string) => string) =>
    words.map((word) => `${word}.${attribute(word)}`).join(" ");
  return [
    join(() => "upos"),
    join(() => "xpos"),
    ...words.map((lexical) => join((word) => (word === lexical ? "lemma" : "upos"))),
  ];
}

/**
 * The feature sets of parts beyond single arcs, on one page: g is the grandparent, h the head, m the
 * modifier, s the modifier of h next to m on the side of h, t the one next to s. In `headBigram`, g is the
 * head of the word before m; f is the head of g, u the modifier of f next to g; in the two kinds of
 * grandchildren, s is a modifier of g next to h. The first-order features of the arcs themselves are in
 * `ARC_TEMPLATES`.
 */
export const PART_TEMPLATES: Readonly<Record<FeaturedKind, readonly Template[]>> = {
  grandparent: [
    ...patterns(["g", "h", "m"]),
    "g.upos m.upos",
    "g.lemma m.lemma",
    "g.lemma m.upos",
    "g.upos m.lemma",
    "g.lemma h.upos m.lemma",
    "g.lemma h.lemma m.upos",
    "g.upos h.lemma m.lemma",
    "g.upos h.upos m.upos m.feats",
    "g.upos h.upos h.feats m.upos",
    "g.upos g.feats h.upos m.upos",
    "g.upos h.upos h.case m.upos m.case",
    "g.lemma h.case m.upos",
    "g.upos h.upos h.marker m.upos",
    "g.lemma h.marker m.upos",
    "g.upos h.upos m.upos m.marker",
    "g.upos h.upos m-1.upos m.upos",
    "g.upos h.upos m.upos m+1.upos",
    "g.upos h-1.upos h.upos m.upos",
    "g.upos h.upos h+1.upos m.upos",
    "g-1.upos g.upos h.upos m.upos",
    "g.upos g+1.upos h.upos m.upos",
    "g.suffix h.upos m.suffix",
  ],
  nextSibling: [
    ...patterns(["h", "s", "m"]),
    "s.upos m.upos",
    "s.lemma m.lemma",
    "s.lemma m.upos",
    "s.upos m.lemma",
    "h.upos s.lemma m.lemma",
    "h.lemma s.upos m.lemma",
    "h.lemma s.lemma m.upos",
    "h.upos s.feats m.upos m.feats",
    "h.upos s.upos s.case m.upos m.case",
    "h.lemma s.upos s.case m.upos m.case",
    "h.upos h.feats s.upos m.upos",
    "h.upos s.upos s.marker m.upos m.marker",
    "h.lemma s.upos s.marker m.upos m.marker",
    "h.upos s.upos m-1.upos m.upos",
    "h.upos s.upos m.upos m+1.upos",
    "h.upos s-1.upos s.upos m.upos",
    "h.upos s.upos s+1.upos m.upos",
    "h.upos s.upos s+1.upos m-1.upos m.upos",
    "s.upos s.suffix m.upos m.suffix",
  ],
  lastSibling: [
    "h.upos m.upos",
    "h.xpos m.xpos",
    "h.lemma m.upos",
    "h.upos m.lemma",
    "h.upos h.feats m.upos",
    "h.upos h.case m.upos m.case",
    "h.upos m.upos m.marker",
    "h.upos m.upos m+1.upos",
    "h.upos m-1.upos m.upos",
  ],
  sibling: [...patterns(["h", "s", "m"]), "s.upos m.upos", "s.lemma m.lemma", "h.upos s.feats m.feats"],
  grandSibling: [
    ...patterns(["g", "h", "s", "m"]),
    "g.upos s.upos m.upos",
    "g.upos h.upos s.case m.case",
    "g.upos h.upos s.upos s.marker m.upos m.marker",
    "g.upos h.lemma s.upos m.lemma",
    "g.upos h.upos s.lemma m.lemma",
    "g.upos h.upos h.feats s.upos m.upos",
  ],
  triSibling: [
    ...patterns(["h", "t", "s", "m"]),
    "t.upos s.upos m.upos",
    "t.upos m.upos",
    "h.upos t.upos m.upos",
    "h.upos t.lemma s.upos m.lemma",
    "h.upos t.case s.case m.case",
    "h.upos t.upos t.marker s.upos s.marker m.upos m.marker",
  ],
  headBigram: [
    ...patterns(["g", "h", "m"]),
    "g.upos h.upos m-1.upos m.upos",
    "g.xpos h.xpos m-1.xpos m.xpos",
    "g.upos h.upos m-1.lemma m.upos",
    "g.lemma m.upos h.lemma",
  ],
  greatGrandparent: [
    ...patterns(["f", "g", "h", "m"]),
    "f.upos g.upos m.upos",
    "f.upos h.upos m.upos",
    "f.upos m.upos",
    "f.lemma m.lemma",
    "f.upos g.upos h.upos h.case m.upos m.case",
    "f.upos g.upos g.marker h.upos h.marker m.upos m.marker",
  ],
  grandparentSibling: [
    "f.upos u.upos g.upos h.upos m.upos",
    "f.xpos u.xpos g.xpos h.xpos m.xpos",
    "u.upos g.upos h.upos m.upos",
    "u.upos g.upos m.upos",
    "u.upos m.upos",
    "u.lemma m.lemma",
    "u.lemma g.upos m.lemma",
  ],
  outerSiblingGrandchild: siblingGrandchild(),
  innerSiblingGrandchild: siblingGrandchild(),
};

/** Templates of m on h beside a sibling s of h: the two kinds differ in which of h and s is nearer to g. */
function siblingGrandchild(): Template[] {
  return [
    ...patterns(["g", "s", "h", "m"]),
    "s.upos h.upos m.upos",
    "g.upos s.upos m.upos",
    "s.upos m.upos",
    "s.lemma m.lemma",
    "s.lemma m.upos",
    "s.upos m.lemma",
    "s.upos s.case h.upos m.upos m.case",
    "g.upos s.upos s.marker h.upos m.upos m.marker",
  ];
}

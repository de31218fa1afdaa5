import type { PartKind } from "../parts/kinds.ts";
import type { Anchor, Template } from "./templates.ts";

/** Maps the positions of a part's words, in the order of `words`, to the index of their pattern, 0..15. */
export type DirectionPattern = (positions: Int32Array) => number;

/** The features of one kind of parts. */
export interface PartFeatureSet {
  /** The words of a part. */
  readonly words: readonly Anchor[];
  /** The word that each member of a part adds to h and m, in the order of the kind's members in core. */
  readonly members: readonly Anchor[];
  /** The word whose distance from m the features are joined with; h where it is absent. */
  readonly distanceFrom: "h" | "s";
  readonly directions: DirectionPattern;
  readonly templates: readonly Template[];
}

/** Bit k of the pattern says whether the words of the k-th pair of indices stand in this order. */
function inOrder(...pairs: readonly (readonly [first: number, second: number])[]): DirectionPattern {
  const [[a, b] = [0, 0], [c, d] = [0, 0], [e, f] = [0, 0]] = pairs;
  return (words) =>
    (words[a] < words[b] ? 1 : 0) + (words[c] < words[d] ? 2 : 0) + (words[e] < words[f] ? 4 : 0);
}

/** The pattern of the heads g of m - 1 and h of m: which of the four words are the same, else their order. */
const headsInOrder: DirectionPattern = (words) => {
  const g = words[0];
  const h = words[1];
  const m = words[2];
  if (g === m) return h < m ? 8 : 9;
  if (h === m - 1) return g < h ? 10 : 11;
  return (g < m - 1 ? 1 : 0) + (h < m ? 2 : 0) + (g === h ? 4 : 0);
};

/** Joins the tags, the fine tags and one lemma with tags: templates that every kind of part has. */
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
 * Features of parts beyond single arcs, one row a kind: g is the grandparent, h the head, m the modifier, s
 * the modifier of h next to m on the side of h, t the one next to s. In `headBigram`, g is the head of the
 * word before m; f is the head of g, u the modifier of f next to g; in the two kinds of grandchildren, s is a
 * modifier of g next to h. The first-order features of the arcs themselves are in `ARC_TEMPLATES`.
 */
export const PART_FEATURES: Readonly<Record<PartKind, PartFeatureSet>> = {
  grandparent: {
    words: ["g", "h", "m"],
    members: ["g"],
    distanceFrom: "h",
    directions: inOrder([0, 1], [1, 2], [0, 2]),
    templates: [
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
  },
  nextSibling: {
    words: ["h", "s", "m"],
    members: ["s"],
    distanceFrom: "s",
    directions: inOrder([0, 2]),
    templates: [
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
  },
  lastSibling: {
    words: ["h", "m"],
    members: [],
    distanceFrom: "h",
    directions: inOrder([0, 1]),
    templates: [
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
  },
  sibling: {
    words: ["h", "s", "m"],
    members: ["s"],
    distanceFrom: "s",
    directions: inOrder([0, 2]),
    templates: [...patterns(["h", "s", "m"]), "s.upos m.upos", "s.lemma m.lemma", "h.upos s.feats m.feats"],
  },
  grandSibling: {
    words: ["g", "h", "s", "m"],
    members: ["g", "s"],
    distanceFrom: "h",
    directions: inOrder([0, 1], [1, 3], [0, 3]),
    templates: [
      ...patterns(["g", "h", "s", "m"]),
      "g.upos s.upos m.upos",
      "g.upos h.upos s.case m.case",
      "g.upos h.upos s.upos s.marker m.upos m.marker",
      "g.upos h.lemma s.upos m.lemma",
      "g.upos h.upos s.lemma m.lemma",
      "g.upos h.upos h.feats s.upos m.upos",
    ],
  },
  triSibling: {
    words: ["h", "t", "s", "m"],
    members: ["s", "t"],
    distanceFrom: "s",
    directions: inOrder([0, 3]),
    templates: [
      ...patterns(["h", "t", "s", "m"]),
      "t.upos s.upos m.upos",
      "t.upos m.upos",
      "h.upos t.upos m.upos",
      "h.upos t.lemma s.upos m.lemma",
      "h.upos t.case s.case m.case",
      "h.upos t.upos t.marker s.upos s.marker m.upos m.marker",
    ],
  },
  headBigram: {
    words: ["g", "h", "m"],
    members: ["g"],
    distanceFrom: "h",
    directions: headsInOrder,
    templates: [
      ...patterns(["g", "h", "m"]),
      "g.upos h.upos m-1.upos m.upos",
      "g.xpos h.xpos m-1.xpos m.xpos",
      "g.upos h.upos m-1.lemma m.upos",
      "g.lemma m.upos h.lemma",
    ],
  },
  greatGrandparent: {
    words: ["f", "g", "h", "m"],
    members: ["g", "f"],
    distanceFrom: "h",
    directions: inOrder([0, 1], [1, 2], [2, 3]),
    templates: [
      ...patterns(["f", "g", "h", "m"]),
      "f.upos g.upos m.upos",
      "f.upos h.upos m.upos",
      "f.upos m.upos",
      "f.lemma m.lemma",
      "f.upos g.upos h.upos h.case m.upos m.case",
      "f.upos g.upos g.marker h.upos h.marker m.upos m.marker",
    ],
  },
  grandparentSibling: {
    words: ["f", "u", "g", "h", "m"],
    members: ["g", "f", "u"],
    distanceFrom: "h",
    directions: inOrder([0, 2], [2, 3], [3, 4]),
    templates: [
      "f.upos u.upos g.upos h.upos m.upos",
      "f.xpos u.xpos g.xpos h.xpos m.xpos",
      "u.upos g.upos h.upos m.upos",
      "u.upos g.upos m.upos",
      "u.upos m.upos",
      "u.lemma m.lemma",
      "u.lemma g.upos m.lemma",
    ],
  },
  outerSiblingGrandchild: {
    words: ["g", "s", "h", "m"],
    members: ["g", "s"],
    distanceFrom: "h",
    directions: inOrder([0, 2], [2, 3]),
    templates: siblingGrandchild(),
  },
  innerSiblingGrandchild: {
    words: ["g", "s", "h", "m"],
    members: ["g", "s"],
    distanceFrom: "h",
    directions: inOrder([0, 2], [2, 3]),
    templates: siblingGrandchild(),
  },
};

/** Templates of the arc h -> m and a sibling s of h: the two kinds differ in which of h and s is nearer to g. */
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

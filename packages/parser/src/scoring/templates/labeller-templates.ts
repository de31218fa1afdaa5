import {
  ARC_TEMPLATES,
  ATTRIBUTES,
  attributeOrFeature,
  CODE,
  codeOf,
  hashString,
  PADDING,
  type Piece,
  piecesOf,
  STRING_SEED,
  type Template,
} from "@arcwise/core/features";
import { suggestion } from "@arcwise/core/options";

/**
 * The words around an arc h -> m of a tree that a template may name, in the order of their indices.
 *
 * | name | word |
 * |---|---|
 * | `m`, `h`, `g` | the modifier, its head, the head of that |
 * | `p`, `n` | the modifiers of h before and after m in the sentence, on whatever side of h |
 * | `l`, `r` | the leftmost and the rightmost modifier of m |
 * | `c` | each modifier of m in turn |
 * | `s` | each other modifier of h in turn, those nearest to m |
 */
export const TREE_WORDS = ["m", "h", "g", "p", "n", "l", "r", "c", "s"] as const;

/** Words from this one on are taken in turn. */
export const FIRST_IN_TURN = TREE_WORDS.indexOf("c");

/**
 * Shapes of the tree around an arc, in addition to attributes of its words.
 *
 * | name | shape |
 * |---|---|
 * | `tree.place` | whether m is the innermost, and whether it is the outermost modifier on its side of h |
 * | `tree.rank` | number of modifiers of h between h and m (0, 1, 2, more) |
 * | `tree.turn` | the direction of the arc from g to h; that h is the root |
 * | `tree.distance` | bucket of the distance between h and m |
 * | `tree.below` | number of modifiers of m to its left and to its right (0, 1, 2, more each) |
 * | `tree.beside` | number of modifiers of h to its left and to its right (likewise) |
 */
export const TREE_SHAPES = ["place", "rank", "turn", "distance", "below", "beside"] as const;

/**
 * One piece of a template: an attribute of a word (or of one up to two positions away), or a shape of the
 * tree.
 */
export interface TreePiece extends Piece {
  /** Index into `TREE_WORDS`, -1 for a shape: then `column` is an index into `TREE_SHAPES`. */
  readonly word: number;
}

/** The label that a template is joined with: none, the label of the modifier before, or of the head. */
export type LabelContext = "none" | "p.label" | "h.label";

/** A parsed template. */
export interface TreeTemplate {
  readonly seed: number;
  readonly pieces: readonly TreePiece[];
  /** Index into `TREE_WORDS` of the word that is taken in turn; -1 if no word is. */
  readonly turn: number;
  readonly context: LabelContext;
}

const PIECE = /^([a-z]+)([+-]\d+)?\.([A-Za-z0-9]+(?:\[[a-z0-9]+\])?)$/;

/**
 * Reads a template: pieces between spaces, each an attribute of a word of `TREE_WORDS` (of m and h also of
 * their neighbours in the sentence, as in `m-1.upos`), a shape of `TREE_SHAPES`, `p.label` or `h.label`.
 */
export function parseTreeTemplate(text: Template): TreeTemplate {
  const pieces: TreePiece[] = [];
  const texts = piecesOf(text);
  const context = texts.filter((piece): piece is "p.label" | "h.label" => /^[ph]\.label$/.test(piece));
  for (const piece of texts) if (!/^[ph]\.label$/.test(piece)) pieces.push(parsePiece(piece, text));
  const turns = new Set(pieces.map(({ word }) => word).filter((word) => word >= FIRST_IN_TURN));
  if (turns.size + context.length > 1) {
    throw new RangeError(`template "${text}": at most one label, or one word in turn, can be joined`);
  }
  const [turn = -1] = turns;
  return { seed: hashString(text, STRING_SEED.treeTemplate), pieces, turn, context: context[0] ?? "none" };
}

const KNOWN_PIECES = [
  ...TREE_WORDS.flatMap((word) => ATTRIBUTES.map((attribute) => `${word}.${attribute}`)),
  ...TREE_SHAPES.map((shape) => `tree.${shape}`),
  "p.label",
  "h.label",
];

function parsePiece(piece: string, text: Template): TreePiece {
  const [, name = "", digits = "0", attribute = ""] = PIECE.exec(piece) ?? [];
  const offset = Number(digits);
  const word = TREE_WORDS.indexOf(name as (typeof TREE_WORDS)[number]);
  const shape = TREE_SHAPES.indexOf(attribute as (typeof TREE_SHAPES)[number]);
  const found = name !== "tree" ? attributeOrFeature(attribute) : shape < 0 ? undefined : { column: shape };
  if (found === undefined || (word < 0 && name !== "tree")) {
    throw new RangeError(
      `template "${text}": expected W.A with W one of ${TREE_WORDS.join(", ")} and A one of ` +
        `${ATTRIBUTES.join(", ")} or a feature such as Case; or tree.S with S one of ` +
        `${TREE_SHAPES.join(", ")}; or p.label or h.label; found ` +
        `"${piece}"${suggestion(piece, KNOWN_PIECES)}`,
    );
  }
  if (offset !== 0 && (word > 1 || name === "tree" || Math.abs(offset) > PADDING)) {
    throw new RangeError(`template "${text}": only places up to ${PADDING} words from m and h can be named`);
  }
  return { word, ...found, offset };
}

/** Codes of the values of shapes: value v < 64 of shape s at `64 s + v`. */
export const SHAPE_CODES = Int32Array.from({ length: 64 * TREE_SHAPES.length }, (_, i) =>
  codeOf(CODE.treeShape, i),
);

const BETWEEN = /between|count/;
const AROUND_BOTH = /^(?=.*h[+-]\d|.*m[+-]\d)(?=.*\bh\b)(?=.*\bm\b)/;

/**
 * Templates of single arcs for labels: the templates of the parser except the words between, and the
 * surroundings of both words together. In a tree whose heads are known, these add nothing.
 */
export const LABEL_ARC_TEMPLATES: readonly Template[] = ARC_TEMPLATES.filter(
  (template) => !BETWEEN.test(template) && !AROUND_BOTH.test(template),
);

/** Templates of the surroundings of an arc in the tree, and of neighbouring labels. */
export const LABEL_TREE_TEMPLATES: readonly Template[] = [
  // Shape
  "h.upos m.upos tree.place",
  "h.upos m.upos tree.rank",
  "h.upos m.upos tree.turn",
  "h.upos m.upos tree.distance",
  "h.upos m.upos tree.below",
  "h.upos m.upos tree.beside",
  "h.lemma m.upos tree.beside",
  "m.lemma tree.turn",
  "m.lemma tree.distance",
  "h.upos m.lemma tree.below",

  // The head's head
  "g.upos h.upos m.upos",
  "g.lemma h.upos m.upos",
  "g.upos h.lemma m.upos",
  "g.upos h.upos m.lemma",
  "g.upos g.feats h.upos m.upos",
  "g.upos h.upos h.feats m.upos m.feats",
  "g.upos h.upos h.case m.upos m.case",

  // The first and the last modifier of the modifier
  ...["l", "r"].flatMap((x) => [
    `h.upos m.upos ${x}.upos`,
    `h.upos m.upos ${x}.lemma`,
    `h.upos m.lemma ${x}.lemma`,
    `h.lemma m.upos ${x}.lemma`,
    `m.upos ${x}.upos ${x}.feats`,
    `m.upos m.feats ${x}.lemma`,
    `m.lemma ${x}.upos`,
  ]),
  "h.upos m.upos l.upos r.upos",
  "h.upos m.upos l.lemma r.lemma",

  // Every modifier of the modifier
  "m.upos c.upos",
  "m.upos c.lemma",
  "m.upos m.feats c.lemma",
  "h.upos m.upos c.upos",
  "h.upos m.upos c.lemma",
  "h.lemma m.upos c.lemma",
  "h.upos m.upos c.upos c.feats",
  "h.upos m.lemma c.lemma",

  // The modifiers of the head before and after
  ...["p", "n"].flatMap((x) => [
    `h.upos m.upos ${x}.upos`,
    `h.upos m.upos ${x}.lemma`,
    `h.upos m.lemma ${x}.upos`,
    `h.lemma m.upos ${x}.upos`,
    `h.upos m.upos m.case ${x}.upos ${x}.case`,
    `h.lemma m.upos m.case ${x}.upos ${x}.case`,
    `h.upos m.lemma ${x}.lemma`,
  ]),
  "h.upos p.upos m.upos n.upos",

  // Every other modifier of the head
  "h.upos m.upos s.upos",
  "h.upos m.upos s.lemma",
  "h.upos m.upos m.case s.upos s.case",
  "h.upos m.upos s.upos s.feats",
  "h.lemma m.upos s.upos",
  "h.lemma m.upos s.lemma",
  "m.lemma s.lemma",

  // The label of the modifier before
  "p.label",
  "h.upos p.label",
  "h.upos p.upos m.upos p.label",
  "h.lemma m.upos p.label",
  "m.lemma p.label",

  // The label of the head
  "h.label",
  "h.label m.upos",
  "h.label h.upos m.upos",
  "h.label m.lemma",
  "h.label h.lemma m.upos",
  "h.label h.upos m.upos m.case",
];

import { ATTRIBUTES, type Attribute, COUNTED, PADDING } from "./encode.ts";

/**
 * A feature template as a person writes it: the pieces of context that it joins, between spaces.
 *
 * | piece | what it stands for |
 * |---|---|
 * | `h.upos`, `m-1.lemma` | an attribute of the head, the modifier, or a word up to two places away from one |
 * | `h.feat`, `m.feat` | each morphological feature of the head or modifier in turn |
 * | `between.upos` | each universal tag that occurs between head and modifier, in turn |
 * | `count.verb` | how many words of a kind stand between (0, 1, 2, more): verb, noun, punctuation, conjunction |
 *
 * A template gives one feature for each combination of what its pieces take in turn. All templates see the
 * direction of the arc; distance and label are places inside the line of a feature (see `ArcFeatures`).
 */
export type Template = string;

/** One piece of the head's or modifier's context: a column, and an offset from the word. */
export interface Piece {
  readonly column: number;
  readonly offset: number;
}

/** The words that templates name: the head and modifier of an arc, and the other words of a part or a global feature. */
export type Anchor = "f" | "u" | "g" | "h" | "t" | "s" | "m" | "a" | "b" | "c" | "o" | "p";

/** A template taken apart. */
export interface ParsedTemplate {
  readonly text: Template;
  readonly head: readonly Piece[];
  readonly modifier: readonly Piece[];
  readonly headFeature: boolean;
  readonly modifierFeature: boolean;
  readonly between: boolean;
  /** Index into `COUNTED`, or -1. */
  readonly count: number;
}

const PIECE = /^([abcfghmopstu])([+-]\d+)?\.([a-z]+)$/;

/**
 * Reads a template.
 *
 * @throws RangeError when a piece is none of the table above, or the same piece comes twice
 */
export function parseTemplate(text: Template): ParsedTemplate {
  const head: Piece[] = [];
  const modifier: Piece[] = [];
  let headFeature = false;
  let modifierFeature = false;
  let between = false;
  let count = -1;
  const pieces = text.split(" ");
  if (new Set(pieces).size !== pieces.length) throw new RangeError(`template "${text}" names a piece twice`);
  for (const piece of pieces) {
    if (piece === "h.feat") headFeature = true;
    else if (piece === "m.feat") modifierFeature = true;
    else if (piece === "between.upos") between = true;
    else if (piece.startsWith("count.")) count = countedKind(piece.slice("count.".length), text);
    else {
      const [anchor, parsed] = parsePiece(piece, text);
      if (anchor !== "h" && anchor !== "m") {
        throw new RangeError(`template "${text}": an arc has a head h and a modifier m, but no "${anchor}"`);
      }
      (anchor === "h" ? head : modifier).push(parsed);
    }
  }
  return { text, head, modifier, headFeature, modifierFeature, between, count };
}

function countedKind(name: string, text: Template): number {
  const kind = COUNTED.indexOf(name as (typeof COUNTED)[number]);
  if (kind < 0) {
    throw new RangeError(`template "${text}": nothing counts "${name}"; counted are ${COUNTED.join(", ")}`);
  }
  return kind;
}

/**
 * Reads a template of a part: pieces of the words in `anchors` only.
 *
 * @returns the pieces of each anchor
 * @throws RangeError when a piece is no attribute of one of the anchors, or comes twice
 */
export function parsePartTemplate(text: Template, anchors: readonly Anchor[]): Map<Anchor, Piece[]> {
  const pieces = text.split(" ");
  if (new Set(pieces).size !== pieces.length) throw new RangeError(`template "${text}" names a piece twice`);
  const byAnchor = new Map<Anchor, Piece[]>(anchors.map((anchor) => [anchor, []]));
  for (const piece of pieces) {
    const [anchor, parsed] = parsePiece(piece, text);
    const list = byAnchor.get(anchor);
    if (list === undefined) {
      throw new RangeError(`template "${text}": the part has no "${anchor}", only ${anchors.join(", ")}`);
    }
    list.push(parsed);
  }
  return byAnchor;
}

function parsePiece(piece: string, text: Template): [anchor: Anchor, piece: Piece] {
  const match = PIECE.exec(piece);
  const column = match === null ? -1 : ATTRIBUTES.indexOf(match[3] as Attribute);
  const offset = Number(match?.[2] ?? 0);
  if (match === null || column < 0) {
    throw new RangeError(
      `template "${text}": "${piece}" is no piece; expected h.A or m.A, A one of ${ATTRIBUTES.join(", ")}, or feat`,
    );
  }
  if (Math.abs(offset) > PADDING) {
    throw new RangeError(`template "${text}": "${piece}" looks further than ${PADDING} words away`);
  }
  return [match[1] as Anchor, { column, offset }];
}

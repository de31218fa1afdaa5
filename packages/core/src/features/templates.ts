import { suggestion } from "../options/suggest.ts";
import { ATTRIBUTES, type Attribute, COLUMN, COUNTED, type EncodedSentence, PADDING } from "./encode.ts";

/**
 * A feature template as a person writes it: the pieces of context that it joins, between spaces.
 *
 * | piece | what it stands for |
 * |---|---|
 * | `h.upos`, `m-1.lemma` | an attribute of the head, the modifier, or a word up to two positions from it |
 * | `h.Case`, `m.Number[psor]` | the value of one morphological feature, by its name in the treebank |
 * | `h.feat`, `m.feat` | each morphological feature of the head or modifier in turn |
 * | `between.upos` | each universal tag that occurs between head and modifier, in turn |
 * | `count.verb` | number of verbs (nouns, punctuation, conjunctions) between: 0, 1, 2, more |
 *
 * A template gives one feature for each combination of what its pieces take in turn. All templates see the
 * direction of the arc; distance and label are offsets inside the line of a feature (see `ArcFeatures`).
 */
export type Template = string;

/** One piece of a word's context: an attribute or a morphological feature, and an offset from the word. */
export interface Piece {
  /** Index into `ATTRIBUTES`, -1 for a morphological feature. */
  readonly column: number;
  /** Name of the morphological feature; absent for an attribute. */
  readonly feature?: string | undefined;
  readonly offset: number;
}

/** The words that templates name: head and modifier of an arc, and the other words of a part or a view. */
export type Anchor = "f" | "u" | "g" | "h" | "t" | "s" | "m" | "a" | "b" | "c" | "o" | "p";

/** A parsed template. */
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

const PIECE = /^([a-z])([+-]\d+)?\.([a-z]+|[A-Z][A-Za-z0-9]*(?:\[[a-z0-9]+\])?)$/;
const FEATURE = /\.([A-Z][A-Za-z0-9]*(?:\[[a-z0-9]+\])?)(?= |$)/g;

/** Returns the names of the morphological features in templates, sorted. */
export function namedFeatures(templates: Iterable<Template>): string[] {
  const names = new Set<string>();
  for (const template of templates) for (const match of template.matchAll(FEATURE)) names.add(match[1]);
  return [...names].sort();
}

/**
 * Returns the column of a piece.
 *
 * @throws RangeError when the sentence's encoder has no column of the feature that the piece names
 */
export function columnOf(
  { columns, morphology }: EncodedSentence,
  { column, feature }: Pick<Piece, "column" | "feature">,
): Int32Array {
  if (feature === undefined) return columns[column];
  const found = morphology?.[feature];
  if (found === undefined) throw new RangeError(`expected an encoder of the feature "${feature}"`);
  return found;
}

/** Reads a template of an arc. */
export function parseTemplate(text: Template): ParsedTemplate {
  const head: Piece[] = [];
  const modifier: Piece[] = [];
  let headFeature = false;
  let modifierFeature = false;
  let between = false;
  let count = -1;
  for (const piece of piecesOf(text)) {
    if (piece === "h.feat") headFeature = true;
    else if (piece === "m.feat") modifierFeature = true;
    else if (piece === "between.upos") between = true;
    else if (piece.startsWith("count.")) count = countedKind(piece.slice("count.".length), text);
    else {
      const [anchor, parsed] = parsePiece(piece, text, ["h", "m"], ARC_PIECES);
      (anchor === "h" ? head : modifier).push(parsed);
    }
  }
  return { text, head, modifier, headFeature, modifierFeature, between, count };
}

/**
 * Splits a template into its pieces.
 *
 * @throws RangeError when a piece is empty or comes twice
 */
export function piecesOf(text: Template): string[] {
  const pieces = text.split(" ");
  if (pieces.includes("")) {
    throw new RangeError(`template "${text}": expected pieces with one space between them`);
  }
  const twice = pieces.find((piece, index) => pieces.indexOf(piece) < index);
  if (twice !== undefined) throw new RangeError(`template "${text}" names the piece "${twice}" twice`);
  return pieces;
}

function countedKind(name: string, text: Template): number {
  const kind = COUNTED.indexOf(name as (typeof COUNTED)[number]);
  if (kind < 0) {
    throw new RangeError(
      `template "${text}": expected count. and one of ${COUNTED.join(", ")}, found "count.${name}"` +
        suggestion(name, COUNTED),
    );
  }
  return kind;
}

/**
 * Reads a template of a part: pieces of the words in `anchors` only.
 *
 * @returns the pieces of each anchor
 * @throws RangeError when a piece is not an attribute of one of the anchors, or comes twice
 */
export function parsePartTemplate(text: Template, anchors: readonly Anchor[]): Map<Anchor, Piece[]> {
  const byAnchor = new Map<Anchor, Piece[]>(anchors.map((anchor) => [anchor, []]));
  for (const piece of piecesOf(text)) {
    const [anchor, parsed] = parsePiece(piece, text, anchors);
    byAnchor.get(anchor)!.push(parsed);
  }
  return byAnchor;
}

const ARC_PIECES = ["h.feat", "m.feat", "between.upos", ...COUNTED.map((kind) => `count.${kind}`)];

/**
 * Reads one piece of a template, an attribute or feature of a word: `m-1.lemma`.
 *
 * @param anchors letters of the words that it may name
 * @param others pieces of another form, for the message
 */
export function parsePiece<A extends string>(
  piece: string,
  text: Template,
  anchors: readonly A[],
  others: readonly string[] = [],
): [anchor: A, piece: Piece] {
  const match = PIECE.exec(piece);
  const anchor = match?.[1] as A | undefined;
  const parsed = match === null ? undefined : attributeOrFeature(match[3]);
  if (anchor === undefined || parsed === undefined || !anchors.includes(anchor)) {
    const known = [...anchors.flatMap((word) => ATTRIBUTES.map((name) => `${word}.${name}`)), ...others];
    throw new RangeError(
      `template "${text}": expected W.A with W one of ${anchors.join(", ")} and A one of ` +
        `${ATTRIBUTES.join(", ")} or a feature such as ` +
        `Case${others.length > 0 ? `; or one of ${others.join(", ")}` : ""}; found ` +
        `"${piece}"${suggestion(piece, known)}`,
    );
  }
  const offset = Number(match![2] ?? 0);
  if (Math.abs(offset) > PADDING) {
    throw new RangeError(
      `template "${text}": expected an offset of up to ${PADDING} words, found "${piece}"`,
    );
  }
  return [anchor, { ...parsed, offset }];
}

/** Resolves the name after the dot: an attribute in lower case, a morphological feature with a capital. */
export function attributeOrFeature(name: string): Omit<Piece, "offset"> | undefined {
  if (/^[A-Z][a-z]/.test(name) && (name === "Case" || !Object.hasOwn(COLUMN, name.toLowerCase()))) {
    return { column: -1, feature: name };
  }
  return Object.hasOwn(COLUMN, name) ? { column: COLUMN[name as Attribute] } : undefined;
}

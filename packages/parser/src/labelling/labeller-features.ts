import { modifiersOf } from "@arcwise/core";
import {
  type ArcFeatures,
  arcFeatures,
  CODE,
  codeOf,
  columnOf,
  distanceBucket,
  type EncodedSentence,
  extend,
  PADDING,
  type Template,
} from "@arcwise/core/features";
import {
  type LabelContext,
  parseTreeTemplate,
  SHAPE_CODES,
  TREE_WORDS,
  type TreePiece,
  type TreeTemplate,
} from "../scoring/templates/labeller-templates.ts";

const SPREAD = 0x9e3779b1;
const RIGHT = 0x3c6ef372;
const LEFT = 0x1f83d9ab;
/** Codes of the sides of words that are taken in turn, and of the modifier before. */
const SIDE_CODES = Int32Array.from({ length: 4 }, (_, side) => codeOf(CODE.treeSide, side));
const NO_COLUMN = new Int32Array(0);
const MAX_COUNTED = 3;
/**
 * Maximum number of modifiers of m that are taken in turn, and of modifiers of h on each side of m, nearest
 * first.
 */
const MAX_BELOW = 12;
const MAX_BESIDE = 4;
const CHILDREN = TREE_WORDS.indexOf("c");
const SIBLINGS = TREE_WORDS.indexOf("s");

/**
 * Templates of one group, as flat arrays: template t folds the values `piece[start[t]] ..` into `seed[t]`.
 */
interface Folds {
  readonly seed: Int32Array;
  readonly start: Int32Array;
  readonly piece: Int32Array;
}

/** Contexts of the arcs of a tree, each a line of weights: one weight a label. */
export interface LabelFeaturesOptions {
  readonly arcTemplates: readonly Template[];
  readonly treeTemplates: readonly Template[];
  /** The table has 2^bits lines. */
  readonly bits: number;
  /** Length of a line. */
  readonly length: number;
}

/**
 * Hashed features of the labels of a tree's arcs. A context selects a line of weights, with one entry a
 * label. Contexts that contain the label of a neighbour (the modifier before, or the head) are codes, to
 * which `pairLine` adds that label.
 */
export class LabelFeatures {
  /** The lines of the arc of the last `collect`: `lines[0 .. count - 1]`. */
  lines = new Int32Array(256);
  /** Codes of the contexts with the label of the modifier before, for the arc of the last `look`. */
  readonly siblingCodes: Int32Array;
  /** Codes of the contexts with the label of the head. */
  readonly headCodes: Int32Array;
  /** Modifiers of head h, ascending: `modifiers[start[h] .. start[h + 1] - 1]`. */
  start: Int32Array = new Int32Array(0);
  modifiers: Int32Array = new Int32Array(0);
  /** The modifier of the same head before each word; 0 for the first modifier of a head. */
  previous = new Int32Array(0);

  readonly #arcs: ArcFeatures;
  readonly #shift: number;
  readonly #length: number;
  readonly #pieces: readonly TreePiece[];
  /** Pieces of words that are fixed come first, then pieces of modifiers of m, then pieces of siblings. */
  readonly #firstPieces: Int32Array;
  readonly #plain: Folds;
  readonly #below: Folds;
  readonly #beside: Folds;
  readonly #siblingLabel: Folds;
  readonly #headLabel: Folds;
  readonly #values: Int32Array;
  /** For each piece of a word, its column of the sentence. */
  #columns: readonly Int32Array[] = [];
  readonly #words = new Int32Array(TREE_WORDS.length);
  readonly #shapes = new Int32Array(8);
  #scratch = new Int32Array(256);
  #sentence!: EncodedSentence;
  #heads!: Int32Array;
  /** Index of each word in `modifiers`. */
  #rank = new Int32Array(0);
  /** Number of modifiers of each word to its left. */
  #left = new Int32Array(0);

  /** @throws RangeError on a template that cannot be read */
  constructor({ arcTemplates, treeTemplates, bits, length }: LabelFeaturesOptions) {
    const templates = treeTemplates.map(parseTreeTemplate);
    const { pieces, first } = distinctPieces(templates);
    const group = (context: LabelContext, turn: number) =>
      foldsOf(
        templates.filter((template) => template.context === context && template.turn === turn),
        pieces,
      );
    this.#arcs = arcFeatures(arcTemplates, bits, length);
    this.#shift = 32 - bits;
    this.#length = length;
    this.#pieces = pieces;
    this.#firstPieces = first;
    this.#values = new Int32Array(pieces.length);
    this.#plain = group("none", -1);
    this.#below = group("none", CHILDREN);
    this.#beside = group("none", SIBLINGS);
    this.#siblingLabel = group("p.label", -1);
    this.#headLabel = group("h.label", -1);
    this.siblingCodes = new Int32Array(this.#siblingLabel.seed.length);
    this.headCodes = new Int32Array(this.#headLabel.seed.length);
  }

  /** Sets the sentence and its tree, which comes first. O(n · templates). */
  prepare(sentence: EncodedSentence, heads: Int32Array): void {
    const { n } = sentence;
    this.#sentence = sentence;
    this.#heads = heads;
    this.#arcs.prepare(sentence);
    this.#columns = this.#pieces.map((piece) => (piece.word < 0 ? NO_COLUMN : columnOf(sentence, piece)));
    const { start, modifiers } = modifiersOf(heads);
    this.start = start;
    this.modifiers = modifiers;
    if (this.previous.length <= n) {
      this.previous = new Int32Array(2 * n + 2);
      this.#rank = new Int32Array(2 * n + 2);
      this.#left = new Int32Array(2 * n + 2);
    }
    for (let h = 0; h <= n; h++) {
      let left = 0;
      for (let k = start[h]; k < start[h + 1]; k++) {
        this.previous[modifiers[k]!] = k === start[h] ? 0 : modifiers[k - 1];
        this.#rank[modifiers[k]!] = k;
        if (modifiers[k] < h) left++;
      }
      this.#left[h] = left;
    }
    const most = Math.max(MAX_BELOW * this.#below.seed.length, 2 * MAX_BESIDE * this.#beside.seed.length);
    const capacity = 3 * this.#arcs.capacity + this.#plain.seed.length + 2 * most;
    if (this.lines.length < capacity) this.lines = new Int32Array(2 * capacity);
    if (this.#scratch.length < this.#arcs.capacity) this.#scratch = new Int32Array(2 * this.#arcs.capacity);
  }

  /** Sets `siblingCodes` and `headCodes` for the arc of word m. Must come before `collect`. */
  look(m: number): void {
    const h = this.#heads[m];
    this.#surround(m, h);
    this.#fill(0, this.#firstPieces[1]);
    const direction = h < m ? RIGHT : LEFT;
    const before = this.previous[m];
    const side = SIDE_CODES[before === 0 ? 2 : before < h ? 0 : 1];
    this.#codes(this.#siblingLabel, direction ^ side, this.siblingCodes);
    this.#codes(this.#headLabel, direction, this.headCodes);
  }

  /** Fills `lines` for the arc of the last `look`; returns their number. */
  collect(): number {
    const words = this.#words;
    const m = words[0];
    const h = words[1];
    const right = h < m;
    let count = this.#append(0, this.#arcs.arc(h, m, this.#scratch));
    count = this.#append(count, this.#arcs.head(h, right, this.#scratch));
    count = this.#append(count, this.#arcs.modifier(m, right, this.#scratch));
    const direction = right ? RIGHT : LEFT;
    count = this.#fold(this.#plain, direction, count);
    count = this.#takeBelow(m, direction, count);
    return this.#takeBeside(m, h, direction, count);
  }

  /** Returns the line of a context (of `siblingCodes` or `headCodes`) joined with a label. */
  pairLine(code: number, label: number): number {
    return (Math.imul(code ^ Math.imul(label + 1, 0x85ebca6b), SPREAD) >>> this.#shift) * this.#length;
  }

  #append(count: number, added: number): number {
    for (let k = 0; k < added; k++) this.lines[count + k] = this.#scratch[k];
    return count + added;
  }

  /** Adds features of the modifiers of m in turn. */
  #takeBelow(m: number, direction: number, from: number): number {
    if (this.#below.seed.length === 0) return from;
    const end = Math.min(this.start[m + 1], this.start[m] + MAX_BELOW);
    let count = from;
    for (let k = this.start[m]; k < end; k++) {
      const child = this.modifiers[k];
      this.#words[CHILDREN] = child;
      this.#fill(this.#firstPieces[1], this.#firstPieces[2]);
      count = this.#fold(this.#below, direction ^ SIDE_CODES[child < m ? 0 : 1], count);
    }
    return count;
  }

  /** Adds features of the other modifiers of h in turn. */
  #takeBeside(m: number, h: number, direction: number, from: number): number {
    if (this.#beside.seed.length === 0) return from;
    const rank = this.#rank[m];
    const end = Math.min(this.start[h + 1], rank + MAX_BESIDE + 1);
    let count = from;
    for (let k = Math.max(this.start[h], rank - MAX_BESIDE); k < end; k++) {
      if (k === rank) continue;
      const sibling = this.modifiers[k];
      this.#words[SIBLINGS] = sibling;
      this.#fill(this.#firstPieces[2], this.#firstPieces[3]);
      const side = (sibling < h ? 0 : 1) + (sibling < m ? 0 : 2);
      count = this.#fold(this.#beside, direction ^ SIDE_CODES[side], count);
    }
    return count;
  }

  /** Finds the words and the shapes around h -> m. */
  #surround(m: number, h: number): void {
    const { start, modifiers } = this;
    const words = this.#words;
    const absent = this.#sentence.n + 1;
    const rank = this.#rank[m];
    words[0] = m;
    words[1] = h;
    words[2] = h === 0 ? absent : this.#heads[h];
    words[3] = rank === start[h] ? absent : modifiers[rank - 1];
    words[4] = rank + 1 === start[h + 1] ? absent : modifiers[rank + 1];
    const below = start[m] < start[m + 1];
    words[5] = below ? modifiers[start[m]!] : absent;
    words[6] = below ? modifiers[start[m + 1] - 1] : absent;
    this.#shape(m, h, words[3], words[4]);
  }

  #shape(m: number, h: number, p: number, n: number): void {
    const shapes = this.#shapes;
    const absent = this.#sentence.n + 1;
    const left = this.#left[h];
    const rank = this.#rank[m] - this.start[h];
    const pOnSide = p !== absent && p < h === m < h;
    const nOnSide = n !== absent && n < h === m < h;
    shapes[0] = (pOnSide ? 1 : 0) + (nOnSide ? 2 : 0);
    shapes[1] = Math.min(MAX_COUNTED, m < h ? left - 1 - rank : rank - left);
    shapes[2] = h === 0 ? 2 : this.#heads[h] < h ? 0 : 1;
    shapes[3] = distanceBucket(Math.abs(h - m));
    shapes[4] = this.#valency(m);
    shapes[5] = this.#valency(h);
  }

  #valency(word: number): number {
    const left = this.#left[word];
    const right = this.start[word + 1] - this.start[word] - left;
    return Math.min(left, MAX_COUNTED) * (MAX_COUNTED + 1) + Math.min(right, MAX_COUNTED);
  }

  /** Looks up the values of pieces `from .. to - 1`. */
  #fill(from: number, to: number): void {
    const columns = this.#columns;
    for (let k = from; k < to; k++) {
      const { word, column, offset } = this.#pieces[k];
      this.#values[k] =
        word < 0
          ? SHAPE_CODES[64 * column + this.#shapes[column]!]
          : columns[k][this.#words[word] + offset + PADDING];
    }
  }

  /** Appends the line of every template of a group; returns the number of lines so far. */
  #fold({ seed, start, piece }: Folds, base: number, from: number): number {
    const values = this.#values;
    const lines = this.lines;
    const shift = this.#shift;
    const length = this.#length;
    for (let t = 0; t < seed.length; t++) {
      let code = seed[t] ^ base;
      for (let k = start[t]; k < start[t + 1]; k++) code = extend(code, values[piece[k]!]);
      lines[from + t] = (Math.imul(code, SPREAD) >>> shift) * length;
    }
    return from + seed.length;
  }

  #codes({ seed, start, piece }: Folds, base: number, codes: Int32Array): void {
    const values = this.#values;
    for (let t = 0; t < seed.length; t++) {
      let code = seed[t] ^ base;
      for (let k = start[t]; k < start[t + 1]; k++) code = extend(code, values[piece[k]!]);
      codes[t] = code;
    }
  }
}

/** Returns the pieces of all templates, each once: pieces of fixed words, of modifiers of m, of siblings. */
function distinctPieces(templates: readonly TreeTemplate[]): { pieces: TreePiece[]; first: Int32Array } {
  const groups: TreePiece[][] = [[], [], []];
  for (const piece of templates.flatMap(({ pieces }) => pieces)) {
    const group = groups[piece.word === CHILDREN ? 1 : piece.word === SIBLINGS ? 2 : 0];
    if (!group.some((other) => same(other, piece))) group.push(piece);
  }
  const ends = [groups[0].length, groups[0].length + groups[1].length];
  const pieces = groups.flat();
  return { pieces, first: Int32Array.of(0, ...ends, pieces.length) };
}

function same(a: TreePiece, b: TreePiece): boolean {
  return a.word === b.word && a.column === b.column && a.feature === b.feature && a.offset === b.offset;
}

function foldsOf(templates: readonly TreeTemplate[], pieces: readonly TreePiece[]): Folds {
  const start = new Int32Array(templates.length + 1);
  const piece: number[] = [];
  for (const [t, template] of templates.entries()) {
    for (const one of template.pieces) piece.push(pieces.findIndex((other) => same(other, one)));
    start[t + 1] = piece.length;
  }
  return { seed: Int32Array.from(templates, ({ seed }) => seed), start, piece: Int32Array.from(piece) };
}

import { distanceBucket } from "./arc-features.ts";
import { ContextCoder } from "./context-coder.ts";
import { COLUMN, type EncodedSentence, PADDING } from "./encode.ts";
import { GLOBAL_VIEWS, GLOBAL_WORDS, type GlobalView } from "./global-templates.ts";
import { codeOf, hashString } from "./hash.ts";
import { PART_LINE } from "./part-features.ts";
import { CODE, CONTEXT_SEED } from "./seeds.ts";
import { parsePartTemplate, type Template } from "./templates.ts";
import type { Weights } from "./weight-table.ts";

/** Indices of the views in `GLOBAL_VIEWS`. */
export const VIEW: Readonly<Record<GlobalView, number>> = {
  valency: 0,
  leftTags: 1,
  rightTags: 2,
  span: 3,
  phrase: 4,
  coordination: 5,
  crossing: 6,
  pair: 7,
  shape: 8,
};

/** Roles of words in views besides head and modifier, by universal tag. */
export const ROLE = { none: 0, adposition: 1, subordinator: 2, coordinator: 3, punctuation: 4 } as const;

/** Pairs of punctuation, opening and closing. Of commas, each one and the next. */
const SIGNS: readonly (readonly [open: string, close: string])[] = [
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
  ["“", "”"],
  ["„", "“"],
  ["„", "”"],
  ["«", "»"],
  ["»", "«"],
  ["‘", "’"],
  ['"', '"'],
  ["'", "'"],
  ["–", "–"],
  ["-", "-"],
  [",", ","],
];

/**
 * Hashed features of the views of a tree. A feature is the XOR of one code for each word of the view and one
 * of the pattern, and selects a line of `PART_LINE` weights: its own, and one for each of seven buckets.
 */
export class GlobalFeatures {
  /** Maximum number of lines of a view. */
  readonly capacity: number;
  /** The role of each word: see `ROLE`. */
  role = new Uint8Array(0);
  /**
   * For each position, the punctuation that closes the pair it opens, and the one that opens the pair it
   * closes; 0 = none.
   */
  closing = new Int32Array(0);
  opening = new Int32Array(0);
  /** The last word that is not punctuation; the last word if there is no other. */
  last = 0;
  /** For each position, the code of its universal tag. */
  tagCodes = new Int32Array(0);
  readonly #shift: number;
  /** The number of templates of each view, and the coders of its words. */
  readonly #widths: Int32Array;
  readonly #coders: readonly (readonly ContextCoder[])[];
  readonly #words = new Int32Array(4);
  readonly #codes: Int32Array;
  /** For each kind of pair, the opening word that may be closed next. */
  readonly #open = new Int32Array(SIGNS.length);
  #pattern = 0;
  #bucket = 1;
  #sentence!: EncodedSentence;

  /**
   * @param templates views that are left out have no features
   * @param lineBits the table has 2^lineBits lines
   * @throws RangeError on a template that cannot be read
   */
  constructor(templates: Readonly<Partial<Record<GlobalView, readonly Template[]>>>, lineBits: number) {
    this.#shift = 32 - lineBits;
    this.#widths = Int32Array.from(GLOBAL_VIEWS, (view) => templates[view]?.length ?? 0);
    this.capacity = Math.max(...this.#widths);
    this.#codes = new Int32Array(this.capacity);
    this.#coders = GLOBAL_VIEWS.map((view) => codersOf(view, templates[view] ?? []));
  }

  /** Codes the contexts of all words. O(n · templates). Must come before the other methods. */
  prepare(sentence: EncodedSentence): void {
    this.#sentence = sentence;
    for (const coders of this.#coders) for (const coder of coders) coder.prepare(sentence);
    const { n, columns } = sentence;
    if (this.role.length < n + 2) {
      this.role = new Uint8Array(2 * n + 2);
      this.closing = new Int32Array(2 * n + 2);
      this.opening = new Int32Array(2 * n + 2);
      this.tagCodes = new Int32Array(2 * n + 2);
    }
    const tags = columns[UPOS];
    this.last = n;
    for (let i = 0; i <= n; i++) {
      this.tagCodes[i] = tags[i + PADDING];
      this.role[i] = ROLES.get(tags[i + PADDING]) ?? ROLE.none;
    }
    while (this.last > 1 && this.role[this.last] === ROLE.punctuation) this.last--;
    if (this.role[this.last] === ROLE.punctuation) this.last = n;
    this.#pairSigns();
  }

  /**
   * Finds pairs of punctuation: a closing one belongs to the last one that could open it. O(n · kinds of
   * pairs).
   */
  #pairSigns(): void {
    const { n, columns } = this.#sentence;
    const { closing, opening } = this;
    const open = this.#open;
    const shapes = columns[SHAPE];
    closing.fill(0);
    opening.fill(0);
    open.fill(0);
    for (let i = 1; i <= n; i++) {
      const shape = shapes[i + PADDING];
      for (let kind = 0; kind < SIGNS.length; kind++) {
        const from = open[kind];
        if (shape === CLOSES[kind] && from > 0 && closing[from] === 0) {
          closing[from] = i;
          opening[i] = from;
          open[kind] = kind === COMMAS ? i : 0;
        } else if (shape === OPENS[kind] && opening[i] === 0) open[kind] = i;
      }
    }
  }

  /** Whether a view has features. */
  has(view: number): boolean {
    return this.#widths[view] > 0;
  }

  /**
   * Returns the sum of the weights of a view with the given arguments: see `GLOBAL_VIEWS`. O(templates).
   *
   * @param from offset of the table in `weights`
   */
  sum(weights: Weights, from: number, view: number, a: number, b: number, c: number, d: number): number {
    const width = this.#widths[view];
    if (width === 0) return 0;
    this.#join(view, width, a, b, c, d);
    const codes = this.#codes;
    const shift = this.#shift;
    const bucket = this.#bucket;
    let sum = 0;
    for (let t = 0; t < width; t++) {
      const line = from + (Math.imul(codes[t], SPREAD) >>> shift) * PART_LINE;
      sum += weights[line] + weights[line + bucket];
    }
    return sum;
  }

  /**
   * Writes the offsets of the weights of a view with the given arguments, two a template: at most `capacity`
   * twice.
   *
   * @returns their number
   */
  offsets(from: number, view: number, a: number, b: number, c: number, d: number, into: Int32Array): number {
    const width = this.#widths[view];
    if (width === 0) return 0;
    this.#join(view, width, a, b, c, d);
    for (let t = 0; t < width; t++) {
      const line = from + (Math.imul(this.#codes[t], SPREAD) >>> this.#shift) * PART_LINE;
      into[2 * t] = line;
      into[2 * t + 1] = line + this.#bucket;
    }
    return 2 * width;
  }

  /** Joins the codes of the pattern and of all words of a view, template by template, in `#codes`. */
  #join(view: number, width: number, a: number, b: number, c: number, d: number): void {
    this.#place(view, a, b, c, d);
    const joined = this.#codes;
    const pattern = codeOf(CODE.viewPattern, this.#pattern);
    for (let t = 0; t < width; t++) joined[t] = pattern;
    const coders = this.#coders[view];
    for (let k = 0; k < coders.length; k++) {
      const { codes } = coders[k];
      const at = this.#words[k] * width;
      for (let t = 0; t < width; t++) joined[t] ^= codes[at + t];
    }
  }

  /** Sets words, pattern and bucket of a view: the table of `GLOBAL_VIEWS`, line by line. */
  #place(view: number, a: number, b: number, c: number, d: number): void {
    const words = this.#words;
    words[0] = a;
    words[1] = b;
    words[2] = c;
    words[3] = d;
    switch (view) {
      case VIEW.valency:
        this.#pattern = 4 * Math.min(b, 3) + Math.min(c, 3);
        this.#bucket = 1 + Math.min(b + c, 6);
        break;
      case VIEW.leftTags:
      case VIEW.rightTags:
        this.#pattern = b;
        this.#bucket = Math.min(c, 7);
        break;
      case VIEW.span:
        words[2] = c - 1;
        words[3] = d + 1;
        this.#pattern = a < b ? 1 : 0;
        this.#bucket = distanceBucket(d - c + 1);
        break;
      case VIEW.phrase:
        this.#pattern = (a < c ? 1 : 0) + (b < c ? 2 : 0);
        this.#bucket = distanceBucket(Math.abs(a - c));
        break;
      case VIEW.coordination:
        this.#pattern = this.#shared(a, c);
        this.#bucket = balance(b - a - 1, d - c);
        break;
      case VIEW.crossing:
        this.#pattern = a < b ? 1 : 0;
        this.#bucket = distanceBucket(Math.abs(a - b));
        break;
      case VIEW.pair:
        this.#pattern = (c === d ? 1 : 0) + (a < c && c < b ? 2 : 0) + (a < d && d < b ? 4 : 0);
        this.#bucket = distanceBucket(b - a);
        break;
      default:
        this.#placeShape(a, b);
    }
  }

  #placeShape(which: number, value: number): void {
    const { n } = this.#sentence;
    this.#words[0] = this.last;
    this.#pattern = 8 * which + distanceBucket(n);
    this.#bucket = which === 2 ? 1 + Math.min(value, 6) : 1 + Math.min(6, Math.floor((7 * value) / (n + 1)));
  }

  /** Returns what two words share, as bits: tag, case, features. */
  #shared(i: number, j: number): number {
    const { columns } = this.#sentence;
    const same = (column: number) => columns[column][i + PADDING] === columns[column][j + PADDING];
    return (same(UPOS) ? 1 : 0) + (same(CASE) ? 2 : 0) + (same(FEATS) ? 4 : 0);
  }
}

function codersOf(view: GlobalView, templates: readonly Template[]): ContextCoder[] {
  const anchors = GLOBAL_WORDS[view];
  const parsed = templates.map((text) => ({
    text: `${view} ${text}`,
    pieces: parsePartTemplate(text, anchors),
  }));
  return anchors.map((anchor, index) => {
    const contexts = parsed.map(({ text, pieces }) => ({ text, pieces: pieces.get(anchor)! }));
    return new ContextCoder(contexts, CONTEXT_SEED.view + index);
  });
}

/**
 * Compares the lengths of two conjuncts' right parts: none, the same, the second longer (by up to 2),
 * shorter.
 */
function balance(first: number, second: number): number {
  const difference = second - Math.max(0, first);
  if (difference === 0) return second === 0 ? 1 : 2;
  if (difference > 0) return difference <= 2 ? 3 : 4;
  return difference >= -2 ? 5 : 6;
}

const { upos: UPOS, case: CASE, feats: FEATS, shape: SHAPE } = COLUMN;
const SPREAD = 0x9e3779b1;
const ROLES: ReadonlyMap<number, number> = new Map([
  [hashString("ADP", UPOS), ROLE.adposition],
  [hashString("SCONJ", UPOS), ROLE.subordinator],
  [hashString("CCONJ", UPOS), ROLE.coordinator],
  [hashString("PUNCT", UPOS), ROLE.punctuation],
]);
const OPENS = Int32Array.from(SIGNS, ([open]) => hashString(open, SHAPE));
const CLOSES = Int32Array.from(SIGNS, ([, close]) => hashString(close, SHAPE));
const COMMAS = SIGNS.length - 1;

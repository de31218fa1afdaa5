import { ContextCoder } from "../context-coder.ts";
import { ATTRIBUTES, type EncodedSentence, PADDING } from "../encode.ts";
import { codeOf, extend, hashString } from "../hash.ts";
import { type Piece, parsePiece, type Template } from "../templates.ts";

/** A basic tree and edges suggested by rules: an input of graph features besides the words. */
export interface SyntaxInput {
  /** n + 1 heads; `heads[0] === -1`. */
  readonly heads: Int32Array;
  /** Labels of the words, n + 1 entries. */
  readonly labels: readonly string[];
  /** Edges that rules suggest. */
  readonly suggested?:
    | readonly {
        readonly head: number;
        readonly modifier: number;
        readonly label: string;
      }[]
    | undefined;
}

/** Pieces of one word that come from the tree, as columns after the columns of `ATTRIBUTES`. */
const TREE_ATTRIBUTES = ["relation", "parent", "parenttag"] as const;
/** Pieces of a pair of words. */
const PAIR_PIECES = ["path", "tagpath", "steps", "rule"] as const;

const OWN_PIECES = [
  ...PAIR_PIECES,
  ...["h", "m"].flatMap((w) => TREE_ATTRIBUTES.map((name) => `${w}.${name}`)),
];

const NONE = codeOf(211, 0);
const UP = 0x51ed270b;
const DOWN = 0x2545f491;
const SPREAD = 0x9e3779b1;
const LEMMA = ATTRIBUTES.indexOf("lemma");
const UPOS = ATTRIBUTES.indexOf("upos");

interface SyntaxTemplate {
  readonly text: Template;
  readonly head: Piece[];
  readonly modifier: Piece[];
  /** Indices into `PAIR_PIECES`. */
  readonly pair: number[];
}

/**
 * Hashed features of arcs (or, with templates of h alone, of words) from a basic tree. A feature is the XOR
 * of a code of the head's context, one of the modifier's, and codes of the path between them.
 */
export class SyntaxFeatures {
  /** Number of lines that an arc has. */
  readonly width: number;
  readonly #templates: readonly SyntaxTemplate[];
  readonly #heads: ContextCoder;
  readonly #modifiers: ContextCoder;
  readonly #shift: number;
  readonly #length: number;
  #sentence!: EncodedSentence;
  #tree!: Int32Array;
  #depth = new Int32Array(0);
  #relations = new Int32Array(0);
  #rules: ReadonlyMap<number, number> = new Map();
  readonly #pair = new Int32Array(PAIR_PIECES.length);

  /**
   * @param lineBits the table has 2^lineBits lines
   * @param length length of a line
   * @throws RangeError on a template that cannot be read
   */
  constructor(templates: readonly Template[], lineBits: number, length: number) {
    this.#templates = templates.map(parseSyntaxTemplate);
    this.width = templates.length;
    this.#heads = new ContextCoder(
      this.#templates.map(({ text, head }) => ({ text, pieces: head })),
      21,
    );
    this.#modifiers = new ContextCoder(
      this.#templates.map(({ text, modifier }) => ({ text, pieces: modifier })),
      22,
    );
    this.#shift = 32 - lineBits;
    this.#length = length;
  }

  /** Codes the contexts of all words. O(n · templates). Must come before `lines`. */
  prepare(sentence: EncodedSentence, { heads, labels, suggested = [] }: SyntaxInput): void {
    const { n } = sentence;
    this.#sentence = sentence;
    this.#tree = heads;
    this.#relations = Int32Array.from(labels, (label) => hashString(label, 212));
    if (this.#depth.length <= n) this.#depth = new Int32Array(2 * (n + 1));
    this.#depth.fill(-1, 0, n + 1);
    for (let w = 0; w <= n; w++) this.#measure(w);
    const columns = [...sentence.columns, ...this.#treeColumns()];
    this.#heads.prepare({ ...sentence, columns });
    this.#modifiers.prepare({ ...sentence, columns });
    const rules = new Map<number, number>();
    for (const { head, modifier, label } of suggested) {
      const key = head * (n + 1) + modifier;
      rules.set(key, extend(rules.get(key) ?? NONE, hashString(label, 213)));
    }
    this.#rules = rules;
  }

  /** Computes the depth of a word, through the ancestors whose depth is not known yet. */
  #measure(word: number): void {
    const above: number[] = [];
    let w = word;
    while (w > 0 && this.#depth[w] < 0) {
      above.push(w);
      w = this.#tree[w];
    }
    let depth = w <= 0 ? 0 : this.#depth[w];
    if (w === 0) this.#depth[0] = 0;
    for (let k = above.length - 1; k >= 0; k--) this.#depth[above[k]] = ++depth;
  }

  #treeColumns(): Int32Array[] {
    const { n, columns } = this.#sentence;
    const make = (of: (word: number) => number) => {
      const column = new Int32Array(n + 1 + 2 * PADDING).fill(NONE);
      for (let w = 1; w <= n; w++) column[w + PADDING] = of(w);
      return column;
    };
    const headCode = (column: Int32Array) => (w: number) => column[this.#tree[w] + PADDING] ^ UP;
    return [make((w) => this.#relations[w]), make(headCode(columns[LEMMA])), make(headCode(columns[UPOS]))];
  }

  /**
   * Writes the offsets of the lines of h -> m from `lines[from]` on; returns the new number of lines. With
   * templates of h alone, m is h. O(templates + length of the path).
   */
  lines(h: number, m: number, lines: Int32Array, from: number): number {
    this.#measurePair(h, m);
    const { codes: headCode } = this.#heads;
    const { codes: modifierCodes } = this.#modifiers;
    const { width } = this;
    const direction = h < m ? 0x3c6ef372 : 0x1f83d9ab;
    let at = from;
    for (let t = 0; t < width; t++) {
      let code = headCode[h * width + t] ^ modifierCodes[m * width + t] ^ direction;
      for (const piece of this.#templates[t].pair) code = extend(code, this.#pair[piece]);
      lines[at++] = (Math.imul(code, SPREAD) >>> this.#shift) * this.#length;
    }
    return at;
  }

  /** Codes of the path, of the tags on it, of its steps and of the rule. */
  #measurePair(h: number, m: number): void {
    const depth = this.#depth;
    const tree = this.#tree;
    const tags = this.#sentence.columns[UPOS];
    let path = NONE;
    let tagPath = NONE;
    let up = 0;
    let from = h;
    let below = m;
    // Up from the head to the lowest common ancestor; labels of the downward path are joined from the
    // modifier on.
    let down = NONE;
    let tagDown = NONE;
    let downSteps = 0;
    while (from !== below) {
      if (depth[from] >= depth[below]) {
        path = extend(path, this.#relations[from] ^ UP);
        from = tree[from];
        tagPath = extend(tagPath, tags[from + PADDING] ^ UP);
        up++;
      } else {
        down = extend(down, this.#relations[below] ^ DOWN);
        below = tree[below];
        tagDown = extend(tagDown, tags[below + PADDING] ^ DOWN);
        downSteps++;
      }
    }
    this.#pair[0] = extend(path, down);
    this.#pair[1] = extend(tagPath, tagDown);
    this.#pair[2] = codeOf(214, 16 * Math.min(up, 15) + Math.min(downSteps, 15));
    this.#pair[3] = this.#rules.get(h * (this.#sentence.n + 1) + m) ?? NONE;
  }
}

function parseSyntaxTemplate(text: Template): SyntaxTemplate {
  const template: SyntaxTemplate = { text, head: [], modifier: [], pair: [] };
  for (const piece of text.split(" ")) {
    const pair = PAIR_PIECES.indexOf(piece as (typeof PAIR_PIECES)[number]);
    if (pair >= 0) {
      template.pair.push(pair);
      continue;
    }
    const treePiece = /^([hm])\.(relation|parent|parenttag)$/.exec(piece);
    if (treePiece !== null) {
      const column =
        ATTRIBUTES.length + TREE_ATTRIBUTES.indexOf(treePiece[2] as (typeof TREE_ATTRIBUTES)[number]);
      template[treePiece[1] === "h" ? "head" : "modifier"].push({ column, offset: 0 });
      continue;
    }
    const [anchor, parsed] = parsePiece(piece, text, ["h", "m"], OWN_PIECES);
    template[anchor === "h" ? "head" : "modifier"].push(parsed);
  }
  return template;
}

import { ContextCoder } from "../context-coder.ts";
import type { EncodedSentence } from "../encode.ts";
import { codeOf } from "../hash.ts";
import { type Piece, parsePiece, type Template } from "../templates.ts";
import { GRAPH_PART_WORDS, type GraphFeaturedKind } from "./graph-templates.ts";

const SPREAD = 0x9e3779b1;

/**
 * Hashed features of the parts of a graph that join three words. A feature is the XOR of one code for each
 * word and one for their directions and distances, and selects one weight. Position n + 1 stands for an
 * absent word.
 */
export class GraphPartFeatures {
  readonly kind: GraphFeaturedKind;
  /** Number of features that a part has: each template by itself, and with distances. */
  readonly width: number;
  readonly #coders: readonly ContextCoder[];
  readonly #shift: number;

  /**
   * @param bits the table has 2^bits weights
   * @throws RangeError on a template that cannot be read
   */
  constructor(kind: GraphFeaturedKind, templates: readonly Template[], bits: number) {
    const words: readonly string[] = GRAPH_PART_WORDS[kind];
    this.kind = kind;
    this.width = 2 * templates.length;
    this.#shift = 32 - bits;
    const parsed = templates.map((text) => parseGraphTemplate(text, words));
    this.#coders = words.map(
      (word, index) =>
        new ContextCoder(
          parsed.map((pieces, t) => ({ text: `${kind} ${templates[t]}`, pieces: pieces.get(word)! })),
          31 + index,
        ),
    );
  }

  /** Codes the contexts of all words. O(n · templates). Must come before `indices`. */
  prepare(sentence: EncodedSentence): void {
    for (const coder of this.#coders) coder.prepare(sentence);
  }

  /**
   * Writes the indices of the weights of a part, from 0 on in its table, to `indices[0 .. width - 1]`.
   *
   * @param n number of words: positions above it are absent words
   */
  indices(n: number, a: number, b: number, c: number, indices: Int32Array): void {
    const templates = this.width / 2;
    const [first, second, third] = this.#coders;
    const directions = codeOf(221, 4 * order(n, a, b) + order(n, b, c) + 16 * order(n, a, c));
    const distances = codeOf(222, 64 * gap(n, a, b) + 8 * gap(n, b, c) + gap(n, a, c));
    for (let t = 0; t < templates; t++) {
      const code =
        first!.codes[a * templates + t] ^
        second!.codes[b * templates + t] ^
        third!.codes[c * templates + t] ^
        directions;
      indices[2 * t] = Math.imul(code, SPREAD) >>> this.#shift;
      indices[2 * t + 1] = Math.imul(code ^ distances, SPREAD) >>> this.#shift;
    }
  }
}

/** Returns 0 when one of the words is absent; 1 or 2 when the first is before or after the second. */
function order(n: number, a: number, b: number): number {
  if (a > n || b > n) return 0;
  return a < b ? 1 : 2;
}

/** Returns the distance of two words in growing steps; 0 where one is absent. */
function gap(n: number, a: number, b: number): number {
  if (a > n || b > n) return 0;
  const distance = Math.abs(a - b);
  if (distance <= 3) return distance;
  if (distance <= 5) return 4;
  if (distance <= 9) return 5;
  return distance <= 19 ? 6 : 7;
}

function parseGraphTemplate(text: Template, words: readonly string[]): Map<string, Piece[]> {
  const pieces = new Map<string, Piece[]>(words.map((word) => [word, []]));
  for (const part of text.split(" ")) {
    const [anchor, piece] = parsePiece(part, text, words);
    pieces.get(anchor)!.push(piece);
  }
  return pieces;
}

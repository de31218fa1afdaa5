import { ContextCoder } from "./context-coder.ts";
import type { EncodedSentence } from "./encode.ts";
import { hashString, mix } from "./hash.ts";
import { type Piece, parsePartTemplate } from "./templates.ts";

/**
 * A template of features of one word in its context: attributes of the word (`lemma`), of words up to two
 * positions away (`-1.upos`), and `feat`, each of its morphological features in turn.
 */
export type WordTemplate = string;

/** A parsed template. */
export interface ParsedWordTemplate {
  readonly text: WordTemplate;
  readonly pieces: readonly Piece[];
  /** Whether it takes the morphological features of the word in turn. */
  readonly inTurn: boolean;
}

/**
 * Reads a template.
 *
 * @throws RangeError when a piece is not an attribute of a nearby word, or comes twice
 */
export function parseWordTemplate(text: WordTemplate): ParsedWordTemplate {
  const pieces = text.split(" ");
  const plain = pieces.filter((piece) => piece !== "feat");
  if (pieces.length - plain.length > 1) throw new RangeError(`template "${text}" names a piece twice`);
  const anchored = plain.map((piece) => (/^[+-]/.test(piece) ? `m${piece}` : `m.${piece}`));
  const parsed = plain.length === 0 ? [] : parsePartTemplate(anchored.join(" "), ["m"]).get("m")!;
  return { text, pieces: parsed, inTurn: plain.length < pieces.length };
}

/** Distinguishes these features from others. Models store codes that depend on it. */
const SALT = hashString("tensor");

/**
 * Features of single words as 32-bit codes. One instance contains the codes of the last prepared sentence, in
 * memory that grows with the longest sentence.
 */
export class WordFeatures {
  /** Features of position i (0 is the root): `codes[start[i] .. start[i + 1] - 1]`. */
  start = new Int32Array(1);
  codes = new Int32Array(0);
  /** Index of the template of each feature. */
  templates = new Uint8Array(0);
  readonly #contexts: ContextCoder;
  readonly #inTurn: Uint8Array;

  /** @throws RangeError on a template that cannot be read */
  constructor(templates: readonly WordTemplate[]) {
    const parsed = templates.map(parseWordTemplate);
    this.#contexts = new ContextCoder(parsed, SALT);
    this.#inTurn = Uint8Array.from(parsed, ({ inTurn }) => (inTurn ? 1 : 0));
  }

  /** Codes the features of all words of a sentence, and of its root. O(n · templates). */
  prepare(sentence: EncodedSentence): void {
    const { n, featStart, feats } = sentence;
    this.#contexts.prepare(sentence);
    const { codes: contexts, width } = this.#contexts;
    const inTurn = this.#inTurn;
    const length = (n + 1) * width + feats.length * width;
    if (this.codes.length < length) {
      this.codes = new Int32Array(2 * length);
      this.templates = new Uint8Array(2 * length);
    }
    if (this.start.length < n + 2) this.start = new Int32Array(2 * (n + 2));
    const { start, codes, templates } = this;
    let count = 0;
    for (let i = 0; i <= n; i++) {
      start[i] = count;
      for (let t = 0; t < width; t++) {
        const code = contexts[i * width + t];
        if (inTurn[t] === 0) {
          templates[count] = t;
          codes[count++] = code;
          continue;
        }
        for (let f = featStart[i]; f < featStart[i + 1]; f++) {
          templates[count] = t;
          codes[count++] = mix(code ^ feats[f]);
        }
      }
    }
    start[n + 1] = count;
  }
}

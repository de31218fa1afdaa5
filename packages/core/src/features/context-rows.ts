import { type EncodedSentence, PADDING } from "./encode.ts";
import { extend } from "./hash.ts";
import { columnOf, type Piece } from "./templates.ts";

/**
 * A context: pieces around a word. It is one object for all templates, of arcs and of any kind of parts, that
 * take the same pieces, and codes them once a sentence.
 */
export interface Context {
  readonly pieces: readonly Piece[];
  /** The codes of the words 0 .. n of `sentence`, and of an absent word at n + 1. */
  row: Int32Array;
  /** The sentence that was coded last. */
  sentence: EncodedSentence | undefined;
}

/** Codes of a context of no pieces, and of an absent word. */
const EMPTY = 0x3f84d5b5;
const ABSENT = 0x7feb352d;

const contexts = new Map<string, Context>();

/** Returns the context of these pieces. */
export function contextOf(pieces: readonly Piece[]): Context {
  const key = pieces.map(({ column, feature = column, offset }) => `${feature}:${offset}`).join(" ");
  let context = contexts.get(key);
  if (context === undefined) {
    context = { pieces, row: new Int32Array(0), sentence: undefined };
    contexts.set(key, context);
  }
  return context;
}

/**
 * Returns the codes of a context at each word: valid until it is asked for another sentence. O(n · pieces),
 * once for a sentence, which must not change meanwhile.
 */
export function codeContext(context: Context, sentence: EncodedSentence): Int32Array {
  if (context.sentence === sentence) return context.row;
  context.sentence = undefined;
  const { n } = sentence;
  if (context.row.length < n + 2) context.row = new Int32Array(2 * (n + 2));
  const { row, pieces } = context;
  row.fill(EMPTY, 0, n + 1);
  for (const piece of pieces) {
    const column = columnOf(sentence, piece);
    const shift = piece.offset + PADDING;
    for (let i = 0; i <= n; i++) row[i] = extend(row[i], column[i + shift]);
  }
  row[n + 1] = ABSENT;
  context.sentence = sentence;
  return row;
}

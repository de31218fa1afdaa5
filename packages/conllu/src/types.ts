/** The columns of a row other than ID, as text, `_` included. */
export interface Columns {
  form: string;
  lemma: string;
  upos: string;
  xpos: string;
  feats: string;
  deprel: string;
  deps: string;
  misc: string;
}

/** A syntactic word, `ID` 1..n. */
export interface WordRow extends Columns {
  readonly kind: "word";
  readonly id: number;
  /** 0..n, or -1 for `_`. */
  head: number;
}

/** A multiword token, `first-last`. */
export interface RangeRow extends Columns {
  readonly kind: "range";
  readonly first: number;
  readonly last: number;
}

/** An empty node of the enhanced graph, `after.index`. */
export interface EmptyRow extends Columns {
  readonly kind: "empty";
  readonly after: number;
  readonly index: number;
}

/** A row of a sentence: a word, a range of words, or an empty node. */
export type Row = WordRow | RangeRow | EmptyRow;

/**
 * A sentence of a CoNLL-U file, with all comments and rows in their order.
 *
 * @example
 * const [sentence] = parseConllu("1\tDogs\tdog\tNOUN\t_\t_\t0\troot\t_\t_\n\n");
 * sentence; // { comments: [], rows: [{ kind: "word", id: 1, form: "Dogs", head: 0, … }], line: 1 }
 */
export interface ConlluSentence {
  /** Comment lines, with their `#`. */
  comments: string[];
  rows: Row[];
  /** Line of the source (from 1) where the sentence starts; 0 when it comes from no file. */
  line: number;
  /**
   * Offset of the sentence in the raw text that it was cut from, in UTF-16 code units; absent when it comes
   * from a file of sentences.
   */
  start?: number | undefined;
  /** The unit of `start`, and of all offsets that views and JSON give. Default: UTF-16 code units. */
  offsets?: "code-points" | undefined;
}

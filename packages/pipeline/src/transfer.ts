import type { Columns, ConlluSentence, Row } from "@arcwise/conllu";

/**
 * A sentence as columns. A structured clone of it takes a third of the time of one of its rows, which has the
 * name of each column in each row.
 */
export interface PackedSentence {
  readonly comments: string[];
  readonly line: number;
  readonly start: number | undefined;
  /** Four entries per row: its kind, two numbers of its ID, and its head. */
  readonly ids: Int32Array;
  /** By column; undefined: all entries are `_`. */
  readonly columns: readonly (readonly string[] | undefined)[];
}

const NAMES = [
  "form",
  "lemma",
  "upos",
  "xpos",
  "feats",
  "deprel",
  "deps",
  "misc",
] as const satisfies readonly (keyof Columns)[];
const WORD = 0;
const RANGE = 1;
const EMPTY = 2;

/** Packs a sentence. O(rows). */
export function packSentence({ comments, rows, line, start }: ConlluSentence): PackedSentence {
  const ids = new Int32Array(4 * rows.length);
  for (const [r, row] of rows.entries()) {
    if (row.kind === "word") ids.set([WORD, row.id, 0, row.head], 4 * r);
    else if (row.kind === "range") ids.set([RANGE, row.first, row.last, -1], 4 * r);
    else ids.set([EMPTY, row.after, row.index, -1], 4 * r);
  }
  const columns = NAMES.map((name) =>
    rows.some((row) => row[name] !== "_") ? rows.map((row) => row[name]) : undefined,
  );
  return { comments, line, start, ids, columns };
}

/** Returns the sentence that was packed. O(rows). */
export function unpackSentence({ comments, line, start, ids, columns }: PackedSentence): ConlluSentence {
  const [form, lemma, upos, xpos, feats, deprel, deps, misc] = columns;
  const rows = Array.from({ length: ids.length / 4 }, (_, r): Row => {
    const own = {
      form: form?.[r] ?? "_",
      lemma: lemma?.[r] ?? "_",
      upos: upos?.[r] ?? "_",
      xpos: xpos?.[r] ?? "_",
      feats: feats?.[r] ?? "_",
      deprel: deprel?.[r] ?? "_",
      deps: deps?.[r] ?? "_",
      misc: misc?.[r] ?? "_",
    };
    const [kind, a, b, head] = [ids[4 * r]!, ids[4 * r + 1]!, ids[4 * r + 2]!, ids[4 * r + 3]!];
    if (kind === WORD) return { kind: "word", id: a, head, ...own };
    return kind === RANGE
      ? { kind: "range", first: a, last: b, ...own }
      : { kind: "empty", after: a, index: b, ...own };
  });
  return start === undefined ? { comments, rows, line } : { comments, rows, line, start };
}

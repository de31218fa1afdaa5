import type { Columns, ConlluSentence, Row } from "@arcwise/conllu";
import fc from "fast-check";

const SEPARATORS = /[\t\n\r\0]/g;

/** Any Unicode text that is valid in a column. */
export const column = fc.oneof(
  fc.constantFrom("_", "NOUN", "Case=Nom|Number=Sing", "SpaceAfter=No", "1:nsubj", "a  b", "#"),
  fc.string({ unit: "binary", maxLength: 20 }).map((text) => text.replace(SEPARATORS, "") || "_"),
);

/** Rows with these columns of text, whose names stand between spaces. */
export function textColumns<Name extends string>(names: string): fc.Arbitrary<Record<Name, string>> {
  return fc.record(Object.fromEntries(names.split(" ").map((name) => [name, column]))) as never;
}

const columns: fc.Arbitrary<Columns> = textColumns("form lemma upos xpos feats deprel deps misc");

export const comments = fc.array(
  fc.oneof(
    fc.string({ unit: "binary", maxLength: 30 }).map((text) => `#${text.replace(SEPARATORS, " ")}`),
    fc.constantFrom("# sent_id = a-1", "# text = A b", "#", "# a\tb"),
  ),
  { maxLength: 4 },
);

interface Shape {
  readonly columns: Columns;
  readonly head: number;
  /** Number of words of a range that starts here; 0 for no range. */
  readonly range: number;
  readonly rangeColumns: Columns;
  readonly empty: readonly Columns[];
}

const shape: fc.Arbitrary<Shape> = fc.record({
  columns,
  head: fc.integer({ min: -1, max: 12 }),
  range: fc.constantFrom(0, 0, 0, 1, 2, 3),
  rangeColumns: columns,
  empty: fc.array(columns, { maxLength: 2 }),
});

function rowsOf(before: readonly Columns[], shapes: readonly Shape[]): Row[] {
  const rows: Row[] = [];
  const addEmpty = (after: number, nodes: readonly Columns[]) => {
    for (const [i, node] of nodes.entries()) rows.push({ kind: "empty", after, index: i + 1, ...node });
  };
  addEmpty(0, before);
  let covered = 0;
  for (const [i, { columns, head, range, rangeColumns, empty }] of shapes.entries()) {
    const id = i + 1;
    const last = Math.min(id + range - 1, shapes.length);
    if (range > 0 && id > covered) {
      rows.push({ kind: "range", first: id, last, ...rangeColumns });
      covered = last;
    }
    rows.push({ kind: "word", id, ...columns, head });
    addEmpty(id, empty);
  }
  return rows;
}

/** Sentences with every construct of the format; their heads need not be a tree. */
export const sentence: fc.Arbitrary<ConlluSentence> = fc
  .record({
    comments,
    before: fc.array(columns, { maxLength: 2 }),
    shapes: fc.array(shape, { minLength: 1, maxLength: 8 }),
  })
  .map(({ comments, before, shapes }) => ({ comments, rows: rowsOf(before, shapes), line: 0 }));

/** Returns a sentence without its line in the file, for comparisons. */
export function placeless<S extends { line: number }>(sentence: S): S {
  return { ...sentence, line: 0 };
}

import type { ConlluSentence, Row } from "@arcwise/conllu";

/** Columns of a word that CoNLL-U lacks, by their names. */
export type FurtherColumns = Readonly<Record<string, string>>;

/** A sentence with everything that one of the formats has: CoNLL-U, and further columns of each word. */
export interface AnnotatedSentence extends ConlluSentence {
  /** One entry per word, or none. */
  readonly further?: readonly FurtherColumns[] | undefined;
  /** Line of the source that has the whole sentence, in formats with a line per sentence; `line` is 0 there. */
  readonly place?: number | undefined;
}

/** Numbers of values by what they are. */
export type Losses = Map<string, number>;

const COLUMNS = ["form", "lemma", "upos", "xpos", "feats", "deprel", "deps", "misc"] as const;

/**
 * Counts what a sentence has and a copy of it, as a format holds it, has not. O(length).
 *
 * @param losses the counts to add to
 */
export function countLosses(sentence: AnnotatedSentence, held: AnnotatedSentence, losses: Losses): void {
  const copy = itemsOf(held);
  for (const [key, { kind, value }] of itemsOf(sentence)) {
    if (copy.get(key)?.value !== value) losses.set(kind, (losses.get(kind) ?? 0) + 1);
  }
}

interface Item {
  readonly kind: string;
  readonly value: string;
}

/** Returns all values of a sentence that are not `_`, by place. */
function itemsOf({ comments, rows, start, further = [] }: AnnotatedSentence): Map<string, Item> {
  const items = new Map<string, Item>();
  const seen = new Map<string, number>();
  for (const comment of comments) {
    const repeated = seen.get(comment) ?? 0;
    seen.set(comment, repeated + 1);
    items.set(`# ${repeated} ${comment}`, { kind: "comments", value: comment });
  }
  for (const row of rows) addRow(items, row);
  for (const [i, columns] of further.entries()) {
    for (const [kind, value] of Object.entries(columns)) {
      if (value !== "_") items.set(`further ${i} ${kind}`, { kind, value });
    }
  }
  if (start !== undefined) items.set("start", { kind: "offsets of sentences", value: `${start}` });
  return items;
}

function addRow(items: Map<string, Item>, row: Row): void {
  if (row.kind !== "word") {
    const [kind, id] =
      row.kind === "range"
        ? ["multiword tokens", `${row.first}-${row.last}`]
        : ["empty nodes", `${row.after}.${row.index}`];
    items.set(id, { kind, value: COLUMNS.map((column) => row[column]).join("\t") });
    return;
  }
  for (const column of COLUMNS) {
    const value = row[column];
    if (value !== "_" || column === "form")
      items.set(`${row.id} ${column}`, { kind: column.toUpperCase(), value });
  }
  if (row.head >= 0) items.set(`${row.id} head`, { kind: "HEAD", value: `${row.head}` });
}

/** Returns what was lost as one line: `12 LEMMA, 3 multiword tokens`. */
export function describeLosses(losses: Losses): string {
  return [...losses].map(([kind, count]) => `${count} ${kind}`).join(", ");
}

import { depsEdge } from "../graphs/deps.ts";
import type { Columns, WordRow } from "../types.ts";
import { rowId } from "../write.ts";
import {
  type Attributes,
  type Features,
  type NamedItems,
  readAttributes,
  readFeatures,
} from "./attributes.ts";
import { spacesAfter, type TokenRow } from "./tokens.ts";

/** An edge of the enhanced graph as JSON: the head is a word, an empty node such as `"8.1"`, or 0 for the root. */
export interface EdgeJson {
  readonly head: number | string;
  readonly deprel: string;
}

/**
 * Columns as JSON; those that are `_` are left out. Where FEATS, DEPS or MISC cannot be written back from
 * their items, as with repeated names, they are the text of the column.
 */
export interface ColumnsJson {
  readonly lemma?: string | undefined;
  readonly upos?: string | undefined;
  readonly xpos?: string | undefined;
  readonly feats?: Features | string | undefined;
  readonly deprel?: string | undefined;
  readonly deps?: readonly EdgeJson[] | string | undefined;
  readonly misc?: Attributes | string | undefined;
}

/** A token as JSON. A multiword token may have columns of its own. */
export interface TokenJson extends ColumnsJson {
  /** `3`, or `3-4` for a multiword token. */
  readonly id: string;
  readonly form: string;
  /** IDs of the words. */
  readonly words: readonly number[];
  /** Offsets in the text that the sentence comes from. */
  readonly start: number;
  readonly end: number;
  readonly spaceAfter: boolean;
}

/** A word as JSON. */
export interface WordJson extends ColumnsJson {
  readonly id: number;
  readonly form: string;
  /** 0 for the root; absent when it is unknown. */
  readonly head?: number | undefined;
  /** Offsets of the word: of its part of the token if the words spell the token, of the whole token otherwise. */
  readonly start: number;
  readonly end: number;
}

/** An empty node as JSON. */
export interface EmptyNodeJson extends ColumnsJson {
  /** `8.1` for the first empty node after word 8. */
  readonly id: string;
  readonly form?: string | undefined;
}

/** A span as JSON: its text, its offsets, and the IDs of its head and its words. */
export interface SpanJson {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly head: number;
  readonly words: readonly number[];
}

/**
 * A sentence as JSON. Members without a value or entries are left out.
 *
 * @example
 * const json: SentenceJson = sentence.toJSON();
 * json.words[0]; // { id: 1, form: "Dogs", lemma: "dog", upos: "NOUN", head: 2, deprel: "nsubj", start: 0, end: 4 }
 */
export interface SentenceJson {
  readonly id?: string | undefined;
  readonly text: string;
  /** Offset of the sentence in the text that it was cut from. */
  readonly start?: number | undefined;
  /** The unit of all offsets. Default: UTF-16 code units. */
  readonly offsets?: "code-points" | undefined;
  /** All comment lines, with their `#`. */
  readonly comments: readonly string[];
  readonly tokens: readonly TokenJson[];
  readonly words: readonly WordJson[];
  readonly emptyNodes?: readonly EmptyNodeJson[] | undefined;
}

/** Returns a word as plain data. @param start its offset, up to `end` */
export function wordJson(row: WordRow, start: number, end: number): WordJson {
  return withColumns({ id: row.id, form: row.form, start, end }, row, row.head);
}

/** Returns a token as plain data. @param start its offsets, up to `end` */
export function tokenJson({ row, first, last }: TokenRow, start: number, end: number): TokenJson {
  const words: number[] = [];
  for (let id = first; id <= last; id++) words.push(id);
  const spaceAfter = spacesAfter(row.misc) !== "";
  const json = { id: rowId(row), form: row.form, words, start, end, spaceAfter };
  return row.kind === "range" ? withColumns(json, row) : json;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Adds the columns of a row other than FORM to a new JSON object. @param head HEAD, -1 for `_` */
export function withColumns<J>(
  json: J & Writable<ColumnsJson> & { head?: number },
  row: Columns,
  head = -1,
): J {
  const { lemma, upos, xpos, feats, deprel, deps, misc } = row;
  if (lemma !== "_") json.lemma = lemma;
  if (upos !== "_") json.upos = upos;
  if (xpos !== "_") json.xpos = xpos;
  if (feats !== "_") json.feats = reversibleItems(feats, readFeatures(feats));
  if (head >= 0) json.head = head;
  if (deprel !== "_") json.deprel = deprel;
  if (deps !== "_") json.deps = readEdges(deps) ?? deps;
  if (misc !== "_") json.misc = reversibleItems(misc, readAttributes(misc));
  return json;
}

/** Returns the items of a column if they spell it, and the column otherwise. */
function reversibleItems<T>(
  column: string,
  { items, isReversible }: NamedItems<T>,
): NamedItems<T>["items"] | string {
  return isReversible ? items : column;
}

/** Returns the edges of a DEPS column; undefined when an item is not an edge. */
function readEdges(deps: string): EdgeJson[] | undefined {
  const edges: EdgeJson[] = [];
  for (const item of deps.split("|")) {
    const edge = depsEdge(item);
    if (edge === undefined) return undefined;
    edges.push({ head: edge.index === 0 ? edge.after : edge.head, deprel: edge.relation });
  }
  return edges;
}

/** Returns the DEPS column of edges. */
export function spellEdges(edges: readonly EdgeJson[]): string {
  return edges.map(({ head, deprel }) => `${head}:${deprel}`).join("|");
}

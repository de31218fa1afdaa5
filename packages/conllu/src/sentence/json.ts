import { depsEdge, nodeName } from "../graphs/deps.ts";
import type { Columns } from "../types.ts";
import { type Attributes, type Features, readAttributes, readFeatures, spellItems } from "./attributes.ts";

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
  /** Offsets in the text that the sentence comes from, in UTF-16 code units. */
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
  /** Offsets of the token. */
  readonly start: number;
  readonly end: number;
}

/** An empty node as JSON. */
export interface EmptyNodeJson extends ColumnsJson {
  /** `8.1` for the first empty node after word 8. */
  readonly id: string;
  readonly form?: string | undefined;
}

/** A sentence as JSON. Members without a value or entries are left out. */
export interface SentenceJson {
  readonly id?: string | undefined;
  readonly text: string;
  /** Offset of the sentence in the text that it was cut from, in UTF-16 code units. */
  readonly start?: number | undefined;
  /** All comment lines, with their `#`. */
  readonly comments: readonly string[];
  readonly tokens: readonly TokenJson[];
  readonly words: readonly WordJson[];
  readonly emptyNodes?: readonly EmptyNodeJson[] | undefined;
}

/** Returns the columns of a row as JSON, without FORM. @param head HEAD, -1 for `_` */
export function columnsJson(row: Columns, head = -1): ColumnsJson & { head?: number } {
  const { lemma, upos, xpos, feats, deprel, deps, misc } = row;
  return {
    ...(lemma !== "_" && { lemma }),
    ...(upos !== "_" && { upos }),
    ...(xpos !== "_" && { xpos }),
    ...(feats !== "_" && { feats: reversible(feats, readFeatures(feats), spellItems) }),
    ...(head >= 0 && { head }),
    ...(deprel !== "_" && { deprel }),
    ...(deps !== "_" && { deps: reversible(deps, readEdges(deps), spellEdges) }),
    ...(misc !== "_" && { misc: reversible(misc, readAttributes(misc), spellItems) }),
  };
}

/** Returns the value of a column if it spells the column, and the column otherwise. */
function reversible<T>(column: string, value: T, spell: (value: T) => string): T | string {
  return spell(value) === column ? value : column;
}

function readEdges(deps: string): EdgeJson[] {
  return deps.split("|").flatMap((item) => {
    const edge = depsEdge(item);
    if (edge === undefined) return [];
    return [{ head: edge.index === 0 ? edge.after : nodeName(edge), deprel: edge.relation }];
  });
}

/** Returns the DEPS column of edges. */
export function spellEdges(edges: readonly EdgeJson[]): string {
  return edges.map(({ head, deprel }) => `${head}:${deprel}`).join("|");
}

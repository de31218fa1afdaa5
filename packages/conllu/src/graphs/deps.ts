import { describeValue, invalidArgument } from "@arcwise/core/errors";
import { number } from "../rows.ts";
import type { Row } from "../types.ts";

/** A node of an enhanced graph: word `after` (`index` 0; the root is 0.0), or empty node `index` after it. */
export interface NodeId {
  readonly after: number;
  readonly index: number;
}

/** One item of a DEPS column. */
export interface DepsEdge extends NodeId {
  /** ID of the head as written. */
  readonly head: string;
  readonly relation: string;
}

/** Parses an item of a DEPS column such as `8.1:conj:and`; undefined when it is malformed. */
export function depsEdge(item: string): DepsEdge | undefined {
  const colon = item.indexOf(":");
  const head = item.slice(0, Math.max(0, colon));
  const dot = head.indexOf(".");
  const after = number(head, 0, dot < 0 ? head.length : dot);
  const index = dot < 0 ? 0 : number(head, dot + 1);
  if (after < 0 || index < 0 || (dot >= 0 && index === 0)) return undefined;
  return { head, after, index, relation: item.slice(colon + 1) };
}

/** Compares edges in the order of DEPS columns: by head, then relation. */
export function compareDeps(a: DepsEdge, b: DepsEdge): number {
  if (a.after !== b.after) return a.after - b.after;
  if (a.index !== b.index) return a.index - b.index;
  return a.relation < b.relation ? -1 : a.relation > b.relation ? 1 : 0;
}

/** Returns the DEPS column of edges, sorted and without duplicates; `_` for none. */
export function depsColumn(edges: readonly DepsEdge[]): string {
  for (const { head, relation } of edges)
    if (relation.includes("|"))
      throw invalidArgument(
        `edge from ${head}`,
        "a label without |, which separates edges",
        describeValue(relation),
      );
  const items = [...edges].sort(compareDeps).map(({ head, relation }) => `${head}:${relation}`);
  return [...new Set(items)].join("|") || "_";
}

/** Returns the ID of a node as DEPS columns write it. */
export function nodeName({ after, index }: NodeId): string {
  return index === 0 ? `${after}` : `${after}.${index}`;
}

/** Returns the node of a row; undefined for multiword ranges. */
export function nodeOf(row: Row): NodeId | undefined {
  if (row.kind === "range") return undefined;
  return row.kind === "word" ? { after: row.id, index: 0 } : { after: row.after, index: row.index };
}

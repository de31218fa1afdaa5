import type { Columns, ConlluSentence, Row } from "@arcwise/conllu";

/** An edge of the enhanced graph that enters a node. A head that is not a node of the sentence stays a text. */
export interface LinkedEdge {
  head: LinkedNode | string;
  /** Undefined for an item of DEPS without a colon, which `head` has as it is. */
  relation: string | undefined;
}

/** A word or an empty node whose references are nodes, not numbers, so that words may be inserted and removed. */
export interface LinkedNode {
  readonly kind: "word" | "empty";
  columns: Omit<Columns, "deps">;
  /** The head as a node; a number for the root (0), no head (-1), or a number without a word. */
  head: LinkedNode | number;
  edges: LinkedEdge[];
}

/** A multiword token over consecutive words. */
export interface LinkedToken {
  columns: Columns;
  first: LinkedNode;
  last: LinkedNode;
}

/** A sentence whose words refer to each other as objects. */
export interface LinkedSentence {
  comments: string[];
  nodes: LinkedNode[];
  tokens: LinkedToken[];
  /** The nodes by the IDs that they had when they were linked. */
  readonly byId: ReadonlyMap<string, LinkedNode>;
}

/** Returns a sentence with its references as objects. O(rows + edges). */
export function link({ comments, rows }: ConlluSentence): LinkedSentence {
  const byId = new Map<string, LinkedNode>();
  const nodes = rows.flatMap((row): LinkedNode[] => {
    if (row.kind === "range") return [];
    const { deps: _, ...columns } = columnsOf(row);
    const node: LinkedNode = { kind: row.kind, columns, head: -1, edges: [] };
    byId.set(idOf(row), node);
    return [node];
  });
  const tokens: LinkedToken[] = [];
  for (const row of rows) {
    if (row.kind === "range") {
      const [first, last] = [byId.get(`${row.first}`)!, byId.get(`${row.last}`)!];
      tokens.push({ columns: columnsOf(row), first, last });
      continue;
    }
    const node = byId.get(idOf(row))!;
    if (row.kind === "word") node.head = byId.get(`${row.head}`) ?? row.head;
    node.edges = depsItems(row.deps).map(({ head, relation }) => ({
      head: byId.get(head) ?? head,
      relation,
    }));
  }
  return { comments: [...comments], nodes, tokens, byId };
}

/** Returns the rows of a linked sentence, numbered anew, and the ID of each node. O(rows + edges). */
export function unlink({ comments, nodes, tokens }: LinkedSentence): {
  readonly sentence: ConlluSentence;
  readonly ids: ReadonlyMap<LinkedNode, string>;
} {
  const ids = numbered(nodes);
  const starts = new Map(tokens.map((token) => [token.first, token]));
  const rows = nodes.flatMap((node): Row[] => {
    const own = rowOf(node, ids);
    const token = starts.get(node);
    if (token === undefined) return [own];
    const [first, last] = [Number(ids.get(token.first)), Number(ids.get(token.last))];
    return [{ kind: "range", first, last, ...token.columns }, own];
  });
  return { sentence: { comments, rows, line: 0 }, ids };
}

function numbered(nodes: readonly LinkedNode[]): Map<LinkedNode, string> {
  let words = 0;
  let empty = 0;
  const ids = new Map<LinkedNode, string>();
  for (const node of nodes) {
    if (node.kind === "word") {
      words++;
      empty = 0;
      ids.set(node, `${words}`);
    } else ids.set(node, `${words}.${++empty}`);
  }
  return ids;
}

function rowOf(node: LinkedNode, ids: ReadonlyMap<LinkedNode, string>): Row {
  const id = ids.get(node)!;
  const deps =
    node.edges
      .map(({ head, relation }) => {
        const name = typeof head === "string" ? head : ids.get(head)!;
        return relation === undefined ? name : `${name}:${relation}`;
      })
      .join("|") || "_";
  const columns = { ...node.columns, deps };
  if (node.kind === "empty") {
    const [after, index] = id.split(".").map(Number);
    return { kind: "empty", after: after!, index: index!, ...columns };
  }
  const head = typeof node.head === "number" ? node.head : Number(ids.get(node.head));
  return { kind: "word", id: Number(id), head, ...columns };
}

/** Returns the ID column of a row. */
export function idOf(row: Row): string {
  if (row.kind === "word") return `${row.id}`;
  return row.kind === "range" ? `${row.first}-${row.last}` : `${row.after}.${row.index}`;
}

/** Returns the items of a DEPS column. */
export function depsItems(deps: string): { readonly head: string; readonly relation: string | undefined }[] {
  if (deps === "_") return [];
  return deps.split("|").map((item) => {
    const colon = item.indexOf(":");
    return colon < 0
      ? { head: item, relation: undefined }
      : { head: item.slice(0, colon), relation: item.slice(colon + 1) };
  });
}

/** Returns the columns of a row other than ID and HEAD. */
export function columnsOf({ form, lemma, upos, xpos, feats, deprel, deps, misc }: Columns): Columns {
  return { form, lemma, upos, xpos, feats, deprel, deps, misc };
}

/** Returns whether edges enter any node. */
export function hasGraph({ nodes }: LinkedSentence): boolean {
  return nodes.some(({ edges }) => edges.length > 0);
}

/** Adds an edge in the order of DEPS columns: by head, then relation. An edge that is there is not repeated. */
export function addEdge(sentence: LinkedSentence, node: LinkedNode, edge: LinkedEdge): void {
  const { edges } = node;
  if (edges.some(({ head, relation }) => head === edge.head && relation === edge.relation)) return;
  const places = new Map(sentence.nodes.map((one, i) => [one, i + 1]));
  const placeOf = ({ head }: LinkedEdge) => (typeof head === "string" ? 0 : (places.get(head) ?? 0));
  const isBehind = (other: LinkedEdge) =>
    placeOf(other) > placeOf(edge) ||
    (placeOf(other) === placeOf(edge) && (other.relation ?? "") > (edge.relation ?? ""));
  const at = edges.findIndex(isBehind);
  edges.splice(at < 0 ? edges.length : at, 0, edge);
}

import { quote, throwingFor } from "../error.ts";
import type { Report } from "../rows.ts";
import type { ConlluSentence, Row } from "../types.ts";
import { lineAt } from "../write.ts";
import { type DepsEdge, depsColumn, depsEdge, nodeName, nodeOf } from "./deps.ts";

/** The incoming edges of the nodes of an enhanced graph, by node ID. */
export type Incoming = ReadonlyMap<string, readonly DepsEdge[]>;

/**
 * Returns a copy of a sentence without its empty nodes: every path through them becomes an edge whose label
 * joins those of the path, such as `conj:and>nsubj`. The tools of Universal Dependencies do the same before
 * they compute ELAS. A path may end at the word where it begins; paths that visit an empty node twice are
 * left out, and so is an empty node without a head. DEPS is sorted. O(edges); in the worst case exponential
 * in the number of empty nodes on a path.
 *
 * @throws ConlluError on a DEPS column that spells no edges, or a head that is no node of the sentence
 *
 * Bouma, Seddah and Zeman 2020, Overview of the IWPT 2020 Shared Task on Parsing into Enhanced Universal
 * Dependencies.
 */
export function collapseEmptyNodes(sentence: ConlluSentence): ConlluSentence {
  const incoming = incomingEdges(sentence);
  const rows: Row[] = [];
  for (const row of sentence.rows) {
    if (row.kind === "range") rows.push({ ...row });
    else if (row.kind === "word") {
      rows.push({ ...row, deps: depsColumn(collapsedEdges(`${row.id}`, incoming)) });
    }
  }
  return { comments: [...sentence.comments], rows, line: sentence.line };
}

/**
 * Returns the incoming edges of each node.
 *
 * @throws ConlluError on a DEPS column that spells no edges, or a head that is no node of the sentence
 */
export function incomingEdges(sentence: ConlluSentence): Incoming {
  const { rows, comments, line } = sentence;
  const report = throwingFor(comments);
  const incoming = new Map<string, DepsEdge[]>();
  for (const [i, row] of rows.entries()) {
    const node = nodeOf(row);
    if (node !== undefined) {
      const at = lineAt(line, comments.length + i);
      incoming.set(nodeName(node), parseDeps(row.deps, at, report));
    }
  }
  for (const [i, row] of rows.entries()) {
    const node = nodeOf(row);
    if (node === undefined) continue;
    const name = nodeName(node);
    for (const { head } of incoming.get(name)!) {
      if (head !== name && (head === "0" || incoming.has(head))) continue;
      const at = lineAt(line, comments.length + i);
      report("deps-head", at, `0 or a node other than ${name}`, quote(head));
    }
  }
  return incoming;
}

function parseDeps(deps: string, at: number, report: Report): DepsEdge[] {
  if (deps === "_") return [];
  return deps.split("|").flatMap((item) => {
    const edge = depsEdge(item);
    if (edge !== undefined && edge.relation !== "") return [edge];
    report("deps-characters", at, "head:relation", quote(item));
    return [];
  });
}

/**
 * Returns the incoming edges of a node from words and the root, with the labels of the paths that they
 * replace.
 */
export function collapsedEdges(name: string, incoming: Incoming): DepsEdge[] {
  const found: DepsEdge[] = [];
  const visited: string[] = [];
  const follow = (node: string, path: string): void => {
    for (const edge of incoming.get(node) ?? []) {
      const relation = path === "" ? edge.relation : `${edge.relation}>${path}`;
      if (edge.index === 0) found.push({ ...edge, relation });
      else if (!visited.includes(edge.head)) {
        visited.push(edge.head);
        follow(edge.head, relation);
        visited.pop();
      }
    }
  };
  follow(name, "");
  return found;
}

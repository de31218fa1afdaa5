import { quote } from "./error.ts";
import { compareDeps, type DepsEdge, depsEdge } from "./graphs/deps.ts";
import { RELATIONS } from "./inventory.ts";
import { universal } from "./relations.ts";
import type { Report } from "./rows.ts";
import type { ConlluSentence } from "./types.ts";
import { lineAt, rowId } from "./write.ts";

/** A node of an enhanced graph, and the edges that enter it. */
interface Node {
  readonly id: string;
  readonly line: number;
  readonly edges: readonly DepsEdge[];
}

/** Checks the enhanced graph in DEPS: levels 2 and 3. O(nodes + edges). */
export function checkGraph(sentence: ConlluSentence, level: number, report: Report): void {
  const nodes = graphNodes(sentence, report);
  const bare = nodes.filter((node) => node.edges.length === 0);
  if (bare.length === nodes.length) return;
  for (const node of bare) report("deps-everywhere", node.line, "DEPS, as other words have", "none");
  const ids = new Set(nodes.map((node) => node.id)).add("0");
  let sound = bare.length === 0;
  for (const node of nodes) {
    checkOrder(node, report);
    for (const edge of node.edges) {
      if (!checkEdge(node, edge, ids, report)) sound = false;
      checkEdgeRelation(node, edge, report);
      if (level >= 3) checkEdgeRoot(node, edge, report);
    }
  }
  if (sound) checkConnected(nodes, report);
}

function graphNodes(sentence: ConlluSentence, report: Report): Node[] {
  const { rows, comments, line } = sentence;
  const nodes: Node[] = [];
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    if (row.kind === "range") continue;
    const at = lineAt(line, comments.length + i);
    nodes.push({ id: rowId(row), line: at, edges: row.deps === "_" ? [] : parseDeps(row.deps, at, report) });
  }
  return nodes;
}

/** Matches a relation, a subtype, a case marker in any script (`in_front_of`), a case or other subtype. */
const ENHANCED =
  /^[a-z]+(?::[a-z]+)?(?::[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?:_[\p{Ll}\p{Lm}\p{Lo}\p{M}]+)*)?(?::[a-z]+)?$/u;

function parseDeps(deps: string, line: number, report: Report): DepsEdge[] {
  const edges: DepsEdge[] = [];
  for (const item of deps.split("|")) {
    const edge = depsEdge(item);
    if (edge !== undefined && ENHANCED.test(edge.relation)) edges.push(edge);
    else report("deps-characters", line, "head:relation", quote(item));
  }
  return edges;
}

function checkOrder(node: Node, report: Report): void {
  const { edges } = node;
  for (let i = 1; i < edges.length; i++) {
    const before = edges[i - 1]!;
    const edge = edges[i]!;
    if (compareDeps(before, edge) < 0) continue;
    const found = `${before.head}:${before.relation} before ${edge.head}:${edge.relation}`;
    report("deps-order", node.line, "ascending heads, then relations", quote(found));
    return;
  }
}

/** Returns whether the edge joins two nodes. */
function checkEdge(node: Node, edge: DepsEdge, ids: ReadonlySet<string>, report: Report): boolean {
  if (edge.head !== node.id && ids.has(edge.head)) return true;
  report("deps-head", node.line, `0 or a node other than ${node.id}`, quote(edge.head));
  return false;
}

function checkEdgeRoot(node: Node, edge: DepsEdge, report: Report): void {
  if ((edge.head === "0") === (universal(edge.relation) === "root")) return;
  const expected = edge.head === "0" ? "root" : "a relation other than root";
  report("deps-root", node.line, expected, quote(`${edge.head}:${edge.relation}`));
}

function checkEdgeRelation(node: Node, edge: DepsEdge, report: Report): void {
  const relation = universal(edge.relation);
  if (RELATIONS.has(relation) || relation === "ref") return;
  report("deps-inventory", node.line, "a universal relation or ref", quote(edge.relation));
}

function checkConnected(nodes: readonly Node[], report: Report): void {
  const modifiers = new Map<string, string[]>();
  for (const node of nodes) {
    for (const { head } of node.edges) {
      const known = modifiers.get(head);
      if (known === undefined) modifiers.set(head, [node.id]);
      else known.push(node.id);
    }
  }
  const reached = new Set(["0"]);
  // Nodes added to a set during its iteration are visited too, each once.
  for (const id of reached) for (const modifier of modifiers.get(id) ?? []) reached.add(modifier);
  for (const node of nodes) {
    if (reached.has(node.id)) continue;
    report("deps-connected", node.line, "a path from the root", `none to ${node.id}`);
    return;
  }
}

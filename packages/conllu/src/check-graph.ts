import { quote } from "./error.ts";
import { compareDeps, type DepsEdge, depsEdge } from "./graphs/deps.ts";
import { RELATIONS } from "./inventory.ts";
import { universal } from "./relations.ts";
import type { Report } from "./rows.ts";
import type { Level } from "./rules.ts";
import type { ConlluSentence } from "./types.ts";
import { rowId, rowsWithLines } from "./write.ts";

/** A node of an enhanced graph, and the edges that enter it. */
interface Node {
  readonly id: string;
  readonly line: number;
  readonly edges: readonly DepsEdge[];
}

/** Checks the enhanced graph in DEPS: level 2, and the relation root at level 3. O(nodes + edges). */
export function checkGraph(sentence: ConlluSentence, level: Level, report: Report): void {
  const isOn = sentence.rows.some((row) => row.kind === "empty" || (row.kind === "word" && row.deps !== "_"));
  if (!isOn) return;
  let isSound = true;
  const nodes = graphNodes(sentence, (...finding) => {
    isSound = false;
    report(...finding);
  });
  const ids = new Set(nodes.map((node) => node.id)).add("0");
  for (const node of nodes) {
    checkOrder(node, report);
    for (const edge of node.edges) {
      if (edge.head === node.id)
        report("deps-self-loop", node.line, `a node other than ${node.id}`, quote(edge.head));
      else if (!ids.has(edge.head)) {
        isSound = false;
        report("unknown-ehead", node.line, "0 or a node of the sentence", quote(edge.head));
      }
      checkEdgeRelation(node, edge, report);
      if (level >= 3) checkEdgeRoot(node, edge, report);
    }
  }
  if (isSound) checkConnected(nodes, report);
}

function graphNodes(sentence: ConlluSentence, report: Report): Node[] {
  const nodes: Node[] = [];
  for (const [row, line] of rowsWithLines(sentence)) {
    if (row.kind === "range") continue;
    nodes.push({ id: rowId(row), line, edges: row.deps === "_" ? [] : parseDeps(row.deps, line, report) });
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
    if (edge !== undefined) edges.push(edge);
    else if (item.includes(":")) report("invalid-ehead", line, "the number of a node", quote(item));
    else report("invalid-deps", line, "head:relation", quote(item));
  }
  return edges;
}

/** Reports the first head that is out of order; if there is none, the relations that are. */
function checkOrder({ edges, line }: Node, report: Report): void {
  const pairs = edges.slice(1).map((edge, i) => [edges[i]!, edge] as const);
  const found = ([a, b]: (typeof pairs)[number]) =>
    quote(`${a.head}:${a.relation} before ${b.head}:${b.relation}`);
  const wrong = pairs.find(([a, b]) => a.after - b.after > 0 || (a.after === b.after && a.index > b.index));
  if (wrong !== undefined) report("unsorted-deps", line, "ascending heads", found(wrong));
  else
    for (const pair of pairs) {
      const [a, b] = pair;
      if (a.head !== b.head || compareDeps(a, b) < 0) continue;
      if (a.relation === b.relation) report("repeated-deps", line, "different edges", found(pair));
      else report("unsorted-deps-2", line, "ascending relations", found(pair));
    }
}

function checkEdgeRoot(node: Node, edge: DepsEdge, report: Report): void {
  if ((edge.head === "0") === (universal(edge.relation) === "root")) return;
  const found = quote(`${edge.head}:${edge.relation}`);
  if (edge.head === "0") report("enhanced-0-is-not-root", node.line, "root", found);
  else report("enhanced-root-is-not-0", node.line, "a relation other than root", found);
}

function checkEdgeRelation(node: Node, edge: DepsEdge, report: Report): void {
  const relation = universal(edge.relation);
  if (!ENHANCED.test(edge.relation))
    report("invalid-edeprel", node.line, "words in lower case, joined by colons", quote(edge.relation));
  else if (!RELATIONS.has(relation) && relation !== "ref")
    report("unknown-eudeprel", node.line, "a universal relation or ref", quote(edge.relation));
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
    report("unconnected-egraph", node.line, "a path from the root", `none to ${node.id}`);
    return;
  }
}

import { withRows } from "../convert.ts";
import { quote, throwingFor } from "../error.ts";
import type { Report } from "../rows.ts";
import { requireSentence } from "../sentence-check.ts";
import type { ConlluSentence, Row } from "../types.ts";
import { rowsWithLines } from "../write.ts";
import { type DepsEdge, depsColumn, depsEdge, nodeName, nodeOf } from "./deps.ts";

/** The incoming edges of the nodes of an enhanced graph, by node ID. */
type Incoming = ReadonlyMap<string, readonly DepsEdge[]>;

/**
 * Returns a copy of a sentence without its empty nodes: every path through them becomes an edge whose label
 * joins the labels of the path, such as `conj:and>nsubj`. The tools of Universal Dependencies do the same before
 * they compute ELAS. A path may end at the word where it begins; paths that visit an empty node twice are
 * left out, and so is an empty node without a head. DEPS is sorted.
 *
 * Cost: O(edges log edges + length of the paths' labels). The number of paths can be exponential in the
 * number of empty nodes, so that their labels may have 64 characters per character of DEPS, and 65,536 more.
 *
 * @throws ConlluError on a DEPS column that does not spell edges, a head that is not a node of the sentence, or paths
 * with longer labels
 *
 * Bouma, Seddah and Zeman 2020, Overview of the IWPT 2020 Shared Task on Parsing into Enhanced Universal
 * Dependencies.
 */
export function collapseEmptyNodes(sentence: ConlluSentence): ConlluSentence {
  requireSentence(sentence, "collapseEmptyNodes");
  const edges = collapsedEdges(sentence);
  const rows: Row[] = [];
  for (const row of sentence.rows) {
    if (row.kind === "range") rows.push({ ...row });
    else if (row.kind === "word") rows.push({ ...row, deps: depsColumn(edges.get(row.id)!) });
  }
  return withRows(sentence, rows);
}

/**
 * Returns the incoming edges of each word from words and the root, with the labels of the paths that they
 * replace, by word ID.
 */
export function collapsedEdges(sentence: ConlluSentence): ReadonlyMap<number, DepsEdge[]> {
  const paths = new PathReader(incomingEdges(sentence));
  const collapsed = new Map<number, DepsEdge[]>();
  for (const [row, line] of rowsWithLines(sentence)) {
    if (row.kind !== "word") continue;
    collapsed.set(row.id, paths.edgesTo(`${row.id}`));
    if (paths.remaining >= 0) continue;
    const expected = `paths through empty nodes with labels of at most ${paths.limit} characters in all`;
    throwingFor(sentence.comments)("deps-paths", line, expected, "more");
  }
  return collapsed;
}

/** Characters of the labels of paths in a sentence: a minimum, and the number per character of DEPS. */
const MIN_PATH_CHARACTERS = 2 ** 16;
const PATH_CHARACTERS = 64;

/** Follows the paths through the empty nodes of a sentence, up to a total length of their labels. */
class PathReader {
  readonly limit: number;
  /** Characters that further labels may have; negative when the paths are incomplete. */
  remaining: number;
  readonly #incoming: Incoming;

  constructor(incoming: Incoming) {
    let length = 0;
    for (const edges of incoming.values()) for (const { relation } of edges) length += relation.length;
    this.limit = MIN_PATH_CHARACTERS + PATH_CHARACTERS * length;
    this.remaining = this.limit;
    this.#incoming = incoming;
  }

  /** Returns the edges and paths that end at a node. */
  edgesTo(name: string): DepsEdge[] {
    const found: DepsEdge[] = [];
    const visited: string[] = [];
    const follow = (node: string, path: string): void => {
      for (const edge of this.#incoming.get(node) ?? []) {
        const relation = path === "" ? edge.relation : `${edge.relation}>${path}`;
        // Edges between words are as many as DEPS has; only paths can be more.
        if (path !== "") this.remaining -= relation.length;
        if (this.remaining < 0) return;
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
}

/** Returns the incoming edges of each node. */
function incomingEdges(sentence: ConlluSentence): Incoming {
  const report = throwingFor(sentence.comments);
  const incoming = new Map<string, DepsEdge[]>();
  for (const [row, line] of rowsWithLines(sentence)) {
    const node = nodeOf(row);
    if (node !== undefined) incoming.set(nodeName(node), parseDeps(row.deps, line, report));
  }
  for (const [row, line] of rowsWithLines(sentence)) {
    const node = nodeOf(row);
    if (node === undefined) continue;
    const name = nodeName(node);
    for (const { head, relation } of incoming.get(name)!) {
      // A path from a word to itself, as collapsed files write it.
      const isLoop = head === name && !relation.includes(">");
      if (!isLoop && (head === "0" || incoming.has(head))) continue;
      const rule = head === name ? "deps-self-loop" : "unknown-ehead";
      report(rule, line, `0 or a node other than ${name}`, quote(head));
    }
  }
  return incoming;
}

function parseDeps(deps: string, at: number, report: Report): DepsEdge[] {
  if (deps === "_") return [];
  return deps.split("|").flatMap((item) => {
    const edge = depsEdge(item);
    if (edge !== undefined && edge.relation !== "") return [edge];
    report("invalid-deps", at, "head:relation", quote(item));
    return [];
  });
}

import { type DependencyGraph, dependencyGraph, type GraphEdge } from "@arcwise/core";
import { counted, invalidArgument } from "@arcwise/core/errors";
import {
  checkArgument,
  checkOptions,
  defineOptions,
  integer,
  graph as isGraph,
  list,
  type OptionsOf,
  oneOf,
  shaped,
} from "@arcwise/core/options";
import { withRows } from "../convert.ts";
import { requireSentence } from "../sentence-check.ts";
import type { ConlluSentence, Row } from "../types.ts";
import { collapsedEdges } from "./collapse.ts";
import { type DepsEdge, depsColumn, nodeName } from "./deps.ts";
import { directEdge, type EmptyNode, expandPaths } from "./expand.ts";

/**
 * Returns the enhanced graph of a sentence, from DEPS, over its words: paths through empty nodes are edges
 * with labels such as `conj:and>nsubj`. A word that depends on the root has an edge from 0; there are no tops
 * and no predicates. A path from a word to itself is an edge from the word to itself. Cost: as
 * `collapseEmptyNodes`.
 *
 * @throws ConlluError as `collapseEmptyNodes` does
 * @throws ArcwiseError `invalid-argument` when the IDs of the words do not count from 1
 */
export function enhancedGraph(sentence: ConlluSentence): DependencyGraph {
  requireSentence(sentence, "enhancedGraph");
  const incoming = collapsedEdges(sentence);
  checkWordIds(sentence);
  const edges = new Map<string, GraphEdge>();
  for (const [modifier, heads] of incoming) {
    for (const { after: head, relation: label } of heads) {
      edges.set(`${modifier} ${head} ${label}`, { head, modifier, label });
    }
  }
  return dependencyGraph(incoming.size, { edges: edges.values() });
}

function checkWordIds({ rows }: ConlluSentence): void {
  let words = 0;
  for (const row of rows)
    if (row.kind === "word" && row.id !== ++words)
      throw invalidArgument("enhancedGraph: sentence", `the word with ID ${words}`, `ID ${row.id}`);
}

const ENHANCED_GRAPH_OPTIONS = defineOptions({
  /**
   * `expand` makes an empty node of each step: the file is valid CoNLL-U, and `enhancedGraph` returns the same graph.
   * `collapsed` writes the paths as labels, as the scripts of the IWPT shared tasks read them.
   */
  paths: {
    check: oneOf("expand", "collapsed"),
    help: "how labels that are paths are written",
    default: "expand",
  },
});

/**
 * Returns a copy of a sentence with DEPS replaced by a graph, and empty nodes by those on the paths of the
 * graph. Paths from one head share the empty nodes of a common prefix, and empty nodes with the same
 * dependents are merged. O(e log e) for e edges.
 *
 * @throws ArcwiseError `invalid-argument` when the graph has another number of words, a label is empty or has an empty step, or an
 * edge that is not a path leads from a word to itself
 *
 * @example
 * import { enhancedGraph, parseConllu, withEnhancedGraph, writeConllu } from "@arcwise/conllu";
 *
 * const [gap] = parseConllu(`1	Some	some	DET	DT	_	2	nsubj	2:nsubj	_
 * 2	slept	sleep	VERB	VBD	_	0	root	0:root	_
 * 3	others	other	NOUN	NNS	_	2	conj	3.1:nsubj	_
 * 3.1	slept	sleep	VERB	VBD	_	_	_	2:conj	_
 * 4	well	well	ADV	RB	_	3	orphan	3.1:advmod	_
 *
 * `);
 * const graph = enhancedGraph(gap!);
 * console.log(graph.edges.at(-1)); // {"head":2,"modifier":4,"label":"conj>advmod"}
 * const written = writeConllu([withEnhancedGraph(gap!, graph)]);
 * console.log(written.split("\n")[3]); // "3.1\t_\t_\t_\t_\t_\t_\t_\t2:conj\t_"
 */
export function withEnhancedGraph(
  sentence: ConlluSentence,
  graph: DependencyGraph,
  options?: OptionsOf<typeof ENHANCED_GRAPH_OPTIONS>,
): ConlluSentence {
  requireSentence(sentence, "withEnhancedGraph");
  const { paths } = checkOptions(ENHANCED_GRAPH_OPTIONS, options, "withEnhancedGraph");
  checkArgument(isGraph, graph, "withEnhancedGraph: graph");
  const words = sentence.rows.filter((row) => row.kind === "word").length;
  if (graph.n !== words)
    throw invalidArgument("withEnhancedGraph", `a graph of ${counted(words, "word")}`, `one of ${graph.n}`);
  const edge = shaped<GraphEdge>("an edge", { head: integer(0, words), modifier: integer(1, words) });
  checkArgument(list(edge), graph.edges, "withEnhancedGraph: edges");
  const { words: incoming, nodes } =
    paths === "collapsed" ? { words: directEdges(graph), nodes: [] } : expandPaths(graph);
  const rows: Row[] = [];
  let next = 0;
  let m = 0;
  const addEmptyRows = (after: number) => {
    while (nodes[next]?.id.after === after) rows.push(emptyRow(nodes[next++]!));
  };
  addEmptyRows(0);
  for (const row of sentence.rows) {
    if (row.kind === "range") rows.push({ ...row });
    if (row.kind !== "word") continue;
    m++;
    rows.push({ ...row, deps: depsColumn(incoming[m]!) });
    addEmptyRows(m);
  }
  return withRows(sentence, rows);
}

/** Returns the edges of a graph, grouped by modifier. */
function directEdges({ n, edges }: DependencyGraph): DepsEdge[][] {
  const incoming: DepsEdge[][] = Array.from({ length: n + 1 }, () => []);
  for (const edge of edges) {
    if (edge.label === "") throw invalidArgument(`edge ${edge.head} -> ${edge.modifier}`, "a label", "none");
    incoming[edge.modifier]!.push(directEdge(edge));
  }
  return incoming;
}

function emptyRow({ id, edges }: EmptyNode): Row {
  return {
    kind: "empty",
    after: id.after,
    index: id.index,
    form: "_",
    lemma: "_",
    upos: "_",
    xpos: "_",
    feats: "_",
    deprel: "_",
    deps: depsColumn(edges.map((edge) => ({ ...edge, head: nodeName(edge) }))),
    misc: "_",
  };
}

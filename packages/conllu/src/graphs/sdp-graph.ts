import { type DependencyGraph, dependencyGraph, type GraphEdge } from "@arcwise/core";
import { counted, invalidArgument } from "@arcwise/core/errors";
import { checkArgument, graph as isGraph } from "@arcwise/core/options";
import type { SdpRow, SdpSentence } from "./sdp.ts";
import { sdpCheck } from "./sdp.ts";

/**
 * Returns the semantic graph of a sentence: an edge from a predicate to each of its arguments, which may be
 * itself. Senses are the frames of the predicates; frames of other words are not part of the graph. O(n p)
 * for p predicates.
 *
 * @throws ArcwiseError `invalid-argument` when a row has not one column of arguments per predicate
 *
 * @example
 * import { parseSdp, sdpGraph } from "@arcwise/conllu";
 *
 * const [wanting] = parseSdp(`#22000001
 * 1	Cats	cat	NNS	-	-	_	ARG1	ARG1
 * 2	want	want	VBP	+	+	want.01	_	_
 * 3	to	to	TO	-	-	_	_	_
 * 4	sleep	sleep	VB	-	+	sleep.01	ARG2	_
 *
 * `);
 * const { edges, predicates, tops } = sdpGraph(wanting!);
 * console.log(edges.map(({ head, modifier, label }) => `${head}>${modifier} ${label}`)); // ["2>1 ARG1","4>1 ARG1","2>4 ARG2"]
 * console.log(predicates.map(({ sense }) => sense), tops); // [["want.01","sleep.01"],[2]]
 */
export function sdpGraph(sentence: SdpSentence): DependencyGraph {
  checkArgument(sdpCheck, sentence, "sdpGraph: sentence");
  const { rows } = sentence;
  const predicates = rows.filter((row) => row.pred);
  const edges: GraphEdge[] = [];
  for (const row of rows) {
    if (row.args.length !== predicates.length) {
      const expected = `${predicates.length} columns of arguments`;
      throw invalidArgument(`word ${row.id}`, expected, `${row.args.length}`);
    }
    for (const [p, { id }] of predicates.entries()) {
      const label = row.args[p]!;
      if (label !== "_") edges.push({ head: id, modifier: row.id, label });
    }
  }
  return dependencyGraph(rows.length, {
    edges,
    tops: rows.filter((row) => row.top).map((row) => row.id),
    predicates: predicates.map(({ id, frame }) => ({ position: id, sense: frame === "_" ? "" : frame })),
  });
}

/**
 * Returns a copy of a sentence with the tops, predicates and arguments of a graph. Frames of words that are
 * predicates in neither are not changed. The columns of 2014 have no senses: they are left out. O(n p).
 *
 * @throws ArcwiseError `invalid-argument` when the format cannot represent the graph: another number of words, an edge whose head
 * is not a predicate, two labels between one pair of words, a label that is empty or `_`
 */
export function withSdpGraph(sentence: SdpSentence, graph: DependencyGraph): SdpSentence {
  checkArgument(sdpCheck, sentence, "withSdpGraph: sentence");
  checkArgument(isGraph, graph, "withSdpGraph: graph");
  const { rows, version } = sentence;
  if (graph.n !== rows.length)
    throw invalidArgument("withSdpGraph", `a graph of ${counted(rows.length, "word")}`, `one of ${graph.n}`);
  const columns = new Map(graph.predicates.map(({ position }, column) => [position, column]));
  const tops = new Set(graph.tops);
  const fresh = rows.map((row): SdpRow => {
    const column = columns.get(row.id);
    const pred = column !== undefined;
    const args = new Array<string>(columns.size).fill("_");
    return { ...row, top: tops.has(row.id), pred, frame: frameOf(row, graph, column, version), args };
  });
  for (const edge of graph.edges) addArgument(fresh, edge, columns.get(edge.head));
  return { version, comments: [...sentence.comments], rows: fresh, line: sentence.line };
}

function frameOf(
  row: SdpRow,
  { predicates }: DependencyGraph,
  column: number | undefined,
  version: SdpSentence["version"],
): string {
  if (version === 2014) return "_";
  if (column !== undefined) return predicates[column]!.sense || "_";
  return row.pred ? "_" : row.frame;
}

function addArgument(rows: readonly SdpRow[], { head, modifier, label }: GraphEdge, column?: number): void {
  const name = `edge ${head} -> ${modifier} "${label}"`;
  if (column === undefined) throw invalidArgument(name, "a predicate as its head", `word ${head}`);
  if (label === "" || label === "_")
    throw invalidArgument(name, 'a label other than "" and "_"', JSON.stringify(label));
  const { args } = rows[modifier - 1]!;
  if (args[column] !== "_")
    throw invalidArgument(name, "one edge for each pair", `another one with the label "${args[column]}"`);
  args[column] = label;
}

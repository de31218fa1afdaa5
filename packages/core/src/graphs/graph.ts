/** A labelled edge of a dependency graph, from a head (0: the root) to a modifier. */
export interface GraphEdge {
  readonly head: number;
  readonly modifier: number;
  readonly label: string;
}

/**
 * A dependency graph over words 1..n and the artificial root 0: words have several heads, one, or none. A word
 * may be its own head, as a predicate of SDP that is its own argument; parsers find no such edges.
 * Semantic graphs (SDP 2015, PropBank) have predicates, which are the heads of their edges, with senses;
 * enhanced dependencies lack predicates.
 */
export interface DependencyGraph {
  /** Number of words. */
  readonly n: number;
  /** Edges ordered by modifier, then head, then label. No two are equal; one pair may have several labels. */
  readonly edges: readonly GraphEdge[];
  /** Words that are tops, ascending. */
  readonly tops: readonly number[];
  /** Words that are predicates, ascending by position. The sense is "" if the data does not state it. */
  readonly predicates: readonly GraphPredicate[];
}

/** A word that is a predicate. */
export interface GraphPredicate {
  readonly position: number;
  /** Its sense or frame, such as `get.01`; "" when unknown. */
  readonly sense: string;
}

/** The contents of a graph for `dependencyGraph`, in any order. */
export interface GraphContents {
  readonly edges: Iterable<GraphEdge>;
  readonly tops?: Iterable<number> | undefined;
  readonly predicates?: Iterable<GraphPredicate> | undefined;
}

/**
 * Makes a dependency graph: sorts its edges, tops and predicates, and checks them. O(e log e) for e edges.
 *
 * @throws RangeError on a position outside of 0..n (1..n for modifiers, tops and predicates), or two equal
 *   edges, tops or predicates
 */
export function dependencyGraph(
  n: number,
  { edges, tops = [], predicates = [] }: GraphContents,
): DependencyGraph {
  const graph = {
    n,
    edges: [...edges].sort(compareEdges),
    tops: [...tops].sort((a, b) => a - b),
    predicates: [...predicates].sort((a, b) => a.position - b.position),
  };
  const wrong = checkGraph(graph);
  if (wrong !== undefined) throw new RangeError(wrong);
  return graph;
}

/** Orders edges by modifier, then head, then label (by code units). */
export function compareEdges(a: GraphEdge, b: GraphEdge): number {
  if (a.modifier !== b.modifier) return a.modifier - b.modifier;
  if (a.head !== b.head) return a.head - b.head;
  return a.label < b.label ? -1 : a.label > b.label ? 1 : 0;
}

/** Describes what is wrong with a graph, in one line; undefined when it is valid. O(edges). */
export function checkGraph({ n, edges, tops, predicates }: DependencyGraph): string | undefined {
  const isWord = (position: number) => Number.isInteger(position) && position >= 1 && position <= n;
  for (const [i, edge] of edges.entries()) {
    const { head, modifier, label } = edge;
    const name = `edge ${head} -> ${modifier} "${label}"`;
    if (!isWord(modifier)) return `${name}: expected a modifier from 1 to ${n}`;
    if (head !== 0 && !isWord(head)) return `${name}: expected a head from 0 to ${n}`;
    if (i === 0) continue;
    const order = compareEdges(edges[i - 1], edge);
    if (order === 0) return `${name} comes twice`;
    if (order > 0) return `${name} is out of order: expected edges by modifier, head and label`;
  }
  return (
    checkAscending("top", tops, n) ??
    checkAscending(
      "predicate",
      predicates.map(({ position }) => position),
      n,
    )
  );
}

function checkAscending(what: string, positions: readonly number[], n: number): string | undefined {
  for (const [i, position] of positions.entries()) {
    if (!Number.isInteger(position) || position < 1 || position > n) {
      return `${what} ${position}: expected a position from 1 to ${n}`;
    }
    if (i > 0 && positions[i - 1] >= position) return `${what} ${position}: expected ascending positions`;
  }
  return undefined;
}

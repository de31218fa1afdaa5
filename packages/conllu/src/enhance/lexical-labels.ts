import { type DependencyGraph, dependencyGraph, type GraphEdge, type Sentence } from "@arcwise/core";
import { words as areWords, checkArgument, graph as isGraph } from "@arcwise/core/options";
import { universal } from "../relations.ts";
import { lemmaOf, MARKED_RELATIONS, markerOf, withMarker } from "./markers.ts";

/**
 * Placeholder for a lemma that follows from the graph: `obl:*`. Labels of Universal Dependencies have letters
 * there.
 */
const PLACE = "*";
/** Joins the steps of a path through elided words, as in `conj:and>nsubj`. */
const STEP = ">";

/**
 * Returns a graph of enhanced dependencies with the lemmas in labels replaced by `*` where they follow from
 * other edges: `obl:in` becomes `obl:*` where the modifier has a `case` edge to "in", `conj:and` becomes
 * `conj:*`. That reduces the number of labels, and a parser need not learn markers twice. Labels with another
 * lemma are not changed. O(e²) for e edges of a head.
 */
export function withoutLexicalLabels(words: Sentence, graph: DependencyGraph): DependencyGraph {
  checkArgument(areWords, words, "withoutLexicalLabels: words");
  checkArgument(isGraph, graph, "withoutLexicalLabels: graph");
  const markers = new Markers(words, graph.edges);
  return relabelled(graph, (edge) => {
    const own = edge.label.lastIndexOf(STEP) + 1;
    const relation = universal(edge.label.slice(own));
    const open = `${edge.label.slice(0, own)}${relation}:${PLACE}`;
    const isLexical = MARKED_RELATIONS.has(relation) && edge.label.length > own + relation.length;
    return isLexical && markers.filled({ ...edge, label: open }) === edge.label ? open : edge.label;
  });
}

/**
 * Returns a graph with the lemmas that `withoutLexicalLabels` replaced, found by the edges of the graph.
 * Without a marker, as may happen in a predicted graph, the label has no lemma: `obl`. O(e²) for e edges
 * of a head.
 */
export function withLexicalLabels(words: Sentence, graph: DependencyGraph): DependencyGraph {
  checkArgument(areWords, words, "withLexicalLabels: words");
  checkArgument(isGraph, graph, "withLexicalLabels: graph");
  const markers = new Markers(words, graph.edges);
  return relabelled(graph, (edge) => (edge.label.endsWith(`:${PLACE}`) ? markers.filled(edge) : edge.label));
}

/** Returns a graph with other labels; edges that become equal are merged. */
function relabelled(graph: DependencyGraph, labelOf: (edge: GraphEdge) => string): DependencyGraph {
  const edges = new Map<string, GraphEdge>();
  for (const edge of graph.edges) {
    const label = labelOf(edge);
    edges.set(`${edge.head} ${edge.modifier} ${label}`, { ...edge, label });
  }
  return dependencyGraph(graph.n, { ...graph, edges: edges.values() });
}

/** Finds the words of a graph whose lemmas are part of labels. */
class Markers {
  readonly #words: Sentence;
  readonly #byHead = new Map<number, GraphEdge[]>();
  readonly #byModifier = new Map<number, GraphEdge[]>();

  constructor(words: Sentence, edges: readonly GraphEdge[]) {
    this.#words = words;
    for (const edge of edges) {
      push(this.#byHead, edge.head, edge);
      push(this.#byModifier, edge.modifier, edge);
    }
  }

  /**
   * Returns the label of an edge with the lemma in place of `*`, or without either if the word has no marker.
   */
  filled({ modifier, label }: GraphEdge): string {
    const own = label.lastIndexOf(STEP) + 1;
    const relation = label.slice(own, -PLACE.length - 1);
    const marker =
      relation === "conj" ? this.#conjunction(modifier) : this.#marker(relation, modifier, new Set());
    return label.slice(0, own) + (marker === undefined ? relation : withMarker(this, relation, marker));
  }

  /** Returns the marker of a word, or else of the conjunct before it: "to A and B". */
  #marker(relation: string, word: number, seen: Set<number>): number | undefined {
    seen.add(word);
    const own = markerOf(this, word, relation);
    if (own !== undefined) return own;
    for (const { head } of this.#above(word, "conj")) {
      if (seen.has(head)) continue;
      const shared = this.#marker(relation, head, seen);
      if (shared !== undefined) return shared;
    }
    return undefined;
  }

  /** Returns the conjunction of a conjunct, or else of one after it: all of "A, B and C" are `conj:and`. */
  #conjunction(word: number): number | undefined {
    const conjuncts = this.#above(word, "conj").flatMap(({ head }) => this.children(head, "conj"));
    const later = conjuncts.filter((other) => other > word);
    for (const conjunct of [word, ...later.sort((a, b) => a - b)]) {
      const own = this.#below(conjunct, "cc").find(({ label }) => label === "cc");
      if (own !== undefined) return own.modifier;
    }
    return undefined;
  }

  /** Returns the edges from a word with one of the relations, in the order of the sentence. */
  #below(word: number, ...relations: readonly string[]): GraphEdge[] {
    return (this.#byHead.get(word) ?? []).filter(({ label }) => relations.includes(universal(label)));
  }

  #above(word: number, relation: string): GraphEdge[] {
    return (this.#byModifier.get(word) ?? []).filter(({ label }) => universal(label) === relation);
  }

  /** Returns the words below a word by one of the relations, in the order of the sentence. */
  children(word: number, ...relations: readonly string[]): number[] {
    return this.#below(word, ...relations).map(({ modifier }) => modifier);
  }

  /** Returns the lemma of a word as labels spell it. */
  lemma(position: number): string {
    return lemmaOf(this.#words[position - 1]!);
  }
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

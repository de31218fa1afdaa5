/** An edge of a tree or graph between positions of words, 0 for the root. */
export interface Edge {
  readonly head: number;
  readonly modifier: number;
  readonly label: string;
}

/** A sentence with its gold tree or graph, and the trees or graphs of all contestants. */
export interface ShownSentence {
  /** Number of the sentence in its file, from 0. */
  readonly index: number;
  readonly forms: readonly string[];
  /** The edges of the gold tree or graph, then of all others that a contestant found, each once. */
  readonly graphs: readonly (readonly Edge[])[];
  /** For each contestant, which of `graphs` it found: 0 without errors. */
  readonly found: readonly number[];
}

/** Sentences and the names of the contestants that parsed them. */
export interface SentenceSet {
  readonly contestants: readonly string[];
  readonly sentences: readonly ShownSentence[];
}

/**
 * A `SentenceSet` in a form that takes little space as JSON. Labels are indices; edges are flat triples of
 * head, modifier, label; a graph that a contestant found is the indices of the gold edges that it lacks, and
 * the edges that it has besides.
 */
export interface PackedSet {
  readonly contestants: readonly string[];
  readonly labels: readonly string[];
  readonly sentences: readonly PackedSentence[];
}

/** Index, forms, gold edges, differences of other graphs, graph of each contestant. */
export type PackedSentence = readonly [
  index: number,
  forms: readonly string[],
  gold: readonly number[],
  others: readonly (readonly [missed: readonly number[], added: readonly number[]])[],
  found: readonly number[],
];

/** Packs sentences. O(edges). */
export function packSentences({ contestants, sentences }: SentenceSet): PackedSet {
  const labels = new Map<string, number>();
  const labelIndex = (label: string): number => {
    const known = labels.get(label) ?? labels.size;
    labels.set(label, known);
    return known;
  };
  const flat = (edges: readonly Edge[]): number[] =>
    edges.flatMap(({ head, modifier, label }) => [head, modifier, labelIndex(label)]);
  const packed = sentences.map(({ index, forms, graphs, found }): PackedSentence => {
    const [gold = [], ...others] = graphs;
    const inGold = new Set(gold.map(keyOf));
    const differences = others.map((edges) => {
      const own = new Set(edges.map(keyOf));
      const missed = gold.flatMap((edge, i) => (own.has(keyOf(edge)) ? [] : [i]));
      return [missed, flat(edges.filter((edge) => !inGold.has(keyOf(edge))))] as const;
    });
    return [index, forms, flat(gold), differences, found];
  });
  return { contestants, labels: [...labels.keys()], sentences: packed };
}

/** Returns the sentences of a packed set. Edges are in the order of modifiers, then heads. */
export function unpackSentences({ contestants, labels, sentences }: PackedSet): SentenceSet {
  const edgesOf = (flat: readonly number[]): Edge[] => {
    const edges: Edge[] = [];
    for (let i = 0; i < flat.length; i += 3) {
      edges.push({ head: flat[i]!, modifier: flat[i + 1]!, label: labels[flat[i + 2]!]! });
    }
    return edges;
  };
  return {
    contestants,
    sentences: sentences.map(([index, forms, flat, others, found]) => {
      const gold = edgesOf(flat);
      const graphs = others.map(([missed, added]) =>
        [...gold.filter((_, i) => !missed.includes(i)), ...edgesOf(added)].sort(byPosition),
      );
      return { index, forms, graphs: [gold.toSorted(byPosition), ...graphs], found };
    }),
  };
}

function byPosition(a: Edge, b: Edge): number {
  return a.modifier - b.modifier || a.head - b.head || (a.label < b.label ? -1 : 1);
}

function keyOf({ head, modifier, label }: Edge): string {
  return `${head} ${modifier} ${label}`;
}

/** Which sentences are shown. */
export const FILTERS = {
  all: "all sentences",
  differ: "analyses differ",
  any: "at least one is wrong",
  shown: "the shown one is wrong",
  every: "all are wrong",
} as const;

export type Filter = keyof typeof FILTERS;

/** A selection of sentences. */
export interface Selection {
  readonly filter: Filter;
  /** Index of the contestant that is shown. */
  readonly shown: number;
  /** Text that the words, joined by spaces, or a label of the gold graph must have, in any case. */
  readonly search: string;
}

/** Returns the positions of the sentences that are selected, in order. */
export function selectSentences(
  sentences: readonly ShownSentence[],
  { filter, shown, search }: Selection,
): number[] {
  const wanted = search.trim().toLocaleLowerCase();
  return sentences.flatMap((sentence, position) =>
    passes(sentence.found, filter, shown) && has(sentence, wanted) ? [position] : [],
  );
}

function passes(found: readonly number[], filter: Filter, shown: number): boolean {
  switch (filter) {
    case "all":
      return true;
    case "differ":
      return found.some((graph) => graph !== found[0]);
    case "any":
      return found.some((graph) => graph !== 0);
    case "shown":
      return found[shown] !== 0;
    case "every":
      return found.every((graph) => graph !== 0);
  }
}

function has({ forms, graphs }: ShownSentence, wanted: string): boolean {
  if (wanted === "" || forms.join(" ").toLocaleLowerCase().includes(wanted)) return true;
  return graphs[0]!.some(({ label }) => label.toLocaleLowerCase() === wanted);
}

import {
  type Arcs,
  type ChainKind,
  chainLayout,
  type GraphChains,
  type GraphChoice,
  type GraphPartTable,
  graphChains,
  type PairKind,
  type PairTable,
  type SparseVector,
} from "@arcwise/core";
import {
  type EncodedSentence,
  GraphPartFeatures,
  type Template,
  type WeightTable,
} from "@arcwise/core/features";

/** All weights of a model. */
export type GraphWeights = Omit<WeightTable, "first">;

/** Scores the parts of one kind. */
export class PartScoring {
  readonly kind: PairKind | ChainKind;
  readonly #features: GraphPartFeatures;
  readonly #first: number;
  readonly #indices: Int32Array;
  #n = 0;

  constructor(kind: PairKind | ChainKind, templates: readonly Template[], bits: number, first: number) {
    this.kind = kind;
    this.#features = new GraphPartFeatures(kind, templates, bits);
    this.#first = first;
    this.#indices = new Int32Array(this.#features.width);
  }

  prepare(sentence: EncodedSentence): void {
    this.#n = sentence.n;
    this.#features.prepare(sentence);
  }

  score(arcs: Arcs, weights: GraphWeights): GraphPartTable {
    if (isChain(this.kind)) {
      const chains = graphChains(this.kind, arcs);
      const table = chainLayout(this.kind, arcs, chains);
      eachChainPart(this.kind, arcs, chains, (arc, k, a, b, c) => {
        table.scores[table.start[arc] + k] = this.#sum(a, b, c, weights);
      });
      return table;
    }
    const pairs = pairsOf(this.kind, arcs);
    for (let p = 0; p < pairs.scores.length; p++) {
      const [a, b, c] = pairWords(this.kind, arcs, pairs.first[p], pairs.second[p]);
      pairs.scores[p] = this.#sum(a, b, c, weights);
    }
    return pairs;
  }

  #sum(a: number, b: number, c: number, { values, scale }: GraphWeights): number {
    this.#features.indices(this.#n, a, b, c, this.#indices);
    let sum = 0;
    for (let k = 0; k < this.#indices.length; k++) sum += values[this.#first + this.#indices[k]!];
    return scale * sum;
  }

  addDifference(
    arcs: Arcs,
    table: GraphPartTable,
    plus: GraphChoice,
    minus: GraphChoice,
    into: SparseVector,
  ): void {
    const add = (sign: number, a: number, b: number, c: number) => {
      this.#features.indices(this.#n, a, b, c, this.#indices);
      for (let k = 0; k < this.#indices.length; k++) into.add(this.#first + this.#indices[k], sign);
    };
    if (isChain(this.kind)) {
      const chains = graphChains(this.kind, arcs);
      eachActivePart(this.kind, arcs, chains, plus.labelled, (a, b, c) => add(1, a, b, c));
      eachActivePart(this.kind, arcs, chains, minus.labelled, (a, b, c) => add(-1, a, b, c));
      return;
    }
    const { first, second, scores } = table as PairTable;
    for (let p = 0; p < scores.length; p++) {
      const [x, y] = [first[p], second[p]!];
      const gained = plus.labelled[x] >= 0 && plus.labelled[y] >= 0 ? 1 : 0;
      const lost = minus.labelled[x] >= 0 && minus.labelled[y] >= 0 ? 1 : 0;
      if (gained === lost) continue;
      const [a, b, c] = pairWords(this.kind, arcs, x, y);
      add(gained - lost, a, b, c);
    }
  }
}

function isChain(kind: PairKind | ChainKind): kind is ChainKind {
  return kind === "nextSibling" || kind === "nextCoparent";
}

/** Returns the words of a pair, in the order of `GRAPH_PART_WORDS`. */
function pairWords(
  kind: PairKind,
  { head, modifier }: Arcs,
  first: number,
  second: number,
): [number, number, number] {
  return kind === "coparent"
    ? [head[first], head[second], modifier[first]!]
    : [head[first], modifier[first], modifier[second]!];
}

/** Returns all pairs of candidate arcs of a kind, with scores 0. O(pairs + arcs log arcs). */
function pairsOf(kind: PairKind, arcs: Arcs): PairTable {
  const { head, modifier, start, n } = arcs;
  const first: number[] = [];
  const second: number[] = [];
  const byHead: number[][] = Array.from({ length: n + 1 }, () => []);
  for (let a = 0; a < head.length; a++) byHead[head[a]!].push(a);
  for (let a = 0; a < head.length; a++) {
    const others =
      kind === "grandparent"
        ? byHead[modifier[a]!]
        : kind === "sibling"
          ? byHead[head[a]!].filter((b) => modifier[b] > modifier[a])
          : range(a + 1, start[modifier[a] + 1]);
    for (const b of others) {
      first.push(a);
      second.push(b);
    }
  }
  return {
    kind,
    first: Int32Array.from(first),
    second: Int32Array.from(second),
    scores: new Float64Array(first.length),
  };
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, k) => from + k);
}

/**
 * Visits all parts of chains, each by its arc and its index among the parts of the arc (see `ChainTable`), with its words: the
 * word of the chain, the nearer one, the farther one (n + 1: none).
 */
function eachChainPart(
  kind: ChainKind,
  arcs: Arcs,
  { start, arcs: order, rank }: GraphChains,
  visit: (arc: number, k: number, a: number, b: number, c: number) => void,
): void {
  const [centre, other] = kind === "nextSibling" ? [arcs.head, arcs.modifier] : [arcs.modifier, arcs.head];
  const none = arcs.n + 1;
  for (let chain = 0; chain + 1 < start.length; chain++) {
    for (let i = start[chain]; i < start[chain + 1]; i++) {
      const arc = order[i];
      const [a, c] = [centre[arc], other[arc]!];
      visit(arc, 0, a, none, c);
      for (let j = start[chain]; j < i; j++) visit(arc, 1 + rank[order[j]!], a, other[order[j]!], c);
      visit(arc, rank[arc] + 1, a, c, none);
    }
  }
}

/** Visits the words of the parts of chains that are on in a graph. O(arcs). */
function eachActivePart(
  kind: ChainKind,
  arcs: Arcs,
  { start, arcs: order }: GraphChains,
  labelled: Int32Array,
  visit: (a: number, b: number, c: number) => void,
): void {
  const [centre, other] = kind === "nextSibling" ? [arcs.head, arcs.modifier] : [arcs.modifier, arcs.head];
  const none = arcs.n + 1;
  for (let chain = 0; chain + 1 < start.length; chain++) {
    let last = -1;
    for (let i = start[chain]; i < start[chain + 1]; i++) {
      const arc = order[i];
      if (labelled[arc] < 0) continue;
      visit(centre[arc], last < 0 ? none : other[last], other[arc]);
      last = arc;
    }
    if (last >= 0) visit(centre[last], other[last], none);
  }
}

import {
  type ChainTable,
  emptyChainScores,
  type GraphChains,
  type GraphProblem,
  graphChains,
} from "@arcwise/core";

/**
 * Scores of neighbouring arcs in the chains of one kind, and their change when an arc is turned on or off.
 */
export class ChainScores {
  readonly #table: ChainTable;
  readonly #chains: GraphChains;
  readonly #empty: Float64Array;
  /** The chain of each arc. */
  readonly #chainOf: Int32Array;

  constructor({ arcs }: GraphProblem, table: ChainTable) {
    this.#table = table;
    this.#chains = graphChains(table.kind, arcs);
    this.#empty = emptyChainScores(table);
    this.#chainOf = new Int32Array(arcs.head.length);
    const { start } = this.#chains;
    for (let chain = 0; chain + 1 < start.length; chain++) {
      for (let k = start[chain]; k < start[chain + 1]; k++) this.#chainOf[this.#chains.arcs[k]] = chain;
    }
  }

  /**
   * Returns the contribution of an arc to the score, given which of the others are on (`labelled` is not
   * negative). O(arcs of the chain).
   */
  gain(arc: number, labelled: Int32Array): number {
    const { start, arcs, rank } = this.#chains;
    const chain = this.#chainOf[arc];
    const at = start[chain] + rank[arc];
    let before = at - 1;
    while (before >= start[chain] && labelled[arcs[before]] < 0) before--;
    let after = at + 1;
    while (after < start[chain + 1] && labelled[arcs[after]] < 0) after++;
    const previous = before < start[chain] ? -1 : arcs[before];
    const next = after === start[chain + 1] ? -1 : arcs[after];
    const joined = this.#score(previous, arc) + this.#score(arc, next);
    const isAlone = previous < 0 && next < 0;
    return joined - (isAlone ? (this.#empty[chain] ?? 0) : this.#score(previous, next));
  }

  /** The sum of the scores of all chains without arcs. */
  get empty(): number {
    return this.#empty.reduce((sum, score) => sum + score, 0);
  }

  /** Returns the score of two neighbours; -1 stands for a missing neighbour. */
  #score(from: number, to: number): number {
    const { start, scores } = this.#table;
    const { rank } = this.#chains;
    if (to >= 0) return scores[start[to] + (from < 0 ? 0 : 1 + rank[from])];
    return scores[start[from] + rank[from] + 1];
  }
}
